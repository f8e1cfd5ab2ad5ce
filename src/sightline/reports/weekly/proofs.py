"""The passages that a report quotes as evidence: a few words around the place that names the brand. Pure."""

from sightline.answers.plain_text import split_passage
from sightline.reports.weekly.models import QuotedAnswer
from sightline.scans.models import ScanPrompt
from sightline.scans.stored import AnswerRow, to_answer

_CONTEXT = 140
_CONTEXT_WITHOUT_BRAND = 280
_ELLIPSIS = "\u2026"


def build_proof(row: AnswerRow, prompt: ScanPrompt, url: str) -> QuotedAnswer:
    """Quote an answer word for word, without markdown.

    The passage surrounds the first mention of the brand, or is the beginning of an answer without one. `url` leads to
    the whole answer.
    """
    answer = to_answer(row, prompt)
    start, end = 0, 0
    if answer.analysis is not None and (places := answer.analysis.brands[0].occurrences):
        start, end = places[0].start, places[0].end
    before, marked, after = split_passage(answer.text, start, end)
    return QuotedAnswer(
        answer_id=row.id,
        prompt=prompt.text,
        platform=answer.platform,
        before=_cut_start(before),
        marked=marked,
        after=_cut_end(after, _CONTEXT if marked else _CONTEXT_WITHOUT_BRAND),
        url=url,
    )


def _cut_end(text: str, limit: int) -> str:
    """Cut a text at the end of a word; a script without spaces is cut anywhere."""
    if len(text) <= limit:
        return text
    head = text[:limit]
    whole = head.rpartition(" ")[0]
    return f"{whole if len(whole) > limit // 2 else head} {_ELLIPSIS}"


def _cut_start(text: str) -> str:
    if len(text) <= _CONTEXT:
        return text
    tail = text[-_CONTEXT:]
    whole = tail.partition(" ")[2]
    return f"{_ELLIPSIS} {whole if len(whole) > _CONTEXT // 2 else tail}"

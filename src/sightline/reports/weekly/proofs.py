"""The passages that a report quotes as evidence: a few words around the place that names the brand. Pure."""

from collections.abc import Sequence

from sightline.answers.plain_text import split_passage
from sightline.reports.weekly.models import QuotedAnswer
from sightline.scans.models import ScanPrompt
from sightline.scans.stored import AnswerRow, to_answer

_CONTEXT = 140
_CONTEXT_WITHOUT_BRAND = 280
_MAX_CONTEXT = 500
_MAX_WORD = 20  # the last word of a passage may be cut off, and it must not be the last one of a quote
_ELLIPSIS = "\u2026"


def build_proof(row: AnswerRow, prompt: ScanPrompt, url: str, quotes: Sequence[str] = ()) -> QuotedAnswer:
    """Quote an answer word for word, without markdown.

    The passage surrounds the first mention of the brand, or is the beginning of an answer without one. If the report
    quotes the answer elsewhere, the passage contains the first of these `quotes`. `url` leads to the whole answer.
    """
    answer = to_answer(row, prompt)
    start, end, limit = 0, 0, _CONTEXT
    if answer.analysis is not None and (places := answer.analysis.brands[0].occurrences):
        quote_start, quote_end = _find_quote(answer.text, quotes)
        inside = [place for place in places if quote_start <= place.start < quote_end]
        earlier = [place for place in places if place.start < quote_start]
        place = (inside or earlier[-1:] or places)[0]
        start, end = place.start, place.end
        limit = min(max(_CONTEXT, quote_end - end + _MAX_WORD), _MAX_CONTEXT)
    before, marked, after = split_passage(answer.text, start, end)
    return QuotedAnswer(
        answer_id=row.id,
        prompt=prompt.text,
        platform=answer.platform,
        before=_cut_start(before),
        marked=marked,
        after=_cut_end(after, limit if marked else _CONTEXT_WITHOUT_BRAND),
        url=url,
    )


def _find_quote(text: str, quotes: Sequence[str]) -> tuple[int, int]:
    """Return where the first of the quotes begins and ends; the beginning of the text if it has none of them."""
    return next(((place, place + len(quote)) for quote in quotes if (place := text.find(quote)) >= 0), (0, 0))


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

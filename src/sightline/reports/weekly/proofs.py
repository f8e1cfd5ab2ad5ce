"""The passages that a report shows as proof: a few words around the place that names the brand. Pure."""

from sightline.answers.plain_text import split_passage
from sightline.reports.weekly.models import Proof
from sightline.scans.models import Prompt
from sightline.scans.stored import AnswerRow, to_answer

_AROUND = 140
_WITHOUT = 280
_CUT = "\u2026"


def make_proof(row: AnswerRow, prompt: Prompt, url: str) -> Proof:
    """`url` leads to the whole answer. Word for word, without the marks of markdown; where it does not name
    the brand, from its beginning."""
    answer = to_answer(row, prompt)
    start, end = 0, 0
    if answer.reading is not None and (places := answer.reading.brands[0].occurrences):
        start, end = places[0].start, places[0].end
    before, marked, after = split_passage(answer.text, start, end)
    return Proof(
        answer_id=row.id,
        prompt=prompt.text,
        platform=answer.platform,
        before=_last(before),
        marked=marked,
        after=_first(after, _AROUND if marked else _WITHOUT),
        url=url,
    )


def _first(text: str, most: int) -> str:
    """From the beginning, to the end of a word; writing that has no spaces is cut where it is."""
    if len(text) <= most:
        return text
    head = text[:most]
    whole = head.rpartition(" ")[0]
    return f"{whole if len(whole) > most // 2 else head} {_CUT}"


def _last(text: str) -> str:
    if len(text) <= _AROUND:
        return text
    tail = text[-_AROUND:]
    whole = tail.partition(" ")[2]
    return f"{_CUT} {whole if len(whole) > _AROUND // 2 else tail}"

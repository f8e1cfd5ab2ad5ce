"""Where a scan mentions a name: how often, and in which words. It helps users to decide if the name is a competitor."""

import re
import uuid
from collections.abc import Mapping, Sequence

import msgspec

from sightline.answers.plain_text import split_passage
from sightline.db.engine import Reader
from sightline.scans import queries
from sightline.scans.schemas.results import CandidateResult
from sightline.scans.stored import AnswerOrigin

_MAX_QUOTES = 2
_MAX_ANSWERS_READ = 6  # some of them contain the name only inside a longer word
_CONTEXT_LENGTH = 90  # characters on each side of the name
_MARKDOWN_LENGTH = 800  # of source text around the name: link addresses are long
_WHITE = re.compile(r"\s+")
_BARS = re.compile(r"\s*(?<!\\)\|\s*")
_ADDRESS_START = re.compile(r"(?:\]\(|://)[^()\s]*$")


class Quote(msgspec.Struct, frozen=True):
    """A passage of an answer that holds the name, word for word."""

    answer_id: uuid.UUID
    platform: str
    before: str
    name: str
    after: str


class NameMentions(msgspec.Struct, frozen=True):
    """The mentions of one name. `counted` is null where the scan did not present the name as an alternative."""

    counted: CandidateResult | None
    quotes: tuple[Quote, ...]


class _StoredCandidates(msgspec.Struct, frozen=True):
    candidates: tuple[CandidateResult, ...] = ()


_decode_candidates = msgspec.json.Decoder(_StoredCandidates).decode


async def find_name_mentions(
    db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID, names: Sequence[str]
) -> Mapping[str, NameMentions]:
    """Return for every name how often the scan mentions it, with quotes. Few answers are read for each name."""
    stored = await queries.find_results(db, workspace_id, scan_id)
    counted = _decode_candidates(stored.results).candidates if stored else ()
    known = {each.name.casefold(): each for each in counted}
    quotes: dict[str, list[Quote]] = {name: [] for name in names}
    rows = await queries.list_answers_with(db, workspace_id, scan_id, list(quotes), limit=_MAX_ANSWERS_READ)
    for name, answer_id, platform, text in rows:
        found = quote_name(name, text)
        if found is not None and len(quotes[name]) < _MAX_QUOTES:
            quotes[name].append(Quote(answer_id, platform, *found))
    return {name: NameMentions(known.get(name.casefold()), tuple(quotes[name])) for name in names}


async def find_answer_origins(
    db: Reader, workspace_id: uuid.UUID, answers: Sequence[tuple[uuid.UUID, uuid.UUID]]
) -> Mapping[uuid.UUID, AnswerOrigin]:
    """Return where each answer comes from. `answers` are pairs of scan and answer id."""
    scans, wanted = {scan for scan, _ in answers}, {answer for _, answer in answers}
    return await queries.list_origins(db, workspace_id, list(scans), list(wanted)) if answers else {}


def quote_name(name: str, text: str) -> tuple[str, str, str] | None:
    """Return the text before the name, the name as written, and the text after it. In a table, the text is its row.

    None if the text has the name only inside other words or addresses.
    """
    places = re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE)
    match = next((place for place in places if not _is_in_address(text, place.start())), None)
    if match is None:
        return None
    before, after = text[max(0, match.start() - _MARKDOWN_LENGTH) : match.start()], text[match.end() :]
    row = before.rpartition("\n")[2].lstrip()
    if row.startswith("|"):
        before = _BARS.sub(" · ", row.removeprefix("|").lstrip())
        after = _BARS.sub(" · ", after.partition("\n")[0].rstrip().removesuffix("|").rstrip())
    passage = before + match.group() + after[:_MARKDOWN_LENGTH]
    parts = split_passage(passage, len(before), len(before) + len(match.group()))
    before, name, after = (_WHITE.sub(" ", part) for part in parts)
    if len(before) > _CONTEXT_LENGTH:
        before = "… " + before[-_CONTEXT_LENGTH:].partition(" ")[2]
    if len(after) > _CONTEXT_LENGTH:
        after = after[:_CONTEXT_LENGTH].rpartition(" ")[0] + " …"
    return before, name, after


def _is_in_address(text: str, place: int) -> bool:
    return _ADDRESS_START.search(text[max(0, place - _MARKDOWN_LENGTH) : place]) is not None

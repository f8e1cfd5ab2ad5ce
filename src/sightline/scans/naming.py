"""Where a check names somebody: how often, and in which words. For people who decide whether a name is a rival's."""

import re
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from sightline.answers.plain_text import split_passage
from sightline.db.engine import Reader
from sightline.scans import queries
from sightline.scans.schemas.results import CandidateResult

_QUOTES = 2
_LOOKED_AT = 6  # some of them hold the name inside of a longer word only
_AROUND = 90  # characters on each side of the name
_READ = 800  # of which so many are looked at: addresses of links are long
_WHITE = re.compile(r"\s+")


class Quote(msgspec.Struct, frozen=True):
    """A passage of an answer that holds the name, word for word."""

    answer_id: uuid.UUID
    platform: str
    before: str
    name: str
    after: str


class Naming(msgspec.Struct, frozen=True):
    """`counted` is null where the check did not present the name as an alternative."""

    counted: CandidateResult | None
    quotes: tuple[Quote, ...]


class _Counted(msgspec.Struct, frozen=True):
    candidates: tuple[CandidateResult, ...] = ()


_read_counted = msgspec.json.Decoder(_Counted).decode


async def find_naming(
    db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID, names: Sequence[str]
) -> Mapping[str, Naming]:
    """For every name what the check says of it; the texts of few answers are read for each."""
    stored = await queries.find_results(db, workspace_id, scan_id)
    counted = _read_counted(stored.results).candidates if stored else ()
    known = {each.name.casefold(): each for each in counted}
    quotes: dict[str, list[Quote]] = {name: [] for name in names}
    rows = await queries.list_answers_with(db, workspace_id, scan_id, list(quotes), limit=_LOOKED_AT)
    for name, answer_id, platform, text in rows:
        found = quote_name(name, text)
        if found is not None and len(quotes[name]) < _QUOTES:
            quotes[name].append(Quote(answer_id, platform, *found))
    return {name: Naming(known.get(name.casefold()), tuple(quotes[name])) for name in names}


async def find_origins(
    db: Reader, workspace_id: uuid.UUID, answers: Sequence[tuple[uuid.UUID, uuid.UUID]]
) -> Mapping[uuid.UUID, tuple[str, datetime]]:
    """Which platform gave each answer, and when its check was begun; asked for as scan and answer."""
    scans, wanted = {scan for scan, _ in answers}, {answer for _, answer in answers}
    return await queries.list_origins(db, workspace_id, list(scans), list(wanted)) if answers else {}


def quote_name(name: str, text: str) -> tuple[str, str, str] | None:
    """What stands before the name, the name as it is written there, and what follows. None: no word of its own."""
    match = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE)
    if match is None:
        return None
    first = max(0, match.start() - _READ)
    parts = split_passage(text[first : match.end() + _READ], match.start() - first, match.end() - first)
    before, name, after = (_WHITE.sub(" ", part) for part in parts)
    if len(before) > _AROUND:
        before = "… " + before[-_AROUND:].partition(" ")[2]
    if len(after) > _AROUND:
        after = after[:_AROUND].rpartition(" ")[0] + " …"
    return before, name, after

"""Sites that speak for competitors and not for us: cited by answers that name a rival and leave the brand out."""

import asyncio
import uuid
from collections import Counter, OrderedDict
from collections.abc import Sequence

import msgspec

from sightline.answers.citations import Owners
from sightline.answers.models import AnswerAnalysis, Brand
from sightline.db.engine import Reader
from sightline.scans.queries import find_scan
from sightline.scans.schemas.results import SourceType
from sightline.scans.sources import type_of_site
from sightline.scans.stored import AnswerRow, decode_measured, decode_record
from sightline.scoreboard import queries
from sightline.scoreboard.models import BoardRow

_MAX_PAGES = 3
_MAX_EXAMPLES = 3
_MAX_CACHED = 128


class GapPage(msgspec.Struct, frozen=True):
    url: str
    answers: int


class GapSite(msgspec.Struct, frozen=True, kw_only=True):
    """A site of a third party. `rivals` are those that its answers name, the most often named first."""

    domain: str
    type: SourceType
    answers: int
    rivals: tuple[str, ...]
    pages: tuple[GapPage, ...]
    shown: tuple[tuple[uuid.UUID, uuid.UUID], ...]
    """Scan and answer of a few of them."""


class SourceGaps(msgspec.Struct, frozen=True):
    """`valid` are the readable answers that were looked through, `gap` those that name a rival and not the brand."""

    valid: int
    gap: int
    sites: tuple[GapSite, ...]


_KEPT: OrderedDict[tuple[uuid.UUID, uuid.UUID, int], SourceGaps] = OrderedDict()


async def read_source_gaps(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> SourceGaps:
    """Of the answers that the scoreboard shows now, the widest gap first.

    All of their records are read for it, so what came of them is remembered until the scoreboard changes.
    """
    board = await queries.find_board(db, workspace_id, domain_id)
    if board is None:
        return SourceGaps(0, 0, ())
    key = (workspace_id, domain_id, board.revision)
    if (known := _KEPT.get(key)) is None:
        known = _KEPT[key] = await _read_gaps(db, workspace_id, domain_id, board)
        if len(_KEPT) > _MAX_CACHED:
            _KEPT.popitem(last=False)
    return known


async def _read_gaps(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, board: BoardRow) -> SourceGaps:
    base_id = board.base_scan_id or board.latest_scan_id
    base = base_id and await find_scan(db, workspace_id, base_id)
    if not base:
        return SourceGaps(0, 0, ())
    cells = [cell for cell in await queries.list_cells(db, workspace_id, domain_id) if cell.status == "ok"]
    rows = await queries.read_cell_answers(db, workspace_id, cells)
    measured = decode_measured(base.brand)
    return await asyncio.to_thread(find_source_gaps, rows, (measured.brand, *measured.competitors))


class _SiteCounts:
    """What is gathered of one site."""

    def __init__(self) -> None:
        self.pages: Counter[str] = Counter()
        self.rivals: Counter[str] = Counter()
        self.answers: list[AnswerRow] = []


def find_source_gaps(rows: Sequence[AnswerRow], tracked: Sequence[Brand]) -> SourceGaps:
    """Pure. Pages of the brand itself and of its competitors are no gap that somebody could be listed in."""
    owners = Owners([brand.domains for brand in tracked])
    sites: dict[str, _SiteCounts] = {}
    valid = gap = 0
    for row in sorted(rows, key=lambda row: (row.scan_id, row.prompt_index, row.platform)):
        analysis = decode_record(row.record).reading
        if analysis is None:
            continue
        valid += 1
        if analysis.brands[0].mentioned or not any(said.mentioned for said in analysis.brands):
            continue
        gap += 1
        _count_citations(sites, row, analysis, owners)
    found = [_to_site(domain, tally) for domain, tally in sites.items()]
    return SourceGaps(valid, gap, tuple(sorted(found, key=lambda site: (-site.answers, site.domain))))


def _count_citations(sites: dict[str, _SiteCounts], row: AnswerRow, analysis: AnswerAnalysis, owners: Owners) -> None:
    cited: dict[str, set[str]] = {}
    for citation in analysis.citations:
        if not owners.of(citation):
            cited.setdefault(citation.domain, set()).add(citation.url)
    for domain, urls in cited.items():
        tally = sites.setdefault(domain, _SiteCounts())
        tally.pages.update(urls)
        tally.rivals.update(said.name for said in analysis.brands if said.mentioned)
        tally.answers.append(row)


def _to_site(domain: str, tally: _SiteCounts) -> GapSite:
    return GapSite(
        domain=domain,
        type=type_of_site(domain, tally.pages),
        answers=len(tally.answers),
        rivals=tuple(name for name, _ in _rank(tally.rivals)),
        pages=tuple(GapPage(url, count) for url, count in _rank(tally.pages)[:_MAX_PAGES]),
        shown=tuple((row.scan_id, row.id) for row in tally.answers[:_MAX_EXAMPLES]),
    )


def _rank(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))

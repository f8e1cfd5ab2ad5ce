"""Source gaps: third-party sites cited by answers that name a competitor and not the brand.

A rival's own site is not a gap, whether the rival is tracked, suggested or only presented by the answers.
"""

import asyncio
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec
from cachetools import LRUCache

from sightline.answers.citations import SiteOwners
from sightline.answers.models import AnswerAnalysis, Brand
from sightline.competitors.queries import list_all_competitors
from sightline.db.engine import Reader
from sightline.scans.profile_pages import is_profile_page
from sightline.scans.queries import find_scan
from sightline.scans.schemas.results import SourceType
from sightline.scans.sources import classify_site
from sightline.scans.stored import AnswerRow, ScanRow, decode_measured, decode_record
from sightline.scoreboard import queries
from sightline.scoreboard.models import BoardRow
from sightline.scoreboard.schemas import Board, decode_board
from sightline.scoreboard.site_decisions.queries import list_ignored_sites

_MAX_PAGES = 3
_MAX_EXAMPLES = 3
_MAX_CACHED = 128
# The types of a site that belongs to a brand. A review site can be presented as a brand, too, and lists others.
_MAKERS: frozenset[SourceType] = frozenset({"other", "shop"})


class GapPage(msgspec.Struct, frozen=True):
    url: str
    answers: int


class GapSite(msgspec.Struct, frozen=True, kw_only=True):
    """A third-party site. `competitors` are those that its answers name, most often named first.

    `pages` has no profile pages: nobody else can be listed there.
    """

    domain: str
    type: SourceType
    answers: int
    competitors: tuple[str, ...]
    pages: tuple[GapPage, ...]
    example_answers: tuple[tuple[uuid.UUID, uuid.UUID], ...]
    """The scan id and answer id of a few of its answers."""


class SourceGaps(msgspec.Struct, frozen=True):
    """The sites, and how many answers name a competitor and not the brand."""

    gap: int
    sites: tuple[GapSite, ...]


_cache: LRUCache[tuple[uuid.UUID, uuid.UUID, int], SourceGaps] = LRUCache(_MAX_CACHED)


async def read_source_gaps(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> SourceGaps:
    """Return the gaps in the answers that the figures of the board count, widest first, without ignored sites.

    This reads all their records, so the outcome is cached until the board changes.
    """
    board = await queries.find_board(db, workspace_id, domain_id)
    if board is None:
        return SourceGaps(0, ())
    key = (workspace_id, domain_id, board.revision)
    if (cached := _cache.get(key)) is None:
        cached = _cache[key] = await _read_gaps(db, workspace_id, domain_id, board)
    return await _drop_decided(db, workspace_id, domain_id, cached)


async def read_part_gaps(db: Reader, base: ScanRow, board: Board) -> SourceGaps:
    """Return the gaps in the answers that a part of the board, or the board of one check, counts."""
    shown = [
        (cell.scan_id, cell.answer_id)
        for row in board.prompts
        for cell in row.cells
        if cell.in_headline and cell.scan_id is not None and cell.answer_id is not None
    ]
    return await _drop_decided(db, base.workspace_id, base.domain_id, await _find_gaps(db, base, shown, board))


async def _drop_decided(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, gaps: SourceGaps) -> SourceGaps:
    """Leave out sites that are ignored, or belong to a competitor."""
    decided = {each.site for each in await list_ignored_sites(db, workspace_id, domain_id)}
    competitors = await list_all_competitors(db, workspace_id, domain_id)
    decided |= {each.competitor_domain for each in competitors if each.competitor_domain and each.status != "dismissed"}
    return msgspec.structs.replace(gaps, sites=tuple(site for site in gaps.sites if site.domain not in decided))


async def _read_gaps(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, board: BoardRow) -> SourceGaps:
    base = board.plan_scan_id and await find_scan(db, workspace_id, board.plan_scan_id)
    if not base:
        return SourceGaps(0, ())
    cells = await queries.list_cells(db, workspace_id, domain_id)
    shown = [(cell.scan_id, cell.answer_id) for cell in cells if cell.base and cell.status == "ok"]
    return await _find_gaps(db, base, shown, decode_board(board.board) if board.board else None)


async def _find_gaps(
    db: Reader, base: ScanRow, shown: Sequence[tuple[uuid.UUID, uuid.UUID]], board: Board | None
) -> SourceGaps:
    rows = await queries.read_shown_answers(db, base.workspace_id, shown)
    measured = decode_measured(base.brand)
    types = {source.domain: source.type for source in board.sources} if board else {}
    return await asyncio.to_thread(find_source_gaps, rows, (measured.brand, *measured.competitors), types)


class _SiteCounts:
    """What is counted for one site."""

    def __init__(self) -> None:
        self.pages: Counter[str] = Counter()
        self.competitors: Counter[str] = Counter()
        self.answers: list[AnswerRow] = []


def find_source_gaps(
    rows: Sequence[AnswerRow], tracked: Sequence[Brand], types: Mapping[str, SourceType]
) -> SourceGaps:
    """Find the gaps. Sites of the brand and of rivals are left out: nobody can get listed there. Pure.

    `types` are the types that the board shows for its sites.
    """
    owners = SiteOwners([brand.domains for brand in tracked])
    sites: dict[str, _SiteCounts] = {}
    rivals: set[str] = set()
    gap = 0
    for row in sorted(rows, key=lambda row: (row.scan_id, row.prompt_index, row.platform)):
        record = decode_record(row.record)
        rivals.update(candidate.domain for candidate in record.candidates if candidate.domain)
        analysis = record.analysis
        if analysis is None:
            continue
        if analysis.brands[0].mentioned or not any(brand.mentioned for brand in analysis.brands):
            continue
        gap += 1
        _count_citations(sites, row, analysis, owners)
    names = [name for brand in tracked for name in (brand.name, *brand.aliases, *brand.domains)]
    found = [
        _to_site(domain, types.get(domain) or classify_site(domain, counts.pages), counts, names)
        for domain, counts in sites.items()
    ]
    found = [site for site in found if site.domain not in rivals or site.type not in _MAKERS]
    return SourceGaps(gap, tuple(sorted(found, key=lambda site: (-site.answers, site.domain))))


def _count_citations(
    sites: dict[str, _SiteCounts], row: AnswerRow, analysis: AnswerAnalysis, owners: SiteOwners
) -> None:
    cited: dict[str, set[str]] = {}
    for citation in analysis.citations:
        if not owners.of(citation):
            cited.setdefault(citation.domain, set()).add(citation.url)
    for domain, urls in cited.items():
        counts = sites.setdefault(domain, _SiteCounts())
        counts.pages.update(urls)
        counts.competitors.update(brand.name for brand in analysis.brands if brand.mentioned)
        counts.answers.append(row)


def _to_site(domain: str, site_type: SourceType, counts: _SiteCounts, names: Sequence[str]) -> GapSite:
    pages = [(url, count) for url, count in _rank(counts.pages) if not is_profile_page(url, names)]
    return GapSite(
        domain=domain,
        type=site_type,
        answers=len(counts.answers),
        competitors=tuple(name for name, _ in _rank(counts.competitors)),
        pages=tuple(GapPage(url, count) for url, count in pages[:_MAX_PAGES]),
        example_answers=tuple((row.scan_id, row.id) for row in counts.answers[:_MAX_EXAMPLES]),
    )


def _rank(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))

"""Reading the board that a filter asks for: the scoreboard, or an earlier Full Check, whole or in part.

A period that includes the latest check shows the scoreboard. An earlier one shows its last Full Check, alone. Without a
filter this is the stored board, read as it is.
"""

import asyncio
import uuid

import msgspec

from sightline.db.engine import Reader
from sightline.domains.models import TrackedDomainRow
from sightline.presentation.language import gettext, translatable
from sightline.scans.queries import find_scan
from sightline.scans.stored import ScanRow
from sightline.scoreboard.answer_list.filter import AnswerFilter
from sightline.scoreboard.answer_list.queries import list_tagged_prompts
from sightline.scoreboard.board import add_comparisons
from sightline.scoreboard.compare import Comparisons
from sightline.scoreboard.completed_scans import CompletedScan, read_completed_scan
from sightline.scoreboard.models import BoardRow, UncitedPlatforms
from sightline.scoreboard.read import empty_board, find_check_board, read_scoreboard
from sightline.scoreboard.refresh import read_board_sources
from sightline.scoreboard.schemas import Board
from sightline.scoreboard.subsets import queries
from sightline.scoreboard.subsets.compared_check import ComparedChecks, find_compared
from sightline.scoreboard.subsets.filter import DatedFilter, MeasurementFilter
from sightline.scoreboard.subsets.part import (
    CellPart,
    build_check_part,
    build_scoreboard_part,
    compare_parts,
    set_site_types,
)

_EXPIRED = translatable(
    "The answers of this check are sealed or no longer stored. Its figures can only be shown without a filter."
)


class FilteredBoard(msgspec.Struct, frozen=True, kw_only=True):
    """A board, the check that it is based on, and which answers it counts."""

    board: Board
    filter: MeasurementFilter
    scan: ScanRow | None = None
    """The Full Check that the figures are based on; None without one."""
    compared_scan_id: uuid.UUID | None = None
    """The check whose cells the comparisons are of."""
    compared: tuple[ScanRow, ScanRow] | None = None
    """That check, and the one before it that it is compared with. None where the stored comparisons are shown."""
    is_past: bool = False
    """The figures are those of `scan` alone: the period ends before the latest check, or they were asked for."""
    faults: tuple[str, ...] = ()
    """Sentences about what could not be shown or compared."""

    @property
    def is_expired(self) -> bool:
        """Return whether the answers of `scan` are no longer stored, so that its counts cannot be opened."""
        return self.scan is not None and self.scan.answers_expired_at is not None

    @property
    def answer_fields(self) -> dict[str, str]:
        """Return the fields of `AnswerFilter` that select the answers of this board."""
        check = {"check": str(self.scan.id)} if self.is_past and self.scan else {}
        return {**check, **self.filter.part}

    def answers_query(self, **fields: object) -> str:
        """Return the query of the Answers page for answers of this board. Null fields do not filter."""
        values = {name: str(value) for name, value in fields.items() if value is not None}
        return AnswerFilter(**{**self.answer_fields, **values}).to_query()


async def read_filtered_board(
    db: Reader, workspace_id: uuid.UUID, domain: TrackedDomainRow, dated: DatedFilter, *, uncited: UncitedPlatforms
) -> FilteredBoard:
    """Return the board that the filter asks for. `uncited` are the platforms that show no sources."""
    wanted, period = dated.filter, dated.period
    stored = await read_scoreboard(db, workspace_id, domain)
    row, base = stored.row, stored.scan
    if row is None or base is None:
        return FilteredBoard(board=stored.decode(), filter=wanted)
    is_past = dated.without_later or (bool(wanted.until) and period.end <= row.as_of)
    if not (is_past or wanted.part or wanted.against):
        return FilteredBoard(board=stored.decode(), filter=wanted, scan=base, compared_scan_id=row.latest_scan_id)
    if is_past:
        base = await queries.find_last_full_check(
            db, workspace_id, domain.id, base.answers_source, since=period.start, until=period.end
        )
        if base is None:
            fault = gettext("No Full Check was completed in this period, so there is nothing to show.")
            return FilteredBoard(board=empty_board(domain), filter=wanted, is_past=True, faults=(fault,))
    latest_id = base.id if is_past else row.latest_scan_id
    latest = base if latest_id in (None, base.id) else await find_scan(db, workspace_id, latest_id)
    assert latest is not None
    part = await _read_part(db, workspace_id, domain.id, wanted)
    if not part.is_whole and (base.answers_expired_at or latest.answers_expired_at):
        return FilteredBoard(
            board=empty_board(domain), filter=wanted, scan=base, is_past=is_past, faults=(gettext(_EXPIRED),)
        )
    compared = await find_compared(db, dated, base, latest)
    reader = _PartReader(db, part, uncited)
    whole = (await find_check_board(db, workspace_id, base.id) if is_past else None) or stored.decode()
    if part.is_whole:
        board = whole
        if wanted.against:
            comparisons = await reader.compare(compared)
            board = msgspec.structs.replace(board, headline=add_comparisons(board.headline, comparisons))
    elif is_past:
        board = set_site_types(await reader.measure_check(base, await reader.compare(compared)), whole)
    else:
        board = set_site_types(await reader.measure_scoreboard(row, base, await reader.compare(compared)), whole)
    return FilteredBoard(
        board=board,
        filter=wanted,
        scan=base,
        compared_scan_id=compared.now.id,
        compared=None if compared.before is None else (compared.now, compared.before),
        is_past=is_past,
        faults=(compared.fault,) if compared.fault else (),
    )


class _PartReader:
    """Reads checks with their answers, each once, and measures one part of them."""

    def __init__(self, db: Reader, part: CellPart, uncited: UncitedPlatforms) -> None:
        self._db, self._part, self._uncited = db, part, uncited
        self._read: dict[uuid.UUID, CompletedScan] = {}

    async def compare(self, compared: ComparedChecks) -> Comparisons:
        if compared.before is None:
            return Comparisons()
        before, now = await self._complete(compared.before), await self._complete(compared.now)
        found = await asyncio.to_thread(compare_parts, self._part, before, now)
        # Only Full Checks set the figures against competitors, so a Daily Check has nothing to compare them with.
        scopes = {compared.before.measurement_scope, compared.now.measurement_scope}
        return found.without_market() if "daily_check" in scopes else found

    async def measure_check(self, check: ScanRow, comparisons: Comparisons) -> Board:
        completed = await self._complete(check)
        return await asyncio.to_thread(build_check_part, self._part, completed, comparisons)

    async def measure_scoreboard(self, row: BoardRow, base: ScanRow, comparisons: Comparisons) -> Board:
        sources = await read_board_sources(
            self._db, base.workspace_id, base.domain_id, row, self._uncited, includes=self._part.includes
        )
        full = None if row.base_scan_id is None else await self._complete(base)
        return await asyncio.to_thread(build_scoreboard_part, self._part, sources, full, comparisons)

    async def _complete(self, scan: ScanRow) -> CompletedScan:
        if scan.id not in self._read:
            self._read[scan.id] = await read_completed_scan(
                self._db,
                scan,
                uncited=self._uncited,
                platform=self._part.platform,
                includes=self._part.includes_prompt,
            )
        return self._read[scan.id]


async def _read_part(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, wanted: MeasurementFilter) -> CellPart:
    tagged = None
    if wanted.tag:
        found = await list_tagged_prompts(db, workspace_id, domain_id, wanted.tag)
        tagged = frozenset(str(prompt_id) for prompt_id in found)
    return CellPart(wanted.platform, wanted.country, wanted.language, tagged)

"""SQL of lists of answers: storing the facts of answers, and reading those that a filter selects."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from sightline.db.engine import Reader, to_rows
from sightline.metrics.observation import Status
from sightline.scans.models import AnswersSource
from sightline.scans.outcome.queries import SPACELESS
from sightline.scans.stored import Scope


class ListedRow(msgspec.Struct, frozen=True):
    """An answer of a list, with what its row shows."""

    scan_id: uuid.UUID
    id: uuid.UUID
    prompt_id: uuid.UUID
    platform: str
    labels: list[str]
    prompt: str
    country: str | None
    language: str | None
    scope: Scope
    status: Status
    text: str
    record: bytes
    answered_at: datetime


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """Which rows of `answer_facts` a list shows, in terms of SQL. `AnswerFilter` describes the filter."""

    workspace_id: uuid.UUID
    domain_id: uuid.UUID
    is_latest: bool = False
    """Only the answers that the cells of the scoreboard show."""
    base_only: bool = False
    """Of those, only cells that the latest Full Check planned."""
    untouched_in: uuid.UUID | None = None
    """Of those, only answers of this Full Check to cells that no check has asked again."""
    scan_ids: Sequence[uuid.UUID] | None = None
    answers: Sequence[tuple[uuid.UUID, uuid.UUID]] | None = None
    """Only these answers: ids of scans and of their answers."""
    labels: Sequence[str] = ()
    """An answer has all of these labels,"""
    any_labels: Sequence[Sequence[str]] = ()
    """and at least one of each of these groups,"""
    without: Sequence[str] = ()
    """and none of these."""
    any_pairs: Sequence[tuple[str, Sequence[str]]] | None = None
    """For one of these, it has the label and at least one of the others. An empty list selects nothing."""
    against: uuid.UUID | None = None
    """The same cell has an answer in this scan,"""
    against_labels: Sequence[str] = ()
    """and that answer has all of these labels,"""
    against_without: Sequence[str] = ()
    """and none of these."""
    against_cells: Sequence[tuple[str, str]] | None = None
    """The prompts and platforms of those cells, where one of the two checks is sealed."""
    words: str = ""
    configurations: Sequence[str] = ()


class Conditions:
    """The conditions of a selection, with their parameters."""

    def __init__(self, selection: Selection) -> None:
        self.parameters: list[Any] = [selection.workspace_id, selection.domain_id]
        self._parts = ["f.workspace_id = $1", "f.domain_id = $2"]
        self.table = "answer_facts f"
        if selection.is_latest:
            self._join_cells(selection)
        self._add_scope(selection)
        self._add_labels(selection)
        if selection.against_cells is not None:
            prompts = self.add([prompt_id for prompt_id, _ in selection.against_cells])
            platforms = self.add([platform for _, platform in selection.against_cells])
            self.require(
                f"(f.prompt_id::text, f.platform) IN (SELECT * FROM unnest({prompts}::text[], {platforms}::text[]))"
            )
        elif selection.against is not None:
            self._add_against(selection.against, selection)

    def add(self, value: object) -> str:
        """Add a parameter and return its placeholder."""
        self.parameters.append(value)
        return f"${len(self.parameters)}"

    def require(self, condition: str) -> None:
        self._parts.append(condition)

    @property
    def sql(self) -> str:
        return " AND ".join(self._parts)

    def _join_cells(self, selection: Selection) -> None:
        self.table = """cells c JOIN answer_facts f ON f.workspace_id = c.workspace_id AND f.domain_id = c.domain_id
                        AND f.scan_id = c.scan_id AND f.answer_id = c.answer_id"""
        self._parts += ["c.workspace_id = $1", "c.domain_id = $2"]
        if selection.base_only:
            self.require("c.base")
        if selection.untouched_in is not None:
            self.require(f"c.scan_id = {self.add(selection.untouched_in)} AND c.seen_at = c.checked_at")

    def _add_scope(self, selection: Selection) -> None:
        if selection.scan_ids is not None:
            self.require(f"f.scan_id = ANY({self.add(list(selection.scan_ids))}::uuid[])")
        if selection.answers is not None:
            scans = self.add([scan_id for scan_id, _ in selection.answers])
            answers = self.add([answer_id for _, answer_id in selection.answers])
            self.require(f"(f.scan_id, f.answer_id) IN (SELECT * FROM unnest({scans}::uuid[], {answers}::uuid[]))")

    def _add_labels(self, selection: Selection) -> None:
        labels, is_narrow = list(selection.labels), selection.is_latest or selection.scan_ids is not None
        if (labels or selection.any_labels or selection.words) and not is_narrow:
            labels.append(f"domain:{selection.domain_id}")  # the index of labels and words spans all domains
        if labels:
            self.require(f"f.labels @> {self.add(labels)}::text[]")
        for group in selection.any_labels:
            self.require(f"f.labels && {self.add(list(group))}::text[]")
        if selection.without:
            self.require(f"NOT f.labels && {self.add(list(selection.without))}::text[]")
        if selection.any_pairs is not None:
            pairs = [
                f"(f.labels @> {self.add([label])}::text[] AND f.labels && {self.add(list(others))}::text[])"
                for label, others in selection.any_pairs
            ]
            self.require(f"({' OR '.join(pairs) or 'false'})")
        if selection.words:
            words = rf"regexp_replace({self.add(selection.words)}::text, '{SPACELESS}', ' \1 ', 'g')"
            queries = [
                f"plainto_tsquery({self.add(name)}::text::regconfig, {words})" for name in selection.configurations
            ]
            self.require(f"f.words @@ ({' || '.join(queries)})")

    def _add_against(self, scan_id: uuid.UUID, selection: Selection) -> None:
        self.require(
            f"""EXISTS (SELECT FROM answer_facts o WHERE o.workspace_id = $1 AND o.domain_id = $2
                        AND o.scan_id = {self.add(scan_id)} AND o.prompt_id = f.prompt_id AND o.platform = f.platform
                        AND o.labels @> {self.add(list(selection.against_labels))}::text[]
                        AND NOT o.labels && {self.add(list(selection.against_without))}::text[])"""
        )


async def list_selected(
    db: Reader, selection: Selection, *, since: uuid.UUID | None, after: tuple[uuid.UUID, uuid.UUID] | None, limit: int
) -> list[ListedRow]:
    """Return the answers of the check `since` and of later ones, those of the newest check first.

    All of them are looked up before the first few are taken: given the choice, PostgreSQL walks through every answer
    if it misjudges how many match.
    """
    conditions = Conditions(selection)
    if since is not None:
        conditions.require(f"f.scan_id >= {conditions.add(since)}")
    if after is not None:
        conditions.require(f"(f.scan_id, f.answer_id) < ({conditions.add(after[0])}, {conditions.add(after[1])})")
    order = "ORDER BY scan_id DESC, answer_id DESC"
    rows = await db.fetch(
        f"""WITH found AS MATERIALIZED (
                SELECT f.scan_id, f.answer_id, f.prompt_id, f.platform, f.labels FROM {conditions.table}
                WHERE {conditions.sql}),
            page AS MATERIALIZED (SELECT * FROM found {order} LIMIT {conditions.add(limit)})
            SELECT page.scan_id, page.answer_id, page.prompt_id, page.platform, page.labels, p.prompt, p.country_iso_2,
                   p.language_code, s.measurement_scope, a.status, a.text, a.record, a.answered_at
            FROM page
            JOIN answers a ON a.workspace_id = $1 AND a.scan_id = page.scan_id AND a.id = page.answer_id
            JOIN scans s ON s.workspace_id = $1 AND s.id = page.scan_id
            JOIN prompts p ON p.workspace_id = $1 AND p.id = page.prompt_id
            {order}""",
        *conditions.parameters,
    )
    return to_rows(ListedRow, rows)


async def count_selected(db: Reader, selection: Selection, *, limit: int | None) -> int:
    """Count the answers, up to a limit."""
    conditions = Conditions(selection)
    counted: int = await db.fetchval(
        f"""SELECT count(*) FROM (SELECT FROM {conditions.table} WHERE {conditions.sql}
                                  LIMIT {conditions.add(limit)}) found""",
        *conditions.parameters,
    )
    return counted


async def count_labels(db: Reader, selection: Selection) -> Mapping[str, int]:
    """Return how many of the answers have each label, without searches, which differ for almost every answer.

    The cost grows with the number of answers.
    """
    conditions = Conditions(selection)
    rows = await db.fetch(
        f"""SELECT label, count(*) FROM {conditions.table}, unnest(f.labels) AS label
            WHERE {conditions.sql} AND NOT starts_with(label, 'search:') GROUP BY label""",
        *conditions.parameters,
    )
    return dict(rows)


async def has_unbranded(db: Reader, selection: Selection) -> bool:
    """Return whether an answer of the selection is to a prompt that does not name the brand.

    Of sealed checks, all prompts count.
    """
    conditions = Conditions(msgspec.structs.replace(selection, without=["branded"]))
    found = await db.fetchval(
        f"SELECT true FROM {conditions.table} WHERE {conditions.sql} LIMIT 1", *conditions.parameters
    )
    found = found or await db.fetchval(
        """SELECT true FROM scans s
           JOIN scan_rows d ON d.workspace_id = s.workspace_id AND d.scan_id = s.id AND d.name = 'prompts'
           WHERE s.workspace_id = $1 AND s.domain_id = $2 AND s.answers_sealed_at IS NOT NULL
             AND ($3::uuid[] IS NULL OR s.id = ANY($3)) AND d.rows @> '[{"branded": false}]' LIMIT 1""",
        selection.workspace_id,
        selection.domain_id,
        None if selection.scan_ids is None else list(selection.scan_ids),
    )
    return bool(found)


async def list_cell_scans(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[uuid.UUID]:
    """Return the scans whose answers the cells show. They select the partitions, which a join would not."""
    rows = await db.fetch(
        "SELECT DISTINCT scan_id FROM cells WHERE workspace_id = $1 AND domain_id = $2", workspace_id, domain_id
    )
    return [row[0] for row in rows]


async def list_scans(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[uuid.UUID]:
    """Return all scans of the domain."""
    rows = await db.fetch("SELECT id FROM scans WHERE workspace_id = $1 AND domain_id = $2", workspace_id, domain_id)
    return [row[0] for row in rows]


async def list_tagged_prompts(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, tag: str) -> list[uuid.UUID]:
    """Return the prompts that have a tag, also those that are no longer tracked."""
    rows = await db.fetch(
        "SELECT id FROM prompts WHERE workspace_id = $1 AND domain_id = $2 AND tags @> ARRAY[$3]",
        workspace_id,
        domain_id,
        tag,
    )
    return [row[0] for row in rows]


async def list_languages(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[str | None]:
    """Return the languages of all prompts of the domain, also of those that are no longer tracked."""
    rows = await db.fetch(
        "SELECT DISTINCT language_code FROM prompts WHERE workspace_id = $1 AND domain_id = $2 ORDER BY 1",
        workspace_id,
        domain_id,
    )
    return [row[0] for row in rows]


async def list_scans_between(
    db: Reader,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    source: AnswersSource,
    *,
    since: datetime | None,
    until: datetime | None,
) -> list[uuid.UUID]:
    """Return the scans completed from one moment until just before another."""
    rows = await db.fetch(
        """SELECT id FROM scans
           WHERE workspace_id = $1 AND domain_id = $2 AND status = 'completed' AND answers_source = $3
             AND ($4::timestamptz IS NULL OR completed_at >= $4) AND ($5::timestamptz IS NULL OR completed_at < $5)""",
        workspace_id,
        domain_id,
        source,
        since,
        until,
    )
    return [row[0] for row in rows]


async def list_measured_brands(
    db: Reader, workspace_id: uuid.UUID, scan_ids: Sequence[uuid.UUID]
) -> dict[uuid.UUID, str]:
    """Return the measured brands of the scans whose answers have stored facts, as JSON."""
    rows = await db.fetch(
        """SELECT s.id, s.brand FROM scans s
           WHERE s.workspace_id = $1 AND s.id = ANY($2::uuid[])
             AND EXISTS (SELECT FROM answer_facts f WHERE f.workspace_id = $1 AND f.domain_id = s.domain_id
                           AND f.scan_id = s.id)""",
        workspace_id,
        list(scan_ids),
    )
    return {row[0]: row[1] for row in rows}


async def list_competitor_mentions(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, scan_ids: Sequence[uuid.UUID]
) -> list[tuple[uuid.UUID, uuid.UUID, str, str]]:
    """Return (scan, prompt, platform, competitor) of each answer that names a competitor."""
    rows = await db.fetch(
        """SELECT f.scan_id, f.prompt_id, f.platform, substr(label, length('competitor:') + 1)
           FROM answer_facts f, unnest(f.labels) AS label
           WHERE f.workspace_id = $1 AND f.domain_id = $2 AND f.scan_id = ANY($3::uuid[])
             AND label LIKE 'competitor:%'""",
        workspace_id,
        domain_id,
        list(scan_ids),
    )
    return [(row[0], row[1], row[2], row[3]) for row in rows]


class PlatformCounts(msgspec.Struct, frozen=True, kw_only=True):
    """How many answers there are of each kind, and how long those that can be read took."""

    counted: int
    """Answers that can be read to prompts that do not name the brand."""
    named: int
    """Of those, answers that name the brand."""
    answered: int
    failed: int
    not_shown: int
    median_ms: float | None
    p95_ms: float | None


class CheckCounts(msgspec.Struct, frozen=True, kw_only=True):
    """The counts of one check, or of all checks together, without a scan."""

    scan_id: uuid.UUID | None
    scope: Scope | None
    completed_at: datetime | None
    counts: PlatformCounts


async def count_by_check(db: Reader, selection: Selection) -> list[CheckCounts]:
    """Return the counts of each check, newest first, and those of all checks together."""
    conditions = Conditions(selection)
    rows = await db.fetch(
        f"""SELECT f.scan_id, s.measurement_scope, s.completed_at,
                   count(*) FILTER (WHERE f.labels @> '{{status:ok}}' AND NOT f.labels @> '{{branded}}'),
                   count(*) FILTER (WHERE f.labels @> '{{named}}' AND NOT f.labels @> '{{branded}}'),
                   count(*) FILTER (WHERE f.labels @> '{{status:ok}}'),
                   count(*) FILTER (WHERE f.labels @> '{{status:failed}}'),
                   count(*) FILTER (WHERE f.labels @> '{{status:no_surface}}'),
                   percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY f.latency_ms)
                       FILTER (WHERE f.labels @> '{{status:ok}}')
            FROM {conditions.table} JOIN scans s ON s.workspace_id = $1 AND s.id = f.scan_id
            WHERE {conditions.sql}
            GROUP BY GROUPING SETS ((f.scan_id, s.measurement_scope, s.completed_at), ())
            ORDER BY s.completed_at DESC NULLS FIRST, f.scan_id DESC""",
        *conditions.parameters,
    )
    return [
        CheckCounts(
            scan_id=row[0],
            scope=row[1],
            completed_at=row[2],
            counts=PlatformCounts(
                counted=row[3],
                named=row[4],
                answered=row[5],
                failed=row[6],
                not_shown=row[7],
                median_ms=row[8][0] if row[8] else None,
                p95_ms=row[8][1] if row[8] else None,
            ),
        )
        for row in rows
    ]

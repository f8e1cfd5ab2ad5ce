"""SQL of filtered pages: what a filter can be set to, and the checks of a period."""

import uuid
from datetime import datetime

import msgspec

from sightline.db.engine import Reader, columns, to_row_or_none, to_rows
from sightline.scans.models import AnswersSource
from sightline.scans.stored import ScanRow
from sightline.scoreboard.models import CheckRow
from sightline.scoreboard.subsets.filter import MeasurementFilter, Period


class ValuesRow(msgspec.Struct, frozen=True):
    """The values that the cells and active prompts of a domain have."""

    platforms: list[str]
    countries: list[str]
    languages: list[str]
    tags: list[str]


class PromptFactsRow(msgspec.Struct, frozen=True):
    """What one check found for one prompt, with the words of the prompt. `cells` holds `CellFacts` as JSON."""

    scan_id: uuid.UUID
    completed_at: datetime
    prompt_id: uuid.UUID
    prompt: str
    country_iso_2: str | None
    cells: bytes


async def read_values(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> ValuesRow:
    row = await db.fetchrow(
        """WITH active AS MATERIALIZED (
               SELECT country_iso_2, language_code, tags FROM prompts
               WHERE workspace_id = $1 AND domain_id = $2 AND status = 'active')
           SELECT ARRAY(SELECT DISTINCT platform FROM cells WHERE workspace_id = $1 AND domain_id = $2) AS platforms,
                  ARRAY(SELECT DISTINCT coalesce(country_iso_2, 'global') FROM active ORDER BY 1) AS countries,
                  ARRAY(SELECT DISTINCT language_code FROM active WHERE language_code IS NOT NULL
                        ORDER BY 1) AS languages,
                  ARRAY(SELECT DISTINCT unnest(tags) FROM active ORDER BY 1) AS tags""",
        workspace_id,
        domain_id,
    )
    found = to_row_or_none(ValuesRow, row)
    assert found is not None
    return found


async def list_checks(
    db: Reader,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    source: AnswersSource,
    *,
    limit: int,
    chosen: uuid.UUID | None,
) -> list[CheckRow]:
    """Return the latest checks, newest first, and the chosen one if the domain has it."""
    rows = await db.fetch(
        """WITH known AS (
               SELECT id, measurement_scope AS scope, completed_at FROM scans
               WHERE workspace_id = $1 AND domain_id = $2 AND status = 'completed' AND answers_source = $3
                 AND measurement_scope IN ('full_check', 'daily_check', 'free_audit'))
           SELECT id, completed_at, scope FROM known
           WHERE id = $5 OR id IN (SELECT id FROM known ORDER BY completed_at DESC, id DESC LIMIT $4)
           ORDER BY completed_at DESC, id DESC""",
        workspace_id,
        domain_id,
        source,
        limit,
        chosen,
    )
    return to_rows(CheckRow, rows)


async def find_last_full_check(
    db: Reader,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    source: AnswersSource,
    *,
    since: datetime,
    until: datetime,
) -> ScanRow | None:
    """Return the last Full Check completed from one moment to another."""
    row = await db.fetchrow(
        f"""SELECT {columns(ScanRow)} FROM scans
            WHERE workspace_id = $1 AND domain_id = $2 AND answers_source = $3 AND status = 'completed'
              AND measurement_scope = 'full_check' AND completed_at >= $4 AND completed_at <= $5
            ORDER BY completed_at DESC, id DESC LIMIT 1""",
        workspace_id,
        domain_id,
        source,
        since,
        until,
    )
    return to_row_or_none(ScanRow, row)


async def list_prompt_facts(
    db: Reader, scan: ScanRow, wanted: MeasurementFilter, period: Period
) -> list[PromptFactsRow]:
    """Return what the Full Checks of a period found for the prompts of a part, check by check, oldest first.

    They are checks of the domain and the source of this scan.
    """
    rows = await db.fetch(
        """SELECT c.scan_id, c.completed_at, c.prompt_id, p.prompt, p.country_iso_2, c.cells FROM prompt_checks c
           JOIN prompts p ON p.workspace_id = c.workspace_id AND p.id = c.prompt_id
           WHERE c.workspace_id = $1 AND c.domain_id = $2 AND c.answers_source = $3 AND c.scope = 'full_check'
             AND c.completed_at >= $4 AND c.completed_at < $5
             AND ($6 = '' OR coalesce(p.country_iso_2, 'global') = $6) AND ($7 = '' OR p.language_code = $7)
             AND ($8 = '' OR p.tags @> ARRAY[$8])
           ORDER BY c.completed_at, c.scan_id, c.prompt_id""",
        scan.workspace_id,
        scan.domain_id,
        scan.answers_source,
        period.start,
        period.end,
        wanted.country,
        wanted.language,
        wanted.tag,
    )
    return to_rows(PromptFactsRow, rows)

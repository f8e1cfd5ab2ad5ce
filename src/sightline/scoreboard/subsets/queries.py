"""SQL of filtered pages: what a filter can be set to, and the checks of a period."""

import uuid
from datetime import datetime

import msgspec

from sightline.db.engine import Reader, columns, to_row_or_none, to_rows
from sightline.scans.models import AnswersSource
from sightline.scans.stored import ScanRow, Scope


class ValuesRow(msgspec.Struct, frozen=True):
    """The values that the cells and active prompts of a domain have."""

    platforms: list[str]
    countries: list[str]
    languages: list[str]
    tags: list[str]


class CheckRow(msgspec.Struct, frozen=True):
    """A completed check."""

    id: uuid.UUID
    scope: Scope
    completed_at: datetime


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
           SELECT id, scope, completed_at FROM known
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
    """Return the last Full Check that was completed from one moment to another, without the second."""
    row = await db.fetchrow(
        f"""SELECT {columns(ScanRow)} FROM scans
            WHERE workspace_id = $1 AND domain_id = $2 AND answers_source = $3 AND status = 'completed'
              AND measurement_scope = 'full_check' AND completed_at >= $4 AND completed_at < $5
            ORDER BY completed_at DESC, id DESC LIMIT 1""",
        workspace_id,
        domain_id,
        source,
        since,
        until,
    )
    return to_row_or_none(ScanRow, row)

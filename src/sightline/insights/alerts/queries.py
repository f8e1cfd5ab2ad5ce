"""SQL of alerts and mutes."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

import msgspec

from sightline.db.engine import Reader, Transaction, columns, to_row_or_none, to_rows
from sightline.db.jsonb import to_jsonb
from sightline.insights.alerts.models import AlertRow, AlertType, Evidence, MuteRow
from sightline.insights.alerts.states import TRANSITIONS, AlertState
from sightline.insights.queries import store_table_row
from sightline.insights.table_rows import build_alert_row
from sightline.kit.ids import new_id
from sightline.metrics.alert_lifecycle import SuppressionReason
from sightline.scans.models import AnswersSource
from sightline.scans.stored import ScanRow
from sightline.scoreboard.models import PromptScanRow

_ALERT = columns(AlertRow)

SortKey = tuple[datetime, uuid.UUID]


async def list_open_alerts(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[AlertRow]:
    rows = await db.fetch(
        f"""SELECT {_ALERT} FROM alerts WHERE workspace_id = $1 AND domain_id = $2 AND state IN ('watch', 'confirmed')
            ORDER BY id""",
        workspace_id,
        domain_id,
    )
    return to_rows(AlertRow, rows)


async def list_resolved_alerts(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, since: datetime
) -> list[AlertRow]:
    """Return the alerts that were resolved since then."""
    rows = await db.fetch(
        f"""SELECT {_ALERT} FROM alerts
            WHERE workspace_id = $1 AND domain_id = $2 AND state = 'resolved' AND resolved_at >= $3 ORDER BY id""",
        workspace_id,
        domain_id,
        since,
    )
    return to_rows(AlertRow, rows)


async def list_alerts_since(
    db: Reader, workspace_id: uuid.UUID, since: Mapping[uuid.UUID, datetime | None]
) -> list[AlertRow]:
    """Return the open alerts of these domains, and those resolved since the time that goes with the domain."""
    rows = await db.fetch(
        f"""SELECT {columns(AlertRow, "a")} FROM unnest($2::uuid[], $3::timestamptz[]) AS d (domain_id, since)
            JOIN alerts a ON a.workspace_id = $1 AND a.domain_id = d.domain_id
              AND (a.state IN ('watch', 'confirmed') OR (a.state = 'resolved' AND a.resolved_at >= d.since))
            ORDER BY a.state = 'resolved', a.id""",
        workspace_id,
        list(since),
        list(since.values()),
    )
    return to_rows(AlertRow, rows)


async def list_alerts(
    db: Reader,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    *,
    after: SortKey | None,
    limit: int,
    states: Collection[AlertState] = tuple(AlertState),
) -> list[AlertRow]:
    """Return alerts, newest first by the time when the watch began."""
    rows = await db.fetch(
        f"""SELECT {_ALERT} FROM alerts
            WHERE workspace_id = $1 AND domain_id = $2
              AND ($3::timestamptz IS NULL OR (watched_at, id) < ($3, $4::uuid))
              AND state = ANY($6)
            ORDER BY watched_at DESC, id DESC LIMIT $5""",
        workspace_id,
        domain_id,
        *(after or (None, None)),
        limit,
        [state.value for state in states],
    )
    return to_rows(AlertRow, rows)


async def count_alerts(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> dict[AlertState, int]:
    """Return how many alerts are in each state; a state without alerts is missing."""
    rows = await db.fetch(
        "SELECT state, count(*) FROM alerts WHERE workspace_id = $1 AND domain_id = $2 GROUP BY state",
        workspace_id,
        domain_id,
    )
    return {AlertState(row[0]): row[1] for row in rows}


async def count_confirmed_alerts(db: Reader, workspace_id: uuid.UUID) -> dict[uuid.UUID, int]:
    """Return the number of confirmed alerts of each domain that has some."""
    rows = await db.fetch(
        "SELECT domain_id, count(*) FROM alerts WHERE workspace_id = $1 AND state = 'confirmed' GROUP BY domain_id",
        workspace_id,
    )
    return {row[0]: row[1] for row in rows}


async def find_alert(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, alert_id: uuid.UUID) -> AlertRow | None:
    row = await db.fetchrow(
        f"SELECT {_ALERT} FROM alerts WHERE workspace_id = $1 AND domain_id = $2 AND id = $3",
        workspace_id,
        domain_id,
        alert_id,
    )
    return to_row_or_none(AlertRow, row)


async def list_evidence(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, alert_ids: Sequence[uuid.UUID]
) -> dict[uuid.UUID, bytes]:
    """Return the evidence of these alerts, as JSON."""
    rows = await db.fetch(
        "SELECT id, evidence FROM alerts WHERE workspace_id = $1 AND domain_id = $2 AND id = ANY($3::uuid[])",
        workspace_id,
        domain_id,
        list(alert_ids),
    )
    return {row[0]: row[1] for row in rows}


async def insert_watch(
    tx: Transaction, scan: ScanRow, kind: AlertType, scope: str, evidence: Evidence, *, now: datetime
) -> None:
    """Insert a watch that this scan found, unless the type and scope has an open alert."""
    assert scan.completed_at is not None
    watch = AlertRow(
        id=new_id(),
        domain_id=scan.domain_id,
        type=kind,
        scope=scope,
        state=AlertState.WATCH,
        hushed=None,
        evidence=msgspec.json.encode(evidence),
        scan_id=scan.id,
        watched_at=scan.completed_at,
        confirmed_at=None,
        resolved_at=None,
        notified_at=None,
        updated_at=now,
    )
    await tx.execute(
        f"""INSERT INTO alerts (workspace_id, {_ALERT}, table_row)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
            ON CONFLICT (workspace_id, domain_id, type, scope) WHERE state IN ('watch', 'confirmed') DO NOTHING""",
        scan.workspace_id,
        *msgspec.structs.astuple(watch),
        to_jsonb(build_alert_row(watch)),
    )


async def change_state(
    tx: Transaction,
    workspace_id: uuid.UUID,
    alert_id: uuid.UUID,
    *,
    from_: AlertState,
    to: AlertState,
    scan_id: uuid.UUID,
    at: datetime,
    now: datetime,
    evidence: Evidence | None = None,
    hushed: SuppressionReason | None = None,
    notified: bool = False,
) -> AlertRow | None:
    """Change the state of an alert; return None if it was not in the state `from_`.

    `at` is when the scan that changes it was completed. Without new evidence, the old evidence stays.
    With new evidence, a trigger drops the row in the flat table, and a new one is stored.
    """
    if to not in TRANSITIONS[from_]:
        raise ValueError(f"an alert cannot change from {from_} to {to}")
    row = await tx.fetchrow(
        f"""UPDATE alerts SET
                state = $4, scan_id = $5, updated_at = $7,
                confirmed_at = CASE WHEN $4 = 'confirmed' THEN $6 ELSE confirmed_at END,
                resolved_at = CASE WHEN $4 = 'resolved' THEN $6 ELSE resolved_at END,
                evidence = coalesce($8, evidence),
                hushed = coalesce($9, hushed),
                notified_at = CASE WHEN $10 THEN $7 ELSE notified_at END
            WHERE workspace_id = $1 AND id = $2 AND state = $3
            RETURNING {_ALERT}""",
        workspace_id,
        alert_id,
        from_.value,
        to.value,
        scan_id,
        at,
        now,
        None if evidence is None else msgspec.json.encode(evidence),
        hushed,
        notified,
    )
    changed = to_row_or_none(AlertRow, row)
    if changed is not None and evidence is not None:
        await store_table_row(tx, workspace_id, "alert", changed.id, build_alert_row(changed))
    return changed


async def find_last_notified(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, since: datetime
) -> Mapping[tuple[str, str], datetime]:
    """Return when people were last notified of each type and scope, if that was after `since`."""
    rows = await db.fetch(
        """SELECT type, scope, max(notified_at) FROM alerts
           WHERE workspace_id = $1 AND domain_id = $2 AND notified_at > $3 GROUP BY type, scope""",
        workspace_id,
        domain_id,
        since,
    )
    return {(row[0], row[1]): row[2] for row in rows}


async def list_daily_prompt_scans(
    db: Reader, workspace_id: uuid.UUID, source: AnswersSource, scan_ids: Sequence[uuid.UUID]
) -> list[PromptScanRow]:
    """Return the prompt scans of these Daily Checks that have this source."""
    rows = await db.fetch(
        f"""SELECT {columns(PromptScanRow)} FROM prompt_checks
            WHERE workspace_id = $1 AND scan_id = ANY($2::uuid[]) AND answers_source = $3
              AND scope = 'daily_check'""",
        workspace_id,
        list(scan_ids),
        source,
    )
    return to_rows(PromptScanRow, rows)


# Mutes


async def mute_alert(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    alert_id: uuid.UUID,
    user_id: uuid.UUID,
    *,
    now: datetime,
) -> bool:
    """Mute the type and scope of an alert, unless they are muted; return False without such an alert."""
    found = await tx.fetchval(
        """WITH wanted AS (
               SELECT type, scope FROM alerts WHERE workspace_id = $1 AND domain_id = $2 AND id = $3),
           muted AS (
               INSERT INTO alert_mutes (workspace_id, domain_id, type, scope, muted_by, muted_at)
               SELECT $1, $2, type, scope, $4, $5 FROM wanted
               ON CONFLICT (workspace_id, domain_id, type, scope) DO NOTHING)
           SELECT true FROM wanted""",
        workspace_id,
        domain_id,
        alert_id,
        user_id,
        now,
    )
    return found is not None


async def unmute_alert(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, alert_id: uuid.UUID) -> bool:
    """Unmute the type and scope of an alert; return False without such an alert."""
    found = await tx.fetchval(
        """WITH wanted AS (
               SELECT type, scope FROM alerts WHERE workspace_id = $1 AND domain_id = $2 AND id = $3),
           unmuted AS (
               DELETE FROM alert_mutes m USING wanted w
               WHERE m.workspace_id = $1 AND m.domain_id = $2 AND m.type = w.type AND m.scope = w.scope)
           SELECT true FROM wanted""",
        workspace_id,
        domain_id,
        alert_id,
    )
    return found is not None


async def list_muted_scopes(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> set[tuple[str, str]]:
    rows = await db.fetch(
        "SELECT type, scope FROM alert_mutes WHERE workspace_id = $1 AND domain_id = $2", workspace_id, domain_id
    )
    return {(row[0], row[1]) for row in rows}


async def list_mutes(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[MuteRow]:
    """Return the mutes, latest first, each with the newest alert of its type and scope."""
    rows = await db.fetch(
        """SELECT m.type, m.scope, m.muted_at, u.name, a.id, p.prompt FROM alert_mutes m
           JOIN users u ON u.id = m.muted_by
           LEFT JOIN prompts p ON p.workspace_id = $1 AND p.domain_id = $2 AND m.scope LIKE 'cell:%'
               AND p.id::text = split_part(m.scope, ':', 2)
           CROSS JOIN LATERAL (
               SELECT id FROM alerts
               WHERE workspace_id = $1 AND domain_id = $2 AND type = m.type AND scope = m.scope
               ORDER BY watched_at DESC, id DESC LIMIT 1) a
           WHERE m.workspace_id = $1 AND m.domain_id = $2 ORDER BY m.muted_at DESC, m.type, m.scope""",
        workspace_id,
        domain_id,
    )
    return to_rows(MuteRow, rows)


async def delete_alerts(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    await tx.execute("DELETE FROM alerts WHERE workspace_id = $1 AND domain_id = $2", workspace_id, domain_id)

"""Answers that are no longer stored: figures stay, and a request for them says why they are gone."""

import asyncio
import json
import uuid
from contextlib import contextmanager
from datetime import timedelta

import pytest

import sightline.scans.retention.remove
from sightline.scans.payloads.object_store import PayloadStores, StoreUnavailable, open_payload_stores
from sightline.scoreboard.recompute.run import request_outdated_any_workspace
from sightline.settings import Settings
from sightline.worker.retention import run_retention
from tests.running_worker import until
from tests.scans.dated_history import add_alias, answer_later, open_history
from tests.web.page_browser import open_browser

_FIGURES = """SELECT s.id, s.visibility_score, s.brand_coverage_pct, s.ai_mentions, s.citation_count, r.results,
                     r.point, r.board, r.changes, p.cells
              FROM scans s JOIN scan_results r ON r.workspace_id = s.workspace_id AND r.scan_id = s.id
              JOIN prompt_checks p ON p.workspace_id = s.workspace_id AND p.scan_id = s.id
              WHERE s.id = ANY($1) ORDER BY s.id, p.prompt_id"""
_COUNTS = """SELECT (SELECT count(*) FROM answers), (SELECT count(*) FROM answer_facts),
                    (SELECT count(*) FROM answer_payloads)"""
_INDEXED = "SELECT scan_id FROM scan_results WHERE name_index IS NOT NULL"


async def insert_report(installation, dashboard, scan_id, *, days):
    """Insert a report that is so many days old, with a link."""
    await installation.db.execute(
        """WITH report AS (INSERT INTO reports (workspace_id, id, domain_id, scan_id, title, summary, period_start,
                                                period_end, document, html, pdf, created_at)
                           VALUES ($1, $3, $2, $3, '', '', $4, $4, '', '', '', $4) RETURNING id)
           INSERT INTO report_shares SELECT $1, id, id, uuid_send(id), $5, $4, $4 FROM report""",
        dashboard.history.workspace_id,
        dashboard.history.domain_id,
        scan_id,
        installation.clock() - timedelta(days=days),
        dashboard.tenant.owner.id,
    )


async def run(installation, payloads=None, **days):
    settings = installation.app_context.settings.model_copy(update=days)
    await run_retention(installation.db, settings, payloads or PayloadStores(), now=installation.clock())


@contextmanager
def dying_at(monkeypatch, wanted):
    """Let retention die at a crash point."""

    def die(place):
        if place == wanted:
            raise RuntimeError(place)

    with monkeypatch.context() as patch:
        # The process ends at this point.
        patch.setattr(sightline.scans.retention.remove, "crash_point", die)
        with pytest.raises(RuntimeError, match=wanted):
            yield


def _list_comparisons(board):
    return [figure["comparison"] for figure in json.loads(board)["headline"].values()]


async def count_rows(installation):
    return tuple(await installation.db.fetchrow(_COUNTS))


async def test_figures_of_a_month_that_was_dropped_by_hand_outlive_a_new_alias(installation, dated_ids):
    dashboard = await open_history(installation)
    first = dashboard.scans[:1]
    await installation.db.execute("UPDATE scans SET answers_completed = 6")
    await add_alias(installation, dashboard.history, "Initech Works")
    await installation.db.execute("DELETE FROM recomputations")
    before = await installation.db.fetch(_FIGURES, first)
    for table in ("answers", "answer_facts", "answer_payloads"):
        (partition,) = await installation.db.fetchrow(
            f"SELECT tableoid::regclass::text FROM {table} WHERE scan_id = $1", *first
        )
        await installation.db.execute(f"DROP TABLE {partition}")
    done = await add_alias(installation, dashboard.history, "Globex")
    assert tuple(done) == ("done", 3, 3, 1)
    assert await installation.db.fetch(_FIGURES, first) == before and before[0]["board"]
    assert {row[0] for row in await installation.db.fetch(_INDEXED)} == set(dashboard.scans[1:])


async def test_a_single_answer_of_a_month_that_was_dropped_by_hand_is_gone_like_its_list(installation, dated_ids):
    dashboard = await open_history(installation)
    first, second, _ = dashboard.scans
    await installation.db.execute("UPDATE scans SET answers_completed = 6")
    answer_id = await installation.db.fetchval("DELETE FROM answers WHERE scan_id = $1 RETURNING id", first)
    client = installation.client(X_API_Key=dashboard.tenant.data_write)
    for path in (f"{first}/answers", f"{first}/answers/{answer_id}"):
        refused = await client.get(f"/api/v1/ext/scans/{path}")
        assert (refused.status_code, refused.json()["code"]) == (410, "answers_expired")
    assert (await client.get(f"/api/v1/ext/scans/{second}/answers/{answer_id}")).status_code == 404
    await client.aclose()


async def test_a_past_month_is_dropped_and_the_rest_is_deleted_scan_by_scan(installation, dated_ids, monkeypatch):
    dashboard = await open_history(installation)
    first, second, third = dashboard.scans
    answers = {scan_id: (await dashboard.answers(scan_id))["chatgpt"] for scan_id in dashboard.scans}
    before = await installation.db.fetch(_FIGURES, dashboard.scans)
    partition = await installation.db.fetchval("SELECT tableoid::regclass::text FROM answers WHERE scan_id = $1", first)
    await run(installation)
    assert await count_rows(installation) == (18, 18, 18), "without settings everything stays"
    with dying_at(monkeypatch, "after_month_marked"):
        await run(installation, answer_retention_days=35)
    assert await count_rows(installation) == (18, 18, 18), "marked, and not yet dropped"
    await run(installation, answer_retention_days=35)
    assert await count_rows(installation) == (12, 12, 12)
    assert await installation.db.fetchval("SELECT to_regclass($1)", partition) is None

    installation.clock.advance(days=30)
    with dying_at(monkeypatch, "before_answers_expire"):
        await run(installation, answer_retention_days=35)
    assert await count_rows(installation) == (12, 12, 12), "the scan is marked together with the deletion"
    await run(installation, answer_retention_days=35)
    await run(installation, answer_retention_days=35)
    assert await count_rows(installation) == (6, 6, 6)
    assert await installation.db.fetch(_FIGURES, dashboard.scans) == before

    client = installation.client(X_API_Key=dashboard.tenant.data_write)
    for path in (f"scans/{first}/answers", f"scans/{second}/answers/{uuid.uuid4()}"):
        refused = await client.get(f"/api/v1/ext/{path}")
        assert (refused.status_code, refused.json()["code"]) == (410, "answers_expired")
    listed = f"/api/v1/ext/domains/{dashboard.history.domain_id}/answers"
    assert (await client.get(listed, params={"check": str(first)})).status_code == 410
    assert len((await client.get(listed, params={"checks": "all"})).json()["data"]) == 6
    shown = (await client.get(f"/api/v1/ext/scans/{first}")).json()["data"]
    assert shown["answers_expired_at"] and shown["answers_total"] == 6
    await client.aclose()
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        gone = await browser.get(answers[first])
        assert gone.status_code == 410 and "These answers are no longer stored" in gone.text
        assert (await browser.get(answers[third])).status_code == 200
        assert "are no longer stored" in (await browser.get(f"{dashboard.path}/checks/{first}")).text
        assert "are no longer stored" not in (await browser.get(f"{dashboard.path}/checks/{third}")).text
        for query, words in (
            ("check=" + str(second), "of this check are"),
            ("checks=all", "answers of 2 checks until"),
        ):
            assert words in (await browser.get(f"{dashboard.path}/answers?{query}")).text
        assert "are no longer stored" not in (await browser.get(f"{dashboard.path}/answers")).text


async def test_a_recompute_covers_what_is_there_and_keeps_the_comparison_with_what_is_gone(installation, dated_ids):
    dashboard = await open_history(installation)
    installation.clock.advance(days=30)
    await run(installation, answer_retention_days=35)
    third = dashboard.scans[2:]
    gone = await installation.db.fetch(_FIGURES, dashboard.scans[:2])
    before = await installation.db.fetch(_FIGURES, third)
    labels = """SELECT answer_id, label FROM answer_facts, unnest(labels) AS label
                WHERE label IN ('lost', 'gained') ORDER BY 1"""
    changed = await installation.db.fetch(labels)
    assert len(changed) == 2
    done = await add_alias(installation, dashboard.history, "Initech Works")
    assert tuple(done) == ("done", 3, 3, 2)
    assert await installation.db.fetch(_FIGURES, dashboard.scans[:2]) == gone
    after = await installation.db.fetch(_FIGURES, third)
    assert [row["changes"] for row in after] == [row["changes"] for row in before] and before[0]["changes"]
    compared, kept = (_list_comparisons(rows[0]["board"]) for rows in (before, after))
    assert kept == compared and any(compared)
    assert await installation.db.fetch(labels) == changed
    assert await request_outdated_any_workspace(installation.db, now=installation.clock()) == 0
    await run(installation, answer_retention_days=35)
    installation.clock.advance(days=60)
    await run(installation, answer_retention_days=35)
    assert await count_rows(installation) == (0, 0, 0)
    board = "SELECT board, shown FROM scoreboards"
    stored = await installation.db.fetchrow(board)
    await installation.db.execute("DELETE FROM recomputations")
    assert tuple(await add_alias(installation, dashboard.history, "Acme Forge")) == ("done", 3, 3, 3)
    kept = await installation.db.fetchrow(board)
    assert kept["board"] == stored["board"] and kept["shown"] > stored["shown"], "the board stays, and is not outdated"


async def test_a_recompute_that_begins_during_retention_keeps_its_answers(installation, dated_ids):
    db = installation.db
    dashboard = await open_history(installation)
    installation.clock.advance(days=12)
    dashboard.scans.append(await dashboard.history.run_full_check(answer_later))
    installation.clock.advance(days=36)
    *gone, kept = dashboard.scans
    stored = "SELECT brand FROM scans WHERE id = ANY($1) ORDER BY id"
    before = await db.fetch(stored, gone)
    waiting = """SELECT count(*) >= $1 FROM pg_stat_activity
                 WHERE datname = current_database() AND wait_event_type = 'Lock'"""
    async with db.transaction() as tx:
        await tx.execute("SELECT FROM scans WHERE id = $1 FOR UPDATE", gone[-1])
        retention = asyncio.create_task(run(installation, answer_retention_days=35))
        await until(lambda: db.fetchval(waiting, 1))
        recompute = asyncio.create_task(add_alias(installation, dashboard.history, "Initech Works"))
        await until(lambda: db.fetchval(waiting, 2))
    await retention
    assert tuple(await recompute) == ("done", 4, 4, 3)
    assert await db.fetch(stored, gone) == before, "expired scans keep their names"
    assert [tuple(row) for row in await db.fetch("SELECT DISTINCT scan_id FROM answers")] == [(kept,)]
    assert [row[0] for row in await db.fetch(_INDEXED)] == [kept]
    await run(installation, answer_retention_days=35)
    assert await count_rows(installation) == (0, 0, 0), "they are removed when it is done"


async def test_reports_are_deleted_while_the_store_of_payloads_is_away(installation, dated_ids, monkeypatch):
    dashboard = await open_history(installation)
    await insert_report(installation, dashboard, dashboard.scans[0], days=20)
    monkeypatch.setenv("AWS_ENDPOINT", "http://127.0.0.1:9")
    for name in ("REGION", "ACCESS_KEY_ID", "SECRET_ACCESS_KEY"):
        monkeypatch.setenv(f"AWS_{name}", "x")
    away = open_payload_stores(Settings(payload_store="s3://payloads"))
    with pytest.raises(StoreUnavailable):
        await run(installation, away, payload_retention_days=3, report_retention_days=14)
    assert await installation.db.fetchval("SELECT count(*) FROM reports") == 0


async def test_payloads_go_before_their_answers_and_reports_with_their_links(installation, dated_ids):
    dashboard = await open_history(installation)
    for scan_id, days in ((dashboard.scans[0], 20), (dashboard.scans[2], 2)):
        await insert_report(installation, dashboard, scan_id, days=days)
    await run(installation, payload_retention_days=3, report_retention_days=14)
    left = await installation.db.fetch("SELECT r.scan_id FROM reports r JOIN report_shares s ON s.report_id = r.id")
    assert [row[0] for row in left] == [dashboard.scans[2]]
    assert await count_rows(installation) == (18, 18, 6)
    await run(installation, payload_retention_days=3)
    assert await count_rows(installation) == (18, 18, 6)
    installation.clock.advance(days=4)
    await run(installation, payload_retention_days=3)
    assert await count_rows(installation) == (18, 18, 0)

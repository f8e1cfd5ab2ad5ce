"""Rows written by an older commit are read by today's code, and written the same way (see `data/README.md`)."""

import asyncio
import hashlib
import json
import lzma
import re
import uuid
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sightline.accounts.invitations.accept import read_invitation
from sightline.accounts.models import build_operator_actor
from sightline.answers.analyze import EXTRACTOR_VERSION
from sightline.competitors.site_job import SiteJob
from sightline.credits.verify import verify_ledgers_any_workspace
from sightline.db.migrate import migrate
from sightline.domains.models import Competitor
from sightline.domains.recomputations.request import RecomputeJob
from sightline.domains.scoreboard_refresh import RefreshJob
from sightline.events import EventJob
from sightline.insights.alerts.models import Evidence
from sightline.insights.models import StoredOpportunity, StoredRecommendation, StoredTheme
from sightline.insights.opportunities import gather_named_brands
from sightline.insights.recommendations.done_actions import list_done_actions
from sightline.insights.recommendations.tasks import read_tasks
from sightline.mail.emails import OutgoingEmail
from sightline.metrics.registry import METRICS_VERSION
from sightline.onboarding.demo.build import DemoIds
from sightline.onboarding.demo.load import DemoJob
from sightline.prompts.models import StoredSentiment
from sightline.prompts.suggestions.review import list_suggestions
from sightline.prompts.suggestions.schemas import to_suggestion
from sightline.prompts.volumes.lookup import VolumesJob
from sightline.reports.sharing.share_links import open_share_link
from sightline.reports.weekly.models import ReportDocument
from sightline.scans.brands import MeasuredBrands
from sightline.scans.corrections.record import correct_answer, undo_correction
from sightline.scans.corrections.schemas import CorrectionInput
from sightline.scans.jobs import ScanJob
from sightline.scans.models import ScanPrompt
from sightline.scans.name_mentions import find_name_mentions
from sightline.scans.queries import find_scan
from sightline.scans.running.cells import CellJob
from sightline.scans.scheduling.daily_prompts import PastCell
from sightline.scans.schemas.results import ScanMeasurements
from sightline.scans.stored import StoredRecord, decode_prompts
from sightline.scoreboard.apply_scan import record_scan
from sightline.scoreboard.history.trend import TrendBoard
from sightline.scoreboard.models import CellFacts
from sightline.scoreboard.recompute.run import request_outdated_any_workspace
from sightline.scoreboard.schemas import Board, TrendPoint
from sightline.tables.catalog import TABLES
from sightline.tables.models import Extent, TableRead, TableSource
from sightline.tables.read import stream_lines
from sightline.webhooks.deliveries.models import DeliverJob
from tests.databases import run_sql, with_database
from tests.fakes.receiver import Receiver
from tests.installation import Installation
from tests.running_worker import until, working
from tests.scan_history import UNCITED

DATA = Path(__file__).parent / "data"
OLD = msgspec.json.decode(lzma.decompress((DATA / "stored_responses.json.xz").read_bytes()))
IDS, FUNCTIONS = OLD["ids"], OLD["functions"]
WORKSPACE, TRACKED = uuid.UUID(IDS["workspace"]), uuid.UUID(IDS["tracked"])
CONSOLE = "/api/v1/console"

# Every column that holds JSON, and the type that reads and writes it.
JSON_COLUMNS = {
    "domains.competitors": list[Competitor],
    "idempotency_keys.headers": list[tuple[str, str]],
    "installation.demo": DemoIds,
    "scans.brand": MeasuredBrands,
    "scans.prompts": tuple[ScanPrompt, ...],
    "answers.record": StoredRecord,
    "scan_results.results": ScanMeasurements,
    "scan_results.point": TrendPoint,
    "scan_results.board": Board,
    "webhook_attempts.request_headers": dict[str, str],
    "prompts.sentiment": StoredSentiment,
    "prompt_checks.cells": tuple[CellFacts, ...],
    "scoreboards.board": Board,
    "alerts.evidence": Evidence,
    "themes.theme": StoredTheme,
    "recommendations.recommendation": StoredRecommendation,
    "opportunities.opportunity": StoredOpportunity,
    "reports.document": ReportDocument,
}
# Types that read only a part of such a column.
PARTIAL_READERS = [("prompt_checks.cells", tuple[PastCell, ...]), ("scan_results.board", TrendBoard)]
OPAQUE_COLUMNS = {"events.body", "idempotency_keys.body"}  # sent as they are

# Kinds of jobs are stored, too: they are written out here.
JOB_PAYLOADS = {
    "scan.start": ScanJob,
    "scan.finish": ScanJob,
    "scan.follow": ScanJob,
    "insights": ScanJob,
    "report": ScanJob,
    "scoreboard.refresh": RefreshJob,
    "domain.recompute": RecomputeJob,
    "prompt.volumes": VolumesJob,
    "competitor.site": SiteJob,
    "demo.build": DemoJob,
    "event": EventJob,
    "webhook.deliver": DeliverJob,
    "mail.send": OutgoingEmail,
    "cell.sandbox.chatgpt": CellJob,
    "cell.sandbox.gemini": CellJob,
}


async def restore(server_url: str, name: str) -> None:
    """Create a database with the rows of the older commit and the schema 0047, the last one before the baseline."""
    await run_sql(server_url, f'CREATE DATABASE "{name}"')
    await run_sql(with_database(server_url, name), read_old_rows())


def read_old_rows() -> str:
    return lzma.decompress((DATA / "stored_rows.sql.xz").read_bytes()).decode()


@pytest.fixture(scope="module")
def restored(server_url):
    """Restore the dump, migrate it to today's schema, and return the name of the database."""
    name = f"test_{uuid.uuid4().hex}"
    url = with_database(server_url, name)

    async def restore_and_migrate() -> None:
        await restore(server_url, name)
        await migrate(url)

    asyncio.run(restore_and_migrate())
    yield name
    asyncio.run(run_sql(server_url, f'DROP DATABASE "{name}" WITH (FORCE)'))


@pytest.fixture
async def stored(server_url, restored, tmp_path):
    """Open today's application on a copy of the restored database, at the time when the rows were written."""
    name = f"test_{uuid.uuid4().hex}"
    await run_sql(server_url, f'CREATE DATABASE "{name}" TEMPLATE "{restored}"')
    url = with_database(server_url, name)
    # The default spend cap of that commit.
    async with Installation.open(url, tmp_path, webhook_allow_loopback=True, spend_cap_cents=50_000) as opened:
        opened.clock.now = datetime.fromisoformat(OLD["now"])
        yield opened
    await run_sql(server_url, f'DROP DATABASE "{name}" WITH (FORCE)')


async def list_values(installation, column: str) -> list[str | bytes]:
    table, _, name = column.partition(".")
    rows = await installation.db.fetch(f"SELECT {name} FROM {table} WHERE {name} IS NOT NULL")
    return [row[0] for row in rows]


def list_names(value: object) -> set[str]:
    """Return the names of all members in a JSON document, at every depth."""
    if isinstance(value, dict):
        return set(value).union(*map(list_names, value.values()))
    return set().union(*map(list_names, value)) if isinstance(value, list) else set()


def drop_new_empty_members(written: object, stored: object) -> object:
    """Return what is written without members that the older commit did not have, where they are empty."""
    if isinstance(written, dict) and isinstance(stored, dict):
        return {
            name: drop_new_empty_members(value, stored.get(name))
            for name, value in written.items()
            if name in stored or (name not in FILLED and value not in ([], {}, None) and value is not False)
        }
    if isinstance(written, list) and isinstance(stored, list) and len(written) == len(stored):
        return list(map(drop_new_empty_members, written, stored))
    return written


# Filled from the ledger by migration 0015, tested below, whether the spend cap allows a pack, and the check of an
# opportunity, which was stored and not shown.
FILLED = {"credits_refunded", "available", "unavailable_reason", "scan_id"}
# Migration 0010 rewrites recommendations, which has tests of its own. 0046 and 0047 rewrite the descriptions of
# packs, tested below. The summaries of alerts have new words.
REWRITTEN = ("/recommendations", "/alerts", "/credits/packs")


def drop_unknown_demand(body: object) -> object:
    """Return an old response with null for a demand that nobody knew: it said the median instead."""
    if isinstance(body, dict):
        found = {name: drop_unknown_demand(value) for name, value in body.items()}
        return found | {"demand": None} if found.get("demand_unknown") else found
    return list(map(drop_unknown_demand, body)) if isinstance(body, list) else body


MARKET = ("market_position", "share_of_voice_pct")
UNMEASURED = {
    **dict.fromkeys(("value", "low", "high", "numerator", "denominator")),
    "n": 0,
    **dict.fromkeys(("early_reading", "incomplete"), False),
}
AREAS = ("platforms", "countries")


def drop_market_of_daily_checks(body: Any) -> Any:
    """Return an old response without the market figures of Daily Checks, which only Full Checks set."""
    if isinstance(body, list):
        return list(map(drop_market_of_daily_checks, body))
    if not isinstance(body, dict):
        return body
    found = {name: drop_market_of_daily_checks(value) for name, value in body.items()}
    if found.get("measurement_scope") == "daily_check" and "market_position" in found:
        return found | {"market_position": None}
    if found.get("scope") == "daily_check" and "market_position" in found:
        return found | dict.fromkeys(MARKET, UNMEASURED)
    if found.get("source") == "scan" and found["scan"]["measurement_scope"] == "daily_check":
        rows = {name: [row | dict.fromkeys(MARKET, UNMEASURED) for row in found[name]] for name in AREAS}
        headline = found["headline"] | dict.fromkeys(MARKET, UNMEASURED | {"comparison": None})
        branded = found["branded"] and found["branded"] | dict.fromkeys(MARKET, UNMEASURED)
        return found | rows | {"headline": headline, "branded": branded, "competitors": []}
    return found


async def test_alerts_of_the_old_commit_are_read(stored):
    """They have the figures that they had. No single cell is among them."""
    old = next(each for each in OLD["responses"] if each["path"].endswith("/alerts") and each["body"]["data"])
    async with stored.client(X_API_Key=OLD["keys"][old["key"]]) as client:
        alerts = (await client.get(old["path"])).json()["data"]
    before = {row["id"]: row for row in old["body"]["data"]}
    assert {row["id"] for row in alerts} == set(before) and {row["scope"] for row in alerts} == {"overall", "platform"}
    for row in alerts:
        known = before[row["id"]]
        assert row["summary"] and row["now_scan_id"] != row["against_scan_id"] == known["against_scan_id"]
        assert (row["state"], row["p"], row["answer_ids"]) == (known["state"], known["p"], known["answer_ids"])
        assert (row["before"], row["now"], row["delta"]) == (known["before"], known["now"], known["delta"])


async def test_every_response_is_the_one_of_the_old_commit(stored):
    """New members may have been added since; of rows that do not have them, they are empty."""
    differing = []
    async with stored.client() as client:
        for old in OLD["responses"]:
            answer = await client.get(old["path"], headers={"X-API-Key": OLD["keys"][old["key"]]})
            assert answer.status_code == old["status"], (old["path"], answer.text)
            if old["path"].partition("?")[0].endswith(REWRITTEN):
                same = True
            elif "sha256" in old:
                same = hashlib.sha256(answer.content).hexdigest() == old["sha256"]
            else:
                body = answer.json()
                del body["meta"]["request_id"]
                if body["meta"].get("next_cursor"):
                    body["meta"]["next_cursor"] = "…"
                expected = drop_market_of_daily_checks(drop_unknown_demand(old["body"]))
                if old["path"].endswith("/opportunities"):  # they had another order
                    expected["data"].sort(key=lambda row: (row["opportunity_score"], row["id"]), reverse=True)
                same = drop_new_empty_members(body, expected) == expected
            if not same:
                differing.append(old["path"])
    assert len(OLD["responses"]) > 100
    assert differing == []


async def test_packs_of_the_old_commit_say_which_scans_they_pay_for(stored):
    """Migrations 0046 and 0047 change descriptions only."""
    old = next(each["body"]["data"] for each in OLD["responses"] if each["path"].endswith("/credits/packs"))
    packs = await stored.db.fetch("SELECT credits, price_cents, name, description FROM credit_packs ORDER BY 1")
    assert [tuple(row[:3]) for row in packs] == [(each["credits"], each["price_cents"], each["name"]) for each in old]
    assert all("scan" in row[3] for row in packs)
    assert not any(re.search(r"\bof \w+ platform", row[3]) for row in packs)


async def test_scans_of_the_old_commit_say_what_was_refunded(stored):
    """Migration 0015 takes it from the ledger: everything of scans that failed or never started."""
    scans = await stored.db.fetch(
        """SELECT status = 'failed' OR status = 'cancelled' AND started_at IS NULL, credits_charged, credits_refunded
           FROM scans WHERE credits_charged > 0"""
    )
    assert {was_refunded for was_refunded, _, _ in scans} == {True, False}
    assert all(refunded == (charged if was_refunded else 0) for was_refunded, charged, refunded in scans)
    assert await verify_ledgers_any_workspace(stored.db) == []


async def test_a_request_of_the_old_commit_is_replayed(stored):
    for old in OLD["replays"]:
        headers = {"X-API-Key": OLD["keys"]["live"], "Idempotency-Key": old["key"]}
        async with stored.client() as client:
            answer = await client.post(f"{CONSOLE}{old['path']}", json=old["body"], headers=headers)
        assert answer.headers["x-idempotent-replay"] == "true"
        assert (answer.status_code, answer.json()) == (old["status"], old["response"])


# A report has one page. Its texts are written from facts, and reports from before these were kept have a stored page.
NO_LONGER_READ = {
    "reports.document": (
        "alerts",
        "appeared",
        "disappeared",
        "notices",
        "opportunities",
        "sentiment",
        "themed",
        "themes",
        "unread_themes",
        *(f"tasks.{name}" for name in ("action", "effect", "effort", "pages", "prompt", "quotes", "reason", "steps")),
        *(f"effects.{name}" for name in ("action", "prompts", "status", "summary")),
    )
}


def drop_member(value: dict, name: str) -> None:
    """Drop a member, or with `list.member` the member of each entry of a list."""
    first, _, rest = name.partition(".")
    if not rest:
        value.pop(first, None)
    for each in value.get(first, ()) if rest else ():
        drop_member(each, rest)


async def test_stored_json_is_written_as_it_was_read(stored):
    """A stored field that is renamed, dropped or added with a value fails here."""
    for column, kind in JSON_COLUMNS.items():
        values = await list_values(stored, column)
        assert values, f"{column}: the dump has no example"
        for value in values:
            written = msgspec.json.encode(msgspec.json.decode(value, type=kind))
            known = json.loads(value)
            for name in NO_LONGER_READ.get(column, ()):
                drop_member(known, name)
            assert drop_new_empty_members(json.loads(written), known) == known, column


async def test_partial_readers_read_what_is_stored(stored):
    for column, kind in PARTIAL_READERS:
        values = await list_values(stored, column)
        known = [json.loads(value) for value in values]
        read = json.loads(msgspec.json.encode([msgspec.json.decode(value, type=kind) for value in values]))
        unknown = list_names(drop_new_empty_members(read, known)) - list_names(known)
        assert unknown == set(), (column, kind)


async def test_every_column_with_json_is_covered(stored):
    rows = await stored.db.fetch(
        """SELECT table_name || '.' || column_name FROM information_schema.columns
           WHERE table_schema = 'public' AND data_type IN ('bytea', 'jsonb')
             AND table_name NOT LIKE '%\\_default' AND table_name !~ '_\\d+$'"""
    )
    covered = {*JSON_COLUMNS, *OPAQUE_COLUMNS, "jobs.payload"}  # JOB_PAYLOADS has its types
    for (column,) in rows:
        if column not in covered:
            for value in await list_values(stored, column):
                assert bytes(value)[:1] not in (b"{", b"["), f"{column}: name the type that reads it"


async def test_queued_deliveries_of_the_old_commit_say_whose_they_are(stored):
    shares = await stored.db.fetch(
        """SELECT j.share, d.workspace_id || '/' || d.endpoint_id FROM jobs j
           LEFT JOIN webhook_deliveries d ON position(d.id::text IN convert_from(j.payload, 'UTF8')) > 0
           WHERE j.kind = 'webhook.deliver'"""
    )
    assert shares
    assert all(share == expected for share, expected in shares)
    assert await stored.db.fetchval("SELECT count(*) FROM jobs WHERE kind <> 'webhook.deliver' AND share <> ''") == 0


async def test_every_queued_payload_is_written_as_it_was_read(stored):
    rows = await stored.db.fetch("SELECT kind, payload FROM jobs")
    for kind, payload in rows:
        assert msgspec.json.encode(msgspec.json.decode(payload, type=JOB_PAYLOADS[kind])) == payload, kind
    assert {kind for kind, _ in rows} == set(JOB_PAYLOADS)


async def test_functions_return_what_they_did(stored):
    check = uuid.UUID(IDS["full_check"])
    naming = await find_name_mentions(stored.db, WORKSPACE, check, list(FUNCTIONS["naming"]))
    assert json.loads(msgspec.json.encode(naming)) == FUNCTIONS["naming"]
    prompts = await stored.db.fetchval("SELECT prompts FROM scans WHERE id = $1", check)
    rows = await stored.db.fetch(
        "SELECT prompt_index, platform, status, record FROM answers WHERE workspace_id = $1 AND scan_id = $2",
        WORKSPACE,
        check,
    )
    repeats = gather_named_brands(decode_prompts(prompts), [tuple(row) for row in rows])
    assert {prompt: sorted(named) for prompt, named in repeats.items()} == FUNCTIONS["repeats"]


async def test_suggestions_of_the_old_commit_say_where_they_come_from(stored):
    """They do not say what their origin is about; and no old check says whether its answers name a brand."""
    found = await list_suggestions(stored.db, WORKSPACE, TRACKED)
    assert found and all(row.origin_subjects == [] and row.origin_answers is None for row in found)
    assert all(to_suggestion(row).origin_summary for row in found)
    assert await stored.db.fetchval("SELECT count(*) FROM prompt_checks WHERE named IS NOT NULL") == 0
    assert await stored.db.fetchval("SELECT max(consecutive_unnamed) FROM prompts") == 0


async def test_tokens_and_marks_of_the_old_commit_still_work(stored):
    now = stored.clock()
    invitation = await read_invitation(stored.db, IDS["invitation_token"], now=now)
    assert (invitation.workspace_id, invitation.role) == (WORKSPACE, "editor")
    report = await open_share_link(stored.db, IDS["share_token"], now=now)
    assert str(report.id) == IDS["report"]
    tasks = await read_tasks(stored.db, WORKSPACE, TRACKED)
    assert len(tasks.done) == 1
    (done,) = (await list_done_actions(stored.db, WORKSPACE, TRACKED, page_size=10)).rows
    assert (done.effect.effect.status, done.effect.effect.gap) == ("not_enough_history", "prompts")
    assert await verify_ledgers_any_workspace(stored.db) == []
    async with stored.client(Sec_Fetch_Site="same-origin") as browser:
        for name, value in IDS["session_cookies"].items():
            browser.cookies.set(name, value, domain="test.local", path="/")
        session = await browser.get(f"{CONSOLE}/session")
    assert session.json()["data"]["user"]["id"] == IDS["owner"]


async def test_keys_of_the_old_commit_have_all_rights_and_no_bounds(stored):
    rows = await stored.db.fetch("SELECT parent_id, expires_at, allowed_addresses, previous_digest FROM api_keys")
    assert {tuple(map(bool, row)) for row in rows} == {(False,) * 4}
    async with stored.client(X_API_Key=OLD["keys"]["live"]) as client:
        minted = (await client.post(f"{CONSOLE}/keys", json={"name": "Child"})).json()["data"]
        assert minted["scopes"] == [] and minted["parent_id"] is not None
        rotated = await client.post(f"{CONSOLE}/keys/{minted['parent_id']}/rotate")
        assert rotated.status_code == 200
        assert (await client.get(f"{CONSOLE}/account")).status_code == 200, "for 24 hours"


async def test_an_answer_of_the_old_commit_can_be_corrected(stored):
    """The old rows know nothing of corrections: there are none, and one can be made."""
    assert await stored.db.fetchval("SELECT count(*) FROM corrections") == 0
    path = f"/api/v1/ext/scans/{IDS['full_check']}/answers"
    async with stored.client(X_API_Key=OLD["keys"]["data"]) as client:
        answers = (await client.get(path)).json()["data"]
    answer = next(each for each in answers if each["mentioned"])
    place = answer["brands"][0]["occurrences"][0]
    wrong = CorrectionInput(
        IDS["full_check"],
        answer["id"],
        "not_this_brand",
        place["start"],
        place["end"],
        answer["text"][place["start"] : place["end"]],
    )
    actor = build_operator_actor(WORKSPACE, user_id=uuid.UUID(IDS["owner"]))
    async with stored.db.transaction() as tx:
        row = await correct_answer(tx, actor, TRACKED, wrong, now=stored.clock())
    async with stored.db.transaction() as tx:
        assert await undo_correction(tx, actor, TRACKED, row.id, now=stored.clock()) == row


@pytest.fixture
async def receiver():
    async with Receiver() as opened:
        yield opened


TABLES_OF_THE_COMMIT_BEFORE = msgspec.json.decode((DATA / "insight_tables.json").read_bytes())


async def test_a_worker_builds_the_rows_that_the_tables_of_the_commit_before_had(stored):
    """Its tables decoded the stored JSON in SQL. Their rows, all but `updated_at`, are in the file.

    It had no number where an old recommendation without prompts does not say so; newer ones had 0.
    """
    await stored.db.execute("DELETE FROM jobs")
    missing = " UNION ALL ".join(f"SELECT FROM {name} WHERE table_row IS NULL" for name in TABLES_OF_THE_COMMIT_BEFORE)

    async def is_done() -> bool:
        return not await stored.db.fetchval(f"SELECT EXISTS ({missing})")

    assert not await is_done()
    async with working(stored):
        await until(is_done)
    domains = await stored.db.fetch("SELECT DISTINCT workspace_id, domain_id FROM table_changes")
    for name, expected in TABLES_OF_THE_COMMIT_BEFORE.items():
        found = []
        for workspace_id, domain_id in domains:
            source = TableSource(workspace_id=workspace_id, domain_id=domain_id)
            read = TableRead(table=TABLES[name], source=source, extent=Extent(), since=None)
            async for lines in stream_lines(stored.db, read, "jsonl"):
                found += map(json.loads, lines.splitlines())
        for row in found:
            del row["updated_at"]
        rows = [row | {"prompts": row["prompts"] or 0} if name == "recommendations" else row for row in expected]
        assert sorted(found, key=lambda row: row["row_id"]) == rows != []


async def test_a_worker_does_what_was_queued(stored, receiver, tmp_path):
    """The demonstration is left out, because building it takes long; its payload is decoded above."""
    await stored.db.execute("DELETE FROM jobs WHERE kind = $1", "demo.build")
    await stored.db.execute("UPDATE webhook_endpoints SET url = $1", receiver.url())
    await stored.db.execute("UPDATE jobs SET run_after = now()")

    async def is_done() -> bool:
        return not await stored.db.fetchval("SELECT count(*) FROM jobs WHERE failed_at IS NULL")

    async with working(stored):
        await until(is_done, seconds=120)
    assert await stored.db.fetchval("SELECT count(*) FROM jobs") == 0, "none failed"
    for scan_id in (IDS["pending_scan"], IDS["running_scan"]):
        status = await stored.db.fetchval("SELECT status FROM scans WHERE id = $1", uuid.UUID(scan_id))
        assert status == "completed"
    signed = [call for call in receiver.received if call.signed_by(IDS["webhook_secrets"][1])]
    assert signed, "with the secret that the old commit has sealed"
    assert all(call.signed_by(IDS["webhook_secrets"][0]) for call in signed), "and with the one before it"
    (email,) = [path for path in (tmp_path / "data" / "mail").glob("*.eml") if "reader@acme.com" in path.read_text()]
    assert "It has a text." in email.read_text()


async def test_answers_of_the_commit_before_get_their_facts(stored):
    await stored.db.execute(
        "UPDATE scan_results SET metrics_version = $1, extractor_version = $2", METRICS_VERSION, EXTRACTOR_VERSION
    )
    await stored.db.execute("UPDATE recomputations SET status = 'done'")
    assert await stored.db.fetchval("SELECT count(*) FROM answer_facts") == 0
    assert await request_outdated_any_workspace(stored.db, now=stored.clock()) > 0
    scan = await find_scan(stored.db, WORKSPACE, uuid.UUID(IDS["full_check"]))
    for _ in range(2):  # repeating it changes nothing
        await record_scan(stored.db, scan, uncited=UNCITED)
        counts = await stored.db.fetchrow(
            """SELECT count(*) FILTER (WHERE f.answer_id IS NOT NULL), count(*), count(DISTINCT f.labels) > 1
               FROM answers a LEFT JOIN answer_facts f ON f.scan_id = a.scan_id AND f.answer_id = a.id
               WHERE a.scan_id = $1""",
            scan.id,
        )
        assert counts[0] == counts[1] > 0 and counts[2]
    assert await stored.db.fetchval("SELECT has_facts FROM scan_results WHERE scan_id = $1", scan.id)

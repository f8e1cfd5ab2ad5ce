"""A platform all of whose answers failed in a completed scan is refunded, once."""

import asyncio
import uuid

import pytest

from sightline.credits.ledger import build_credit_rules
from sightline.credits.verify import verify_ledgers_any_workspace
from sightline.scans.queries import find_scan, lock_scan
from sightline.scans.refunds import refund_failed_platforms
from tests.installation import Installation
from tests.running_worker import working
from tests.scans.running.provider import live_console
from tests.sent_events import decode_event


@pytest.fixture
async def half_broken(database_url, tmp_path, provider):
    """ChatGPT answers, and Grok refuses every question."""
    settings = {**provider.settings, "xai_api_key": "xai-key-of-the-test", "xai_base_url": f"{provider.url}/absent"}
    async with Installation.open(
        database_url, tmp_path, worker_timeout=2, analyzer_processes=0, ask_attempts=1, **settings
    ) as opened:
        yield opened


async def test_a_platform_without_an_answer_is_refunded_once_and_scan_ledger_and_event_agree(half_broken, provider):
    provider.faults["worst crm"] = 500
    async with live_console(half_broken) as console:
        before = await console.balance()
        scan = await console.submit(
            await console.domain(), keywords=["best crm", "worst crm"], platforms=["grok", "chatgpt"]
        )
        assert (scan["credits_charged"], scan["credits_refunded"]) == (2, 0)
        async with working(half_broken):
            ended = await console.ended(scan["id"])
        assert (ended["status"], ended["answers_completed"], ended["answers_failed"]) == ("completed", 1, 3)
        assert ended["credits_refunded"] == 1 and await console.balance() == before - 1, (
            "one answer of ChatGPT is valid"
        )
        entries = (await console.get("/credits/ledger?reason=refund")).json()["data"]
        assert [(entry["delta"], entry["scan_id"]) for entry in entries] == [(1, scan["id"])]
        assert entries[0]["description"] == "Refund: every answer of Grok failed in the scan of acme.com"
        db = half_broken.db
        event = await db.fetchval("SELECT body FROM events WHERE type = 'scan.completed'")
        assert decode_event(event)["data"]["credits_refunded"] == 1
        workspace_id = await db.fetchval("SELECT workspace_id FROM scans")
        row = await find_scan(db, workspace_id, uuid.UUID(scan["id"]))
        rules = build_credit_rules(half_broken.app_context.settings)

        async def refund_again():
            async with db.transaction() as tx:
                await lock_scan(tx, workspace_id, row.id)
                return await refund_failed_platforms(tx, row, ["grok"], rules=rules, now=half_broken.clock())

        again = await asyncio.gather(*(refund_again() for _ in range(4)))
        assert [each.credits_refunded for each in again] == [1] * 4
        assert await console.balance() == before - 1 and await verify_ledgers_any_workspace(db) == []

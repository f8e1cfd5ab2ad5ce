"""The life of a scan, from submit to its end, as the specification's table of states has it."""

import asyncio
import uuid

import msgspec
from structlog.testing import capture_logs

from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.sandbox.transport import sandbox_connector
from sightline.scans.queries import find_scan
from sightline.scans.results import build_results
from sightline.scans.running.queries import read_answers
from sightline.scans.running.running_scans import build_plan
from sightline.scans.stored import to_answer
from tests.running_worker import until, working


async def count(installation, table: str) -> int:
    return await installation.db.fetchval(f"SELECT count(*) FROM {table}")


async def test_a_submitted_scan_runs_and_completes_and_its_results_become_readable(installation, console):
    """Pending → running (the check starting) → completed (all work done): "Results become readable"."""
    domain = await console.domain("acme.com", competitors=["globex.com", "initech.com"])
    scan = await console.submit(domain, platforms=["chatgpt", "claude"])
    assert scan["status"] == "pending" and scan["started_at"] is None and scan["visibility_score"] is None
    refused = await console.get(f"/scans/{scan['id']}/results")
    assert refused.status_code == 409 and refused.json()["scan_status"] == "pending"
    async with working(installation):
        ended = await console.ended(scan["id"])
    assert ended["status"] == "completed" and ended["answers_completed"] == ended["answers_total"] == 20
    assert ended["visibility_score"] is not None and ended["brand_coverage_pct"] is not None
    assert ended["started_at"] and ended["completed_at"] and ended["error_message"] is None
    results = (await console.get(f"/scans/{scan['id']}/results")).json()["data"]
    assert results["headline"]["visibility_score"]["value"] == ended["visibility_score"]
    assert results["headline"]["market_position"]["value"] == ended["market_position"] is not None
    assert len(results["prompts"]) == 10 and {p["platform"] for p in results["platforms"]} == {"chatgpt", "claude"}
    domain_now = (await console.get(f"/domains/{domain}")).json()["data"]
    assert domain_now["latest_visibility_score"] == ended["visibility_score"] and domain_now["scan_count"] == 1
    assert await count(installation, "jobs WHERE kind <> 'event'") == 0
    assert await count(installation, "scan_lanes") == 0


async def test_every_number_of_the_results_can_be_found_again_from_the_answers(installation, console):
    """ "every number in results must be reproducible from them" (the stored answers)."""
    domain = await console.domain("acme.com", competitors=["globex.com"])
    scan = await console.submit(domain)
    async with working(installation):
        await console.ended(scan["id"])
    workspace = await installation.db.fetchval("SELECT workspace_id FROM scans")
    row = await find_scan(installation.db, workspace, uuid.UUID(scan["id"]))
    plan = build_plan(row, frozenset(each.key for each in PLATFORMS if not sandbox_connector(each.key).cites))
    answers = [
        to_answer(each, plan.prompts[each.prompt_index])
        for each in await read_answers(installation.db, workspace, row.id)
    ]
    stored = await installation.db.fetchval("SELECT results FROM scan_results")
    assert msgspec.json.encode(build_results(plan, answers)) == stored


async def test_a_check_in_which_every_answer_failed_ends_failed_and_is_refunded(installation, console):
    domain = await console.domain()
    before = await console.balance()
    scan = await console.submit(domain, keywords=["sandbox:garbage"], platforms=["chatgpt", "grok"])
    assert await console.balance() == before - 2
    async with working(installation):
        ended = await console.ended(scan["id"])
    assert ended["status"] == "failed" and ended["answers_failed"] == 2 and ended["completed_at"]
    assert ended["error_message"].startswith("Every answer failed. chatgpt: ")
    assert ended["visibility_score"] is None
    assert await console.balance() == before
    refused = await console.get(f"/scans/{scan['id']}/results")
    assert refused.status_code == 409 and refused.json()["scan_status"] == "failed"


async def test_a_check_that_failed_leaves_a_log_line_with_the_fault_of_each_platform(installation, tenant, console):
    scan = await console.submit(
        await console.domain(), keywords=["sandbox:garbage", "sandbox:fail"], platforms=["chatgpt", "grok"]
    )
    with capture_logs() as lines:
        async with working(installation):
            await console.ended(scan["id"])
    (line,) = [line for line in lines if line["event"] == "scan_failed"]
    assert (line["log_level"], line["workspace_id"], line["scan_id"]) == ("warning", tenant.id, scan["id"])
    assert line["platforms"].keys() == {"chatgpt", "grok"}
    assert set(line["platforms"].values()) <= {"malformed", "unavailable", "rejected"}
    faults = [line for line in lines if line["event"] == "platform_call_failed"]
    assert {(fault["platform"], fault["workspace_id"], fault["scan_id"]) for fault in faults} == {
        (platform, tenant.id, scan["id"]) for platform in ("chatgpt", "grok")
    }


async def test_with_some_failed_answers_it_completes_and_says_so_in_answers_failed(installation, console):
    scan = await console.submit(await console.domain(), keywords=["sandbox:garbage", "best crm"], platforms=["grok"])
    async with working(installation):
        ended = await console.ended(scan["id"])
    assert ended["status"] == "completed" and (ended["answers_completed"], ended["answers_failed"]) == (1, 1)


async def test_cancel_while_running_stops_work_within_a_second_and_refunds_nothing(installation, console):
    domain = await console.domain()
    before = await console.balance()
    build_keywords = ["sandbox:slow", *(f"best crm {number}" for number in range(9))]
    scan = await console.submit(domain, keywords=build_keywords, platforms=["chatgpt"])
    async with working(installation):

        async def taken():
            return (await console.scan(scan["id"]))["answers_completed"] == 9

        await until(taken)
        cancelled = (await console.post(f"/scans/{scan['id']}/cancel")).json()["data"]
        assert cancelled["status"] == "cancelled" and cancelled["completed_at"]

        async def idle():
            return await count(installation, "jobs WHERE kind LIKE 'cell%'") == 0

        await until(idle, seconds=1)
    assert await console.balance() == before - 1
    kept = (await console.get(f"/scans/{scan['id']}/answers")).json()["data"]
    assert len(kept) == 9, "the answers already taken stay stored"


async def test_only_one_scan_per_domain_and_the_next_after_its_end(installation, console):
    domain = await console.domain()
    first = await console.submit(domain, keywords=["best crm"], platforms=["chatgpt"])
    async with working(installation):
        await console.ended(first["id"])
        second = await console.submit(domain, keywords=["best crm"], platforms=["chatgpt"])
        assert (await console.ended(second["id"]))["status"] == "completed"


async def test_many_scans_of_many_workspaces_at_once_all_end(installation, console):
    async with working(installation):
        domains = [await console.domain(f"brand{number}.com") for number in range(6)]
        scans = await asyncio.gather(*(console.submit(domain, platforms=["chatgpt", "grok"]) for domain in domains))
        for scan in scans:
            assert (await console.ended(scan["id"]))["status"] == "completed"
    assert await count(installation, "answers") == 6 * 20

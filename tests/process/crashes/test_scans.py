"""A paid scan survives a crash at any of these points: one scan, one debit, every answer once."""

from collections import Counter

import pytest

from tests.process.crashes.scenario import CREDITS

POINTS = [
    "before_write_commit",
    "after_write_commit",
    "before_start_commit",
    "after_start_commit",
    "after_provider_answered",
    "before_answers_commit",
    "after_answers_commit",
    "before_finish_commit",
    "after_finish_commit",
    "after_webhook_sent",
]
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]  # each test starts the whole service twice
PROMPTS = ("best crm", "cheapest crm", "crm with support")


@pytest.mark.parametrize("point", POINTS)
async def test_a_scan_is_run_and_paid_once_if_the_service_crashes(scenario, point):
    with scenario.serving(test_crash_at=point) as process:
        first = await scenario.submit(process, *PROMPTS)
        await scenario.wait_for_crash(process)
    assert (first is None) == point.endswith("_write_commit")  # it crashed before it could respond
    if point == "before_write_commit":
        assert await scenario.installation.db.fetchval("SELECT count(*) FROM scans") == 0
    with scenario.serving() as process:
        scan = await scenario.submit_until_accepted(process, *PROMPTS)
        ended = await scenario.ended(process, scan["id"])
        evidence = await scenario.verify()
    assert (ended["status"], ended["answers_completed"], ended["answers_total"]) == ("completed", 6, 6)
    assert [fact.id for fact in evidence.scans] == [scan["id"]]
    assert [entry.delta for entry in evidence.entries] == [CREDITS, -2]
    copies = Counter(message.webhook_id for message in scenario.receiver.messages if message.type == "scan.completed")
    assert len(copies) == 1
    assert copies.total() >= (2 if point == "after_webhook_sent" else 1)


@pytest.mark.parametrize("point", ["before_finish_commit", "after_finish_commit"])
async def test_a_failed_scan_is_refunded_once_if_the_service_crashes(scenario, point):
    with scenario.serving(test_crash_at=point) as process:
        await scenario.submit(process, "sandbox:garbage")
        await scenario.wait_for_crash(process)
    with scenario.serving() as process:
        scan = await scenario.submit_until_accepted(process, "sandbox:garbage")
        ended = await scenario.ended(process, scan["id"])
        evidence = await scenario.verify()
    assert ended["status"] == "failed"
    assert [entry.delta for entry in evidence.entries] == [CREDITS, -2, 2]
    assert {message.type for message in scenario.receiver.messages} == {"scan.failed"}

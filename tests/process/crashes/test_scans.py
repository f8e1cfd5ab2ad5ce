"""A paid check survives a process that dies at any of these points: one scan, one debit, every answer once."""

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
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]  # two starts of the whole service each
PROMPTS = ("best crm", "cheapest crm", "crm with support")


@pytest.mark.parametrize("point", POINTS)
async def test_a_check_is_made_and_paid_once_although_the_process_dies(scene, point):
    with scene.serving(test_crash_at=point) as process:
        first = await scene.submit(process, *PROMPTS)
        await scene.let_it_die(process)
    assert (first is None) == point.endswith("_write_commit")  # it died before it could answer
    if point == "before_write_commit":
        assert await scene.installation.db.fetchval("SELECT count(*) FROM scans") == 0
    with scene.serving() as process:
        scan = await scene.submit_until_accepted(process, *PROMPTS)
        ended = await scene.ended(process, scan["id"])
        evidence = await scene.prove()
    assert (ended["status"], ended["answers_completed"], ended["answers_total"]) == ("completed", 6, 6)
    assert [fact.id for fact in evidence.scans] == [scan["id"]]
    assert [entry.delta for entry in evidence.entries] == [CREDITS, -2]
    copies = Counter(message.webhook_id for message in scene.receiver.messages if message.type == "scan.completed")
    assert len(copies) == 1
    assert copies.total() >= (2 if point == "after_webhook_sent" else 1)


@pytest.mark.parametrize("point", ["before_finish_commit", "after_finish_commit"])
async def test_a_check_that_failed_is_refunded_once_although_the_process_dies(scene, point):
    with scene.serving(test_crash_at=point) as process:
        await scene.submit(process, "sandbox:garbage")
        await scene.let_it_die(process)
    with scene.serving() as process:
        scan = await scene.submit_until_accepted(process, "sandbox:garbage")
        ended = await scene.ended(process, scan["id"])
        evidence = await scene.prove()
    assert ended["status"] == "failed"
    assert [entry.delta for entry in evidence.entries] == [CREDITS, -2, 2]
    assert {message.type for message in scene.receiver.messages} == {"scan.failed"}

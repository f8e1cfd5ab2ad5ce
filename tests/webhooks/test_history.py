"""Test events, redelivery, paging, and deleting old deliveries."""

import json
from datetime import timedelta

import pytest

from sightline.kit.ids import new_id
from sightline.webhooks.deliveries.history import (
    REQUESTS_PER_MINUTE,
    SHOWN_ATTEMPTS,
    delete_old_deliveries_any_workspace,
)
from tests.api.assertions import assert_problem
from tests.sent_events import decode_event
from tests.webhooks.webhook_steps import URL


class TestTestEvent:
    async def test_it_goes_to_that_endpoint_alone_whatever_its_list_says(self, steps, tenant):
        chosen = await steps.register(tenant.live, steps.receiver.url("/chosen"), events=["scan.failed"])
        await steps.register(tenant.live, steps.receiver.url("/other"))
        answer = await steps.call(tenant.live, "POST", f"/{chosen['id']}/test")
        assert answer.status_code == 202
        started = answer.json()["data"]
        assert (started["status"], started["event_type"], started["attempts"]) == ("pending", "webhook.test", [])
        assert started["webhook_id"] == chosen["id"]
        await steps.run()
        (got,) = steps.receiver.received
        assert got.path == "/chosen" and got.signed_by(chosen["secret"])
        assert json.loads(got.body)["type"] == "webhook.test"
        assert decode_event(got.body)["data"] == {
            "webhook_id": chosen["id"],
            "workspace_id": str(tenant.workspace.id),
            "livemode": True,
        }
        (delivery,) = await steps.deliveries(tenant.live, chosen["id"])
        assert (delivery["id"], delivery["status"]) == (started["id"], "succeeded")

    async def test_each_is_an_event_of_its_own(self, steps, tenant):
        webhook = await steps.register(tenant.live)
        for _ in range(2):
            await steps.call(tenant.live, "POST", f"/{webhook['id']}/test")
        await steps.run()
        assert len({got.id for got in steps.receiver.received}) == 2

    async def test_a_disabled_endpoint_is_refused(self, installation, steps, tenant):
        webhook = await steps.register(tenant.live)
        await steps.call(tenant.live, "PATCH", f"/{webhook['id']}", status="disabled")
        answer = await steps.call(tenant.live, "POST", f"/{webhook['id']}/test")
        assert assert_problem(answer, 422, "validation_failed")["errors"][0]["code"] == "disabled"
        assert await installation.db.fetchval("SELECT count(*) FROM events") == 0


async def test_a_workspace_may_request_thirty_a_minute(installation, steps, tenant):
    """Test events and redeliveries count together; another workspace is not concerned."""
    webhook = await steps.register(tenant.live)
    for _ in range(REQUESTS_PER_MINUTE):
        answer = await steps.call(tenant.live, "POST", f"/{webhook['id']}/test")
        assert answer.status_code == 202
    again = f"/{webhook['id']}/deliveries/{answer.json()['data']['id']}/redeliver"
    for path in (f"/{webhook['id']}/test", again):
        answer = await steps.call(tenant.live, "POST", path)
        assert_problem(answer, 429, "rate_limited")
        assert answer.headers["retry-after"] == "50"
    assert await installation.db.fetchval("SELECT count(*) FROM webhook_deliveries") == REQUESTS_PER_MINUTE
    other = await installation.tenant()
    webhook_of_other = await steps.register(other.live)
    assert (await steps.call(other.live, "POST", f"/{webhook_of_other['id']}/test")).status_code == 202
    installation.clock.advance(minutes=1)
    assert (await steps.call(tenant.live, "POST", again)).status_code == 202


async def test_jobs_of_deliveries_say_whose_they_are(installation, steps, tenant):
    webhook = await steps.register(tenant.live)
    await steps.call(tenant.live, "POST", f"/{webhook['id']}/test")
    shares = await installation.db.fetch("SELECT share FROM jobs WHERE kind = 'webhook.deliver'")
    assert [row[0] for row in shares] == [f"{tenant.workspace.id}/{webhook['id']}"]


class TestRedelivery:
    async def redeliver(self, steps, tenant, webhook, delivery_id):
        return await steps.call(tenant.live, "POST", f"/{webhook['id']}/deliveries/{delivery_id}/redeliver")

    async def test_it_sends_the_same_event_again_and_attempt_numbers_go_on(self, installation, steps, tenant):
        webhook = await steps.register(tenant.live)
        await steps.event(tenant)
        await steps.run()
        (delivery,) = await steps.deliveries(tenant.live, webhook["id"])
        installation.clock.advance(hours=1)
        answer = await self.redeliver(steps, tenant, webhook, delivery["id"])
        assert answer.status_code == 202
        data = answer.json()["data"]
        assert (data["status"], data["attempt_count"]) == ("pending", 1)
        assert data["next_attempt_at"] == "2026-11-15T10:30:10.000000+00:00"
        steps.receiver.script(500)
        (retry,) = await steps.run()
        assert retry.delay == pytest.approx(5, rel=0.15), "the delays start again"
        assert retry.payload.attempt == 3
        assert await steps.deliver(retry) == []
        first, second, third = steps.receiver.received
        assert first.id == second.id == third.id and first.body == second.body
        (delivery,) = await steps.deliveries(tenant.live, webhook["id"])
        assert delivery["status"] == "succeeded"
        assert [attempt["attempt"] for attempt in delivery["attempts"]] == [1, 2, 3]

    async def test_a_failed_delivery_has_a_whole_round_again(self, installation, steps, tenant):
        webhook = await steps.register(tenant.live)
        await steps.event(tenant)
        steps.receiver.script(*[500] * 16)
        jobs = await steps.fan_out()
        while jobs:
            jobs = await steps.deliver(*jobs)
        (delivery,) = await steps.deliveries(tenant.live, webhook["id"])
        assert delivery["attempt_count"] == 8
        await self.redeliver(steps, tenant, webhook, delivery["id"])
        jobs = await steps.fan_out()
        while jobs:
            jobs = await steps.deliver(*jobs)
        (delivery,) = await steps.deliveries(tenant.live, webhook["id"])
        assert (delivery["attempt_count"], delivery["status"]) == (16, "failed")

    async def test_one_that_waits_for_its_pause_is_sent_now_and_not_twice(self, installation, steps, tenant):
        webhook = await steps.register(tenant.live)
        await steps.event(tenant)
        steps.receiver.script(500)
        (job,) = await steps.fan_out()
        from sightline.webhooks.deliveries.deliver import deliver

        await deliver(
            installation.db, steps.sender, job.payload, clock=installation.clock
        )  # its retry stays in the queue
        (delivery,) = await steps.deliveries(tenant.live, webhook["id"])
        for _ in range(2):
            assert (await self.redeliver(steps, tenant, webhook, delivery["id"])).status_code == 202
        jobs = await steps.fan_out()
        assert len(jobs) == 2, "the old one with its pause, the new one without"
        assert sorted(job.delay > 1 for job in jobs) == [False, True]
        await steps.deliver(*sorted(jobs, key=lambda job: job.delay))
        assert len(steps.receiver.received) == 2

    async def test_unknown_deliveries_and_those_of_another_endpoint_are_not_found(self, installation, steps, tenant):
        webhook, other = await steps.register(tenant.live), await steps.register(tenant.live)
        await steps.event(tenant)
        await steps.fan_out()
        foreign = (await steps.deliveries(tenant.live, other["id"]))[0]["id"]
        for delivery_id in (new_id(), "nonsense", foreign):
            assert_problem(await self.redeliver(steps, tenant, webhook, delivery_id), 404, "not_found")

    async def test_a_disabled_endpoint_is_refused_and_nothing_changes(self, installation, steps, tenant):
        webhook = await steps.register(tenant.live)
        await steps.event(tenant)
        await steps.run()
        await steps.call(tenant.live, "PATCH", f"/{webhook['id']}", status="disabled")
        (before,) = await steps.deliveries(tenant.live, webhook["id"])
        answer = await self.redeliver(steps, tenant, webhook, before["id"])
        assert assert_problem(answer, 422, "validation_failed")["errors"][0]["code"] == "disabled"
        assert await steps.deliveries(tenant.live, webhook["id"]) == [before]
        assert await steps.fan_out() == []


async def test_the_history_is_paged_newest_first_and_shows_the_latest_attempts(installation, steps, tenant):
    webhook = await steps.register(tenant.live)
    for _ in range(53):
        await steps.event(tenant)
        installation.clock.advance(seconds=1)
        await steps.fan_out()
    first = (await steps.call(tenant.live, "GET", f"/{webhook['id']}/deliveries")).json()
    cursor = first["meta"]["next_cursor"]
    second = (await steps.call(tenant.live, "GET", f"/{webhook['id']}/deliveries?cursor={cursor}")).json()
    rows = first["data"] + second["data"]
    assert (len(first["data"]), len(rows), second["meta"]["has_more"]) == (50, 53, False)
    assert [row["created_at"] for row in rows] == sorted((row["created_at"] for row in rows), reverse=True)
    other = await steps.register(tenant.live)
    answer = await steps.call(tenant.live, "GET", f"/{other['id']}/deliveries?cursor={cursor}")
    assert_problem(answer, 400, "invalid_cursor")


async def test_of_very_many_attempts_the_latest_are_shown(installation, steps, tenant):
    webhook = await steps.register(tenant.live)
    await steps.event(tenant)
    await steps.run()
    (delivery,) = await steps.deliveries(tenant.live, webhook["id"])
    for _ in range(SHOWN_ATTEMPTS + 2):
        installation.clock.advance(minutes=1)
        await steps.call(tenant.live, "POST", f"/{webhook['id']}/deliveries/{delivery['id']}/redeliver")
        await steps.run()
    (delivery,) = await steps.deliveries(tenant.live, webhook["id"])
    assert delivery["attempt_count"] == SHOWN_ATTEMPTS + 3
    assert [attempt["attempt"] for attempt in delivery["attempts"]] == list(range(4, SHOWN_ATTEMPTS + 4))


async def test_what_is_older_than_its_days_is_forgotten_and_nothing_else(installation, steps, tenant):
    webhook, gone = await steps.register(tenant.live), await steps.register(tenant.live)
    await steps.event(tenant, "scan.failed")
    await steps.run()
    await steps.call(tenant.live, "DELETE", f"/{gone['id']}")
    steps.receiver.script(500)
    await steps.event(tenant, "scan.completed")
    await steps.run()  # waits for its second attempt, and must not vanish under it
    await steps.event(tenant, livemode=False)  # nobody wanted to hear of this one
    installation.clock.advance(days=20)
    await steps.event(tenant, "report.ready")
    await steps.run()
    installation.clock.advance(days=11)
    async with installation.db.transaction() as tx:
        before = installation.clock() - timedelta(days=30)
        assert await delete_old_deliveries_any_workspace(tx, before=before) > 0
        assert await delete_old_deliveries_any_workspace(tx, before=before) == 0
    left = [(row["event_type"], row["status"]) for row in await steps.deliveries(tenant.live, webhook["id"])]
    assert left == [("report.ready", "succeeded"), ("scan.completed", "pending")]
    assert await installation.db.fetchval("SELECT count(*) FROM webhook_attempts") == 2
    assert await installation.db.fetchval("SELECT array_agg(type ORDER BY type) FROM events") == [
        "report.ready",
        "scan.completed",
    ]
    assert await installation.db.fetchval("SELECT count(*) FROM webhook_endpoints") == 1


async def test_history_of_a_removed_endpoint_is_not_found(client, steps, tenant):
    webhook = await steps.register(tenant.live)
    await steps.call(tenant.live, "DELETE", f"/{webhook['id']}")
    answer = await client.get(f"{URL}/{webhook['id']}/deliveries", headers={"X-API-Key": tenant.live})
    assert_problem(answer, 404, "not_found")

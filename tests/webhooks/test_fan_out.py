"""Fan-out of events to deliveries."""

import asyncio
from datetime import timedelta

import pytest

from sightline.events import EventJob
from sightline.webhooks.deliveries import models
from sightline.webhooks.deliveries.fan_out import fan_out, sweep_deliveries_any_workspace
from sightline.webhooks.deliveries.models import DeliverJob


async def counts(installation):
    row = await installation.db.fetchrow(
        """SELECT (SELECT count(*) FROM webhook_deliveries),
                  (SELECT count(*) FROM jobs WHERE kind = 'webhook.deliver')"""
    )
    return tuple(row)


async def test_an_event_goes_to_every_enabled_endpoint_that_wants_it(installation, steps, tenant):
    everything = await steps.register(tenant.live)
    listed = await steps.register(tenant.live, events=["scan.failed", "scan.completed"])
    other = await steps.register(tenant.live, events=["scan.failed"])
    disabled = await steps.register(tenant.live)
    await steps.call(tenant.live, "PATCH", f"/{disabled['id']}", status="disabled")
    removed = await steps.register(tenant.live)
    await steps.call(tenant.live, "DELETE", f"/{removed['id']}")
    event_id = await steps.event(tenant)
    jobs = await steps.fan_out()
    assert len(jobs) == 2
    assert all(isinstance(job.payload, DeliverJob) and job.payload.attempt == 1 and job.delay == 0 for job in jobs)
    for webhook, expected in ((everything, 1), (listed, 1), (other, 0), (disabled, 0)):
        found = await steps.deliveries(tenant.live, webhook["id"])
        assert [(row["event_id"], row["event_type"]) for row in found] == [(str(event_id), "scan.completed")] * expected


async def test_live_events_go_to_live_endpoints_and_test_events_to_test_endpoints(steps, tenant):
    live, test = await steps.register(tenant.live), await steps.register(tenant.test)
    await steps.event(tenant, livemode=False)
    assert len(await steps.fan_out()) == 1
    assert await steps.deliveries(tenant.live, live["id"]) == []
    assert len(await steps.deliveries(tenant.test, test["id"])) == 1


async def test_nothing_goes_to_another_workspace(installation, steps, tenant):
    stranger = await installation.tenant()
    webhook = await steps.register(stranger.live)
    await steps.event(tenant)
    assert await steps.fan_out() == []
    assert await steps.deliveries(stranger.live, webhook["id"]) == []


async def test_running_twice_and_at_once_makes_one_delivery_and_one_job(installation, steps, tenant):
    await steps.register(tenant.live)
    event_id = await steps.event(tenant)
    job = EventJob(tenant.workspace.id, event_id)
    await asyncio.gather(*(fan_out(installation.db, job, now=installation.clock()) for _ in range(4)))
    await fan_out(installation.db, job, now=installation.clock())
    assert await counts(installation) == (1, 1)


async def test_an_event_that_is_gone_is_no_trouble(installation, tenant):
    await fan_out(installation.db, EventJob(tenant.workspace.id, tenant.workspace.id), now=installation.clock())
    assert await counts(installation) == (0, 0)


class TestSweep:
    async def sweep(self, installation):
        async with installation.db.transaction() as tx:
            return await sweep_deliveries_any_workspace(tx, now=installation.clock())

    async def test_a_due_delivery_without_a_job_gets_one_again(self, installation, steps, tenant):
        await steps.register(tenant.live)
        await steps.event(tenant)
        (lost,) = await steps.fan_out()
        assert await self.sweep(installation) == 0, "not late enough"
        installation.clock.advance(minutes=1, seconds=1)
        assert await self.sweep(installation) == 1
        (job,) = await steps.take(models.JOB)
        assert (job.payload, job.key, job.delay) == (lost.payload, lost.key, 0)

    async def test_one_that_has_a_job_keeps_it(self, installation, steps, tenant):
        await steps.register(tenant.live)
        await steps.event(tenant)
        await steps.fan_out()
        installation.clock.advance(minutes=2)
        assert await self.sweep(installation) == 1
        assert await self.sweep(installation) == 0
        assert await counts(installation) == (1, 1)

    async def test_a_retry_is_swept_with_its_number(self, installation, steps, tenant):
        await steps.register(tenant.live)
        await steps.event(tenant)
        steps.receiver.script(500)
        (retry,) = await steps.run()
        installation.clock.advance(minutes=5)
        assert await self.sweep(installation) == 1
        (job,) = await steps.take(models.JOB)
        assert (job.payload, job.key) == (retry.payload, retry.key)
        assert job.payload.attempt == 2

    @pytest.mark.parametrize("answer", [200, 410])
    async def test_ended_deliveries_are_left_alone(self, installation, steps, tenant, answer):
        await steps.register(tenant.live)
        await steps.event(tenant)
        steps.receiver.script(answer)
        assert await steps.run() == []
        installation.clock.now += timedelta(days=1)
        assert await self.sweep(installation) == 0

"""Endpoints that are disabled or removed: nothing is sent, and pending deliveries end with a reason."""

import asyncio

import pytest
from structlog.testing import capture_logs

from sightline.accounts.models import Role
from sightline.mail import emails
from sightline.webhooks.deliveries.deliver import deliver


async def fail_one(steps, tenant, answer=500):
    """Record one event with one failed attempt, and drop the jobs of its next attempts."""
    await steps.event(tenant)
    steps.receiver.script(answer)
    return await steps.deliver(*(await steps.fan_out())[-1:])


async def test_410_disables_the_endpoint(installation, steps, tenant):
    webhook = await steps.register(tenant.live)
    assert await fail_one(steps, tenant, 410) == []
    read = await steps.read(tenant.live, webhook["id"])
    assert (read["status"], read["disabled_reason"]) == ("disabled", "gone")
    (delivery,) = await steps.deliveries(tenant.live, webhook["id"])
    assert (delivery["status"], delivery["failure_reason"]) == ("failed", "gone")
    await steps.event(tenant)
    assert await steps.fan_out() == []
    assert await steps.take(emails.JOB) == [], "the receiver itself said so"


async def test_five_days_of_failure_disable_the_endpoint_and_mail_the_owners(installation, steps, tenant):
    second = await installation.member(tenant, Role.OWNER)
    await installation.member(tenant, Role.ADMIN)
    webhook = await steps.register(tenant.live, steps.receiver.url("/hook?token=abc"))
    await fail_one(steps, tenant)
    installation.clock.advance(days=4, hours=23, minutes=59)
    (waiting,) = await fail_one(steps, tenant)
    assert (await steps.read(tenant.live, webhook["id"]))["status"] == "enabled"
    installation.clock.advance(minutes=1)
    assert await fail_one(steps, tenant) == []
    read = await steps.read(tenant.live, webhook["id"])
    assert (read["status"], read["disabled_reason"]) == ("disabled", "failing")
    delivery = await steps.deliveries(tenant.live, webhook["id"])
    assert {(row["status"], row["failure_reason"]) for row in delivery} == {("failed", "webhook_disabled")}
    sent = [job.payload for job in await steps.take(emails.JOB)]
    assert sorted(email.to for email in sent) == sorted([tenant.owner.email, second.email])
    assert all("127.0.0.1" in email.subject and webhook["id"] in email.text for email in sent)
    assert not any("token" in email.text for email in sent)
    before = len(steps.receiver.received)
    assert await steps.deliver(waiting) == []
    assert len(steps.receiver.received) == before


@pytest.mark.parametrize(("answer", "code"), [(410, "gone"), (500, "failing")])
async def test_an_endpoint_that_is_disabled_leaves_a_log_line(installation, steps, tenant, answer, code):
    webhook = await steps.register(tenant.live)
    if code == "failing":
        await fail_one(steps, tenant)
        installation.clock.advance(days=5)
    with capture_logs() as lines:
        await fail_one(steps, tenant, answer)
    assert [line for line in lines if line["event"] == "webhook_disabled"] == [
        {
            "event": "webhook_disabled",
            "log_level": "warning",
            "workspace_id": tenant.id,
            "webhook_id": webhook["id"],
            "code": code,
        }
    ]


async def test_a_success_starts_the_five_days_anew(installation, steps, tenant):
    webhook = await steps.register(tenant.live)
    await fail_one(steps, tenant)
    installation.clock.advance(days=4)
    await steps.event(tenant)
    await steps.run()
    installation.clock.advance(days=4)
    await fail_one(steps, tenant)
    assert (await steps.read(tenant.live, webhook["id"]))["status"] == "enabled"
    installation.clock.advance(days=5)
    await fail_one(steps, tenant)
    assert (await steps.read(tenant.live, webhook["id"]))["status"] == "disabled"


async def test_many_failures_at_once_disable_it_once(installation, steps, tenant):
    await steps.register(tenant.live)
    await fail_one(steps, tenant)
    installation.clock.advance(days=6)
    for _ in range(4):
        await steps.event(tenant)
    jobs = await steps.fan_out()
    steps.receiver.script(*[500] * 4)
    await asyncio.gather(
        *(deliver(installation.db, steps.sender, job.payload, clock=installation.clock) for job in jobs)
    )
    assert await steps.deliver() == []
    assert len(await steps.take(emails.JOB)) == 1
    assert await installation.db.fetchval("SELECT count(*) FROM webhook_deliveries WHERE status = 'pending'") == 0


@pytest.mark.parametrize(("method", "reason"), [("PATCH", "webhook_disabled"), ("DELETE", "webhook_removed")])
async def test_what_waits_for_a_disabled_or_removed_endpoint_ends_at_once(installation, steps, tenant, method, reason):
    webhook = await steps.register(tenant.live)
    await steps.event(tenant)
    (job,) = await steps.fan_out()
    await steps.call(tenant.live, method, f"/{webhook['id']}", **({"status": "disabled"} if method == "PATCH" else {}))
    row = await installation.db.fetchrow("SELECT status, failure_reason, next_attempt_at FROM webhook_deliveries")
    assert tuple(row) == ("failed", reason, None)
    assert await steps.deliver(job) == []
    assert steps.receiver.received == []


@pytest.mark.parametrize(("status", "reason"), [("disabled", "webhook_disabled"), ("removed", "webhook_removed")])
async def test_a_delivery_that_was_made_while_the_endpoint_went_away_is_not_sent(
    installation, steps, tenant, status, reason
):
    await steps.register(tenant.live)
    await steps.event(tenant)
    (job,) = await steps.fan_out()
    await installation.db.execute("UPDATE webhook_endpoints SET status = $1", status)
    assert await steps.deliver(job) == []
    assert steps.receiver.received == []
    row = await installation.db.fetchrow("SELECT status, failure_reason, attempts FROM webhook_deliveries")
    assert tuple(row) == ("failed", reason, 0)


@pytest.mark.parametrize(("answer", "outcome"), [(200, ("succeeded", None)), (500, ("failed", "webhook_disabled"))])
async def test_an_attempt_under_way_while_it_is_disabled_is_recorded_as_it_was(
    installation, steps, tenant, answer, outcome
):
    webhook = await steps.register(tenant.live)
    await steps.event(tenant)
    (job,) = await steps.fan_out()
    steps.receiver.script(answer)
    send = steps.sender.send

    class Slow:
        random_share, keeps_inside = steps.sender.random_share, steps.sender.keeps_inside

        async def send(self, *args, **named):
            sent = await send(*args, **named)
            await steps.call(tenant.live, "PATCH", f"/{webhook['id']}", status="disabled")
            return sent

    await deliver(installation.db, Slow(), job.payload, clock=installation.clock)
    (delivery,) = await steps.deliveries(tenant.live, webhook["id"])
    assert ((delivery["status"], delivery["failure_reason"]), delivery["attempt_count"]) == (outcome, 1)
    assert await steps.deliver() == []


async def test_an_attempt_that_another_worker_has_recorded_counts_for_nothing(installation, steps, tenant):
    await steps.register(tenant.live)
    await steps.event(tenant)
    (job,) = await steps.fan_out()
    send = steps.sender.send
    steps.receiver.script(410)

    class Overtaken:
        random_share, keeps_inside = steps.sender.random_share, steps.sender.keeps_inside

        async def send(self, *args, **named):
            sent = await send(*args, **named)
            await deliver(installation.db, steps.sender, job.payload, clock=installation.clock)  # gets a 200 meanwhile
            return sent

    await deliver(installation.db, Overtaken(), job.payload, clock=installation.clock)
    assert tuple(await installation.db.fetchrow("SELECT status, attempts FROM webhook_deliveries")) == ("succeeded", 1)
    row = await installation.db.fetchrow("SELECT status, failing_since FROM webhook_endpoints")
    assert tuple(row) == ("enabled", None)


async def test_enabling_and_another_address_start_with_a_clean_record(installation, steps, tenant):
    webhook = await steps.register(tenant.live)
    for change in ({"status": "enabled"}, {"url": steps.receiver.url("/new")}):
        await fail_one(steps, tenant)
        installation.clock.advance(days=6)
        await steps.call(tenant.live, "PATCH", f"/{webhook['id']}", **change)
        await fail_one(steps, tenant)
        assert (await steps.read(tenant.live, webhook["id"]))["status"] == "enabled"
    assert steps.receiver.received[-1].path == "/new"


async def test_describing_a_failing_endpoint_anew_does_not_save_it(installation, steps, tenant):
    webhook = await steps.register(tenant.live)
    await fail_one(steps, tenant)
    installation.clock.advance(days=6)
    await steps.call(tenant.live, "PATCH", f"/{webhook['id']}", description="x")
    await fail_one(steps, tenant)
    assert (await steps.read(tenant.live, webhook["id"]))["status"] == "disabled"


async def test_an_enabled_endpoint_hears_of_new_events_again(steps, tenant):
    webhook = await steps.register(tenant.live)
    await fail_one(steps, tenant, 410)
    answer = await steps.call(tenant.live, "PATCH", f"/{webhook['id']}", status="enabled")
    assert (answer.json()["data"]["status"], answer.json()["data"]["disabled_reason"]) == ("enabled", None)
    await steps.event(tenant)
    await steps.run()
    assert len(steps.receiver.received) == 2

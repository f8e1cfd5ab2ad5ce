"""One attempt: what is sent, what is recorded, and what follows."""

import asyncio
import json
from datetime import datetime, timedelta

import pytest

from sightline.db.engine import Database
from sightline.http.session import USER_AGENT
from sightline.webhooks.deliveries.deliver import deliver
from sightline.webhooks.deliveries.retry import RETRY_DELAYS
from sightline.webhooks.deliveries.sender import open_webhook_sender
from tests.http.test_egress import Names


async def test_a_delivery_follows_standard_webhooks_and_is_recorded(installation, steps, tenant):
    webhook = await steps.register(tenant.live)
    event_id = await steps.event(tenant, name="ü")
    assert await steps.run() == []
    (got,) = steps.receiver.received
    assert got.signed_by(webhook["secret"], now=installation.clock().timestamp())
    assert got.id == str(event_id)
    assert got.headers["webhook-timestamp"] == str(int(installation.clock().timestamp()))
    assert got.headers["content-type"] == "application/json"
    assert got.headers["user-agent"] == USER_AGENT
    assert json.loads(got.body) == {
        "type": "scan.completed",
        "timestamp": "2026-11-15T09:30:10.000000+00:00",
        "data": {"workspace_id": str(tenant.workspace.id), "livemode": True, "name": "ü"},
    }
    assert got.body == await installation.db.fetchval("SELECT body FROM events")
    (delivery,) = await steps.deliveries(tenant.live, webhook["id"])
    attempt = delivery["attempts"][0]
    assert delivery == {
        "id": delivery["id"],
        "webhook_id": webhook["id"],
        "event_id": str(event_id),
        "event_type": "scan.completed",
        "status": "succeeded",
        "failure_reason": None,
        "attempt_count": 1,
        "next_attempt_at": None,
        "created_at": "2026-11-15T09:30:10.000000+00:00",
        "request_body": got.body.decode(),
        "attempts": [attempt],
    }
    assert attempt == {
        "attempt": 1,
        "attempted_at": "2026-11-15T09:30:10.000000+00:00",
        "request_headers": {name: got.headers[name] for name in attempt["request_headers"]},
        "response_status": 200,
        "response_body": "answered 200",
        "error": None,
        "duration_ms": attempt["duration_ms"],
    }
    assert set(attempt["request_headers"]) >= {"webhook-id", "webhook-timestamp", "webhook-signature"}


@pytest.mark.parametrize("answer", [201, 202, 204, 299])
async def test_success_is_2xx(steps, tenant, answer):
    webhook = await steps.register(tenant.live)
    await steps.event(tenant)
    steps.receiver.script(answer)
    assert await steps.run() == []
    assert (await steps.deliveries(tenant.live, webhook["id"]))[0]["status"] == "succeeded"


@pytest.mark.parametrize(
    ("answer", "status", "error"),
    [
        (400, 400, None),
        (404, 404, None),
        (500, 500, None),
        (304, 304, "redirects are not followed"),
        ("redirect", 307, "redirects are not followed"),
        ("silent", None, "no complete response within 1.5 seconds"),
        ("drip", None, "no complete response within 1.5 seconds"),
        ("cut", None, "the connection was closed before the response was complete"),
    ],
)
async def test_everything_else_is_a_failure_that_says_why(steps, tenant, answer, status, error):
    webhook = await steps.register(tenant.live)
    await steps.event(tenant)
    steps.receiver.script(answer)
    (retry,) = await steps.run()
    assert retry.payload.attempt == 2
    assert len(steps.receiver.received) == 1, "nothing is followed"
    (delivery,) = await steps.deliveries(tenant.live, webhook["id"])
    assert (delivery["status"], delivery["failure_reason"]) == ("pending", None)
    attempt = delivery["attempts"][0]
    assert (attempt["response_status"], attempt["error"]) == (status, error)
    assert (attempt["response_body"] is None) == (status is None)


async def test_the_first_4_kib_of_the_answer_are_kept_and_no_more_is_read(steps, tenant):
    webhook = await steps.register(tenant.live)
    await steps.event(tenant)
    steps.receiver.script("huge")
    await steps.run()
    (delivery,) = await steps.deliveries(tenant.live, webhook["id"])
    assert delivery["attempts"][0]["response_body"] == "x" * 4_096


async def test_retries_come_after_the_pauses_with_the_same_id_and_body_and_then_it_has_failed(
    installation, steps, tenant
):
    webhook = await steps.register(tenant.live)
    await steps.event(tenant)
    steps.receiver.script(*[500] * 8)
    delays, jobs = [], await steps.fan_out()
    for _ in range(8):
        jobs = await steps.deliver(*jobs)
        delays += [job.delay for job in jobs]
        delivery = (await steps.deliveries(tenant.live, webhook["id"]))[0]
        if jobs:
            assert delivery["next_attempt_at"] > delivery["attempts"][-1]["attempted_at"]
        installation.clock.advance(seconds=jobs[0].delay if jobs else 0)
    assert jobs == []
    assert delays == pytest.approx([pause.total_seconds() for pause in RETRY_DELAYS], rel=0.15)
    received = steps.receiver.received
    assert len({got.id for got in received}) == len({got.body for got in received}) == 1
    stamps = [int(got.headers["webhook-timestamp"]) for got in received]
    assert stamps == sorted(set(stamps)), "each attempt is signed with its own time"
    assert all(got.signed_by(webhook["secret"]) for got in received)
    assert (delivery["status"], delivery["failure_reason"], delivery["attempt_count"]) == (
        "failed",
        "attempts_exhausted",
        8,
    )
    assert [attempt["attempt"] for attempt in delivery["attempts"]] == list(range(1, 9))


async def test_a_job_that_runs_twice_changes_nothing(steps, tenant):
    webhook = await steps.register(tenant.live)
    await steps.event(tenant)
    (job,) = await steps.fan_out()
    steps.receiver.script(500)
    (retry,) = await steps.deliver(job)
    assert await steps.deliver(job, job) == []
    assert await steps.deliver(retry, retry, job) == []
    assert len(steps.receiver.received) == 2
    (delivery,) = await steps.deliveries(tenant.live, webhook["id"])
    assert (delivery["status"], delivery["attempt_count"]) == ("succeeded", 2)


@pytest.mark.parametrize("answer", [200, 500])
async def test_two_workers_with_the_same_attempt_record_it_once(installation, steps, tenant, answer):
    webhook = await steps.register(tenant.live)
    await steps.event(tenant)
    (job,) = await steps.fan_out()
    steps.receiver.script(*[answer] * 3)
    await asyncio.gather(
        *(deliver(installation.db, steps.sender, job.payload, clock=installation.clock) for _ in range(3))
    )
    assert len(await steps.deliver()) == (0 if answer == 200 else 1), "one next attempt at most"
    (delivery,) = await steps.deliveries(tenant.live, webhook["id"])
    assert (delivery["attempt_count"], len(delivery["attempts"])) == (1, 1)


async def test_during_rotation_both_secrets_sign_and_after_a_day_only_the_new_one(installation, steps, tenant):
    webhook = await steps.register(tenant.live)
    answer = await steps.call(tenant.live, "POST", f"/{webhook['id']}/rotate-secret")
    old, new = webhook["secret"], answer.json()["data"]["secret"]
    assert old != new
    for hours, count in ((0, 2), (23.99, 2), (0.01, 1)):
        installation.clock.advance(hours=hours)
        await steps.event(tenant)
        await steps.run()
        got = steps.receiver.received[-1]
        assert len(got.headers["webhook-signature"].split(" ")) == count
        assert got.signed_by(new)
        assert got.signed_by(old) == (count == 2)


async def test_a_name_that_resolves_to_a_private_address_is_not_contacted_and_the_address_not_told(
    installation, tenant, steps
):
    webhook = await steps.register(tenant.live, "https://hooks.acme.com/x")
    for number, addresses in enumerate((["10.1.2.3"], ["93.184.216.34", "10.1.2.3"], ["169.254.169.254"])):
        await steps.event(tenant)
        job = (await steps.fan_out())[-1]
        async with open_webhook_sender(installation.app_context.settings, resolver=Names(addresses)) as sender:
            await deliver(installation.db, sender, job.payload, clock=installation.clock)
        delivery = (await steps.deliveries(tenant.live, webhook["id"]))[0]
        assert delivery["attempt_count"] == 1
        assert delivery["attempts"][0]["error"] == "not sent: the address is not a public one"
        assert "10.1.2.3" not in json.dumps(delivery)
        installation.clock.advance(seconds=number + 1)


async def test_an_address_that_was_allowed_at_registration_and_is_not_any_more_is_not_contacted(
    installation, steps, tenant
):
    webhook = await steps.register(tenant.live)
    await steps.event(tenant)
    (job,) = await steps.fan_out()
    strict = installation.app_context.settings.model_copy(update={"webhook_allow_loopback": False})
    async with open_webhook_sender(strict) as sender:
        await deliver(installation.db, sender, job.payload, clock=installation.clock)
    assert steps.receiver.received == []
    (delivery,) = await steps.deliveries(tenant.live, webhook["id"])
    assert delivery["attempts"][0]["error"].startswith("not sent: ")


async def test_a_secret_that_does_not_open_is_a_failure_that_says_what_to_do(installation, steps, tenant):
    webhook = await steps.register(tenant.live)
    await steps.event(tenant)
    await installation.db.execute("UPDATE webhook_endpoints SET secret = '\\x0102030405'")
    await steps.run()
    assert steps.receiver.received == []
    (delivery,) = await steps.deliveries(tenant.live, webhook["id"])
    assert delivery["attempts"][0]["error"] == "the signing secret cannot be decrypted: rotate the secret"


async def test_connections_are_kept_between_deliveries(steps, tenant):
    await steps.register(tenant.live)
    for _ in range(5):
        await steps.event(tenant)
        await steps.run()
    assert len({got.peer for got in steps.receiver.received}) == 1


class CountingDatabase(Database):
    """Counts statements and transactions."""

    def __init__(self, url: str, *, pool_size: int) -> None:
        super().__init__(url, pool_size=pool_size)
        self.asked: list[str] = []

    def __getattribute__(self, name: str):
        if name in {"fetch", "fetchrow", "fetchval", "execute", "transaction"}:
            self.asked.append(name)
        return super().__getattribute__(name)


async def test_a_usual_delivery_takes_two_statements(installation, steps, tenant):
    await steps.register(tenant.live)
    await steps.event(tenant)
    (job,) = await steps.fan_out()
    db = CountingDatabase(installation.db.url, pool_size=1)
    await db.open()
    await deliver(db, steps.sender, job.payload, clock=installation.clock)
    assert len(db.asked) == 2 and "transaction" not in db.asked
    await db.close()


async def test_the_next_attempt_is_as_late_as_its_job(installation, steps, tenant):
    webhook = await steps.register(tenant.live)
    await steps.event(tenant)
    steps.receiver.script(500)
    (retry,) = await steps.run()
    (delivery,) = await steps.deliveries(tenant.live, webhook["id"])
    due = installation.clock() + timedelta(seconds=retry.delay)
    assert abs(datetime.fromisoformat(delivery["next_attempt_at"]) - due) < timedelta(seconds=1)

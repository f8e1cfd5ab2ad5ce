"""The progress stream of a scan: what is sent, when, and how it ends."""

import uuid

import msgspec
import pytest

from sightline.scans.progress import KEEP_ALIVE, PAUSE, follow_scan
from sightline.scans.queries import find_scan
from tests.console_customers import METRICS, Customer


@pytest.fixture
async def customer(installation, client):
    return await Customer.create(installation, client)


def parse(chunk):
    name, data = chunk.decode().removesuffix("\n\n").split("\n")
    return name.removeprefix("event: "), msgspec.json.decode(data.removeprefix("data: "))


async def follow(customer, scan_id, *steps):
    """Return what is sent if one step happens during each pause. No real time passes."""
    remaining = list(steps)
    slept = []

    async def sleep(seconds):
        slept.append(seconds)
        await remaining.pop(0)()

    scan = await find_scan(customer.installation.db, customer.workspace_id, uuid.UUID(scan_id))
    chunks = [chunk async for chunk in follow_scan(customer.installation.db, scan, sleep=sleep)]
    assert not remaining and set(slept) <= {PAUSE}
    return chunks


def count_answers(customer, completed):
    return lambda: customer.installation.db.execute("UPDATE scans SET answers_completed = $1", completed)


async def do_nothing():
    pass


async def test_progress_is_sent_when_counts_or_status_change_and_an_end_event_follows(customer):
    scan_id = await customer.accepted(keywords=["aa", "bb", "cc"])
    chunks = await follow(
        customer,
        scan_id,
        do_nothing,
        lambda: customer.move(scan_id, "running"),
        count_answers(customer, 1),
        do_nothing,
        count_answers(customer, 3),
        lambda: customer.installation.db.execute("UPDATE scans SET status = 'completed', completed_at = now()"),
    )
    events = [parse(chunk) for chunk in chunks]
    assert [(name, data["status"], data["answers_completed"]) for name, data in events] == [
        ("progress", "pending", 0),
        ("progress", "running", 0),
        ("progress", "running", 1),
        ("progress", "running", 3),
        ("progress", "completed", 3),
        ("end", "completed", 3),
    ]


async def test_a_stream_without_progress_gets_a_comment_every_fifteen_seconds(customer):
    scan_id = await customer.accepted()
    pauses = int(KEEP_ALIVE / PAUSE)
    chunks = await follow(customer, scan_id, *[do_nothing] * pauses * 2, lambda: customer.move(scan_id, "cancelled"))
    assert [chunk[:1] for chunk in chunks] == [b"e", b":", b":", b"e", b"e"]


async def test_the_stream_of_an_ended_scan_sends_it_once_and_ends(customer):
    scan_id = await customer.accepted()
    await customer.move(scan_id, "running", "completed", metrics=METRICS)
    async with customer.client.stream(
        "GET", f"/api/v1/console/scans/{scan_id}/events", headers={"X-API-Key": customer.key}
    ) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/event-stream"
        assert answer.headers["cache-control"] == "no-store"
        assert "x-request-id" in answer.headers and "x-ratelimit-limit" in answer.headers
        text = (await answer.aread()).decode()
    progress, end = [parse(f"{event}\n\n".encode()) for event in text.split("\n\n") if event]
    scan = (await customer.get(f"/{scan_id}")).json()["data"]
    assert progress == ("progress", scan) and end == ("end", scan)


async def test_a_scan_that_does_not_exist_has_no_events(customer, installation, client):
    from tests.api.assertions import assert_problem

    scan_id = await customer.accepted()
    other = await Customer.create(installation, client)
    for key, path in ((other.key, scan_id), (customer.tenant.test, scan_id), (customer.key, "nonsense")):
        assert_problem(await customer.get(f"/{path}/events", key), 404, "scan_not_found")

"""Following a scan: what is sent, when, and that it ends."""

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


async def follow(customer, scan_id, *happenings):
    """What is sent while one thing after another happens, one at each look; time does not pass."""
    todo = list(happenings)
    slept = []

    async def sleep(seconds):
        slept.append(seconds)
        await todo.pop(0)()

    scan = await find_scan(customer.installation.db, customer.workspace_id, uuid.UUID(scan_id))
    chunks = [chunk async for chunk in follow_scan(customer.installation.db, scan, sleep=sleep)]
    assert not todo and set(slept) <= {PAUSE}
    return chunks


def counted(customer, completed):
    return lambda: customer.installation.db.execute("UPDATE scans SET answers_completed = $1", completed)


async def nothing():
    pass


async def test_progress_whenever_counts_or_status_change_then_end(customer):
    scan_id = await customer.accepted(keywords=["aa", "bb", "cc"])
    chunks = await follow(
        customer,
        scan_id,
        nothing,
        lambda: customer.move(scan_id, "running"),
        counted(customer, 1),
        nothing,
        counted(customer, 3),
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


async def test_a_quiet_line_gets_a_comment_every_fifteen_seconds(customer):
    scan_id = await customer.accepted()
    looks = int(KEEP_ALIVE / PAUSE)
    chunks = await follow(customer, scan_id, *[nothing] * looks * 2, lambda: customer.move(scan_id, "cancelled"))
    assert [chunk[:1] for chunk in chunks] == [b"e", b":", b":", b"e", b"e"]


async def test_an_ended_scan_is_told_once_and_the_stream_ends_at_once(customer):
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


async def test_a_scan_that_is_not_there_has_no_events(customer, installation, client):
    from tests.api.assertions import assert_problem

    scan_id = await customer.accepted()
    other = await Customer.create(installation, client)
    for key, path in ((other.key, scan_id), (customer.tenant.test, scan_id), (customer.key, "nonsense")):
        assert_problem(await customer.get(f"/{path}/events", key), 404, "scan_not_found")

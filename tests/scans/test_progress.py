"""The progress stream of a scan: what is sent, when, and how it ends."""

import asyncio
import uuid

import msgspec
import pytest

from sightline.scans.progress import KEEP_ALIVE, ScanFeeds
from sightline.scans.queries import find_scan
from sightline.scans.schemas.scan_events import ScanStreamEvent
from tests.console_customers import METRICS, Customer


@pytest.fixture
async def customer(installation, client):
    return await Customer.create(installation, client)


def parse(chunk):
    """Return the fields of an event, with its data decoded."""
    fields = dict(line.split(": ", 1) for line in chunk.decode().removesuffix("\n\n").split("\n"))
    return {**fields, "data": msgspec.json.decode(fields["data"])} if "data" in fields else fields


class CountingDatabase:
    """The database, with a count of the statements that read scans."""

    def __init__(self, db):
        self._db = db
        self.reads = 0

    async def fetch(self, query, *args):
        self.reads += 1
        return await self._db.fetch(query, *args)

    async def fetchrow(self, query, *args):
        self.reads += 1
        return await self._db.fetchrow(query, *args)


async def read(customer, scan_id):
    return await find_scan(customer.installation.db, customer.workspace_id, uuid.UUID(scan_id))


async def follow(customer, scan_id, *steps, last_id=None):
    """Return the events that are sent if one step happens after each of them."""
    remaining = list(steps)
    feeds = ScanFeeds(customer.installation.db, pause=0.01)
    events = []
    async for chunk in feeds.follow(await read(customer, scan_id), last_id=last_id):
        events.append(parse(chunk))
        if remaining and events[-1].get("event") != "end":
            await remaining.pop(0)()
    assert not remaining
    return events


def count_answers(customer, completed):
    return lambda: customer.installation.db.execute("UPDATE scans SET answers_completed = $1", completed)


def complete(customer):
    return lambda: customer.installation.db.execute("UPDATE scans SET status = 'completed', completed_at = now()")


async def do_nothing():
    pass


async def test_progress_is_sent_when_counts_or_status_change_and_an_end_event_follows(customer):
    scan_id = await customer.accepted(keywords=["aa", "bb", "cc"])
    first, *events = await follow(
        customer,
        scan_id,
        do_nothing,
        lambda: customer.move(scan_id, "running"),
        count_answers(customer, 1),
        count_answers(customer, 3),
        complete(customer),
    )
    assert first == {"retry": "1000"}
    assert [(each["event"], each["data"]["status"], each["data"]["answers_completed"]) for each in events] == [
        ("progress", "pending", 0),
        ("progress", "running", 0),
        ("progress", "running", 1),
        ("progress", "running", 3),
        ("progress", "completed", 3),
        ("end", "completed", 3),
    ]
    assert all(msgspec.to_builtins(msgspec.convert(each, ScanStreamEvent)) == each for each in events)
    total = events[0]["data"]["answers_total"]
    assert [each["id"] for each in events[:2]] == [f"pending-{total}-0-0", f"running-{total}-0-0"]


async def test_a_client_that_resumes_gets_what_has_changed_since(customer):
    scan_id = await customer.accepted()
    await customer.move(scan_id, "running")
    seen = (await follow(customer, scan_id, do_nothing, complete(customer)))[1]["id"]
    await customer.installation.db.execute("UPDATE scans SET status = 'running', completed_at = NULL")
    same = await follow(customer, scan_id, complete(customer), last_id=seen)
    assert same[0] == {"retry": "1000", "id": seen}, "a client that has seen it all keeps its id"
    assert [(each.get("event"), each["data"]["status"]) for each in same[1:]] == [
        ("progress", "completed"),
        ("end", "completed"),
    ]
    for unknown in ("running-1-1-1", "nonsense", ""):
        assert [each.get("event") for each in await follow(customer, scan_id, last_id=unknown)] == [
            None,
            "progress",
            "end",
        ]


async def test_a_stream_without_progress_gets_comments(customer):
    scan_id = await customer.accepted()
    feeds = ScanFeeds(customer.installation.db, pause=0.01, keep_alive=0.02)
    events = feeds.follow(await read(customer, scan_id), last_id=None)
    assert [(await anext(events))[:1] for _ in range(4)] == [b"r", b"i", b":", b":"]
    await events.aclose()
    assert KEEP_ALIVE == 15


async def test_a_scan_is_read_once_however_many_follow_it(customer):
    """Two hundred listeners of one scan and one of another: each pause costs one statement for all of them."""
    db = CountingDatabase(customer.installation.db)
    first = await customer.accepted()
    other = await Customer.create(customer.installation, customer.client)
    second = await other.accepted()
    feeds = ScanFeeds(db, pause=0.01)
    streams = [feeds.follow(await read(customer, first), last_id=None, by_platform=True) for _ in range(200)]
    streams.append(feeds.follow(await read(other, second), last_id=None))

    async def listen(stream):
        return [chunk async for chunk in stream]

    listening = [asyncio.create_task(listen(stream)) for stream in streams]
    await asyncio.sleep(0)
    await count_answers(customer, 1)()
    await complete(customer)()
    heard = await asyncio.gather(*listening)
    assert all(chunks[-1].startswith(b"id: completed") for chunks in heard)
    assert db.reads < 30, "one statement for all scans, and three for each change"
    await asyncio.sleep(0.05)
    quiet = db.reads
    await asyncio.sleep(0.05)
    assert db.reads == quiet, "nobody follows a scan, and none is read"


async def test_the_event_stream_of_an_ended_scan_sends_the_scan_once_and_closes(customer):
    scan_id = await customer.accepted()
    await customer.move(scan_id, "running", "completed", metrics=METRICS)
    async with customer.client.stream(
        "GET", f"/api/v1/console/scans/{scan_id}/events", headers={"X-API-Key": customer.key}
    ) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert answer.headers["cache-control"] == "no-store"
        assert "x-request-id" in answer.headers and "x-ratelimit-limit" in answer.headers
        text = (await answer.aread()).decode()
    _, progress, end = [parse(f"{event}\n\n".encode()) for event in text.split("\n\n") if event]
    scan = (await customer.get(f"/{scan_id}")).json()["data"] | {"workspace_id": str(customer.tenant.workspace.id)}
    assert [(each["event"], each["data"]) for each in (progress, end)] == [("progress", scan), ("end", scan)]


async def test_a_scan_that_does_not_exist_has_no_events(customer, installation, client):
    from tests.api.assertions import assert_problem

    scan_id = await customer.accepted()
    other = await Customer.create(installation, client)
    for key, path in ((other.key, scan_id), (customer.tenant.test, scan_id), (customer.key, "nonsense")):
        assert_problem(await customer.get(f"/{path}/events", key), 404, "scan_not_found")

"""Event streams: how many may be open, when they end, and that their place becomes free."""

import asyncio
import uuid
from datetime import timedelta
from itertools import pairwise

import msgspec
import pytest

from sightline.api.edge.event_streams import RefusedCaller, RefusedCallers, StreamLimits, StreamPlaces
from sightline.api.edge.responses import Stream, StreamedResponse
from sightline.api_keys.format import digest_key, make_key
from sightline.errors import Problem
from sightline.scans.progress import ScanFeeds
from tests.api.assertions import CONSOLE, assert_problem
from tests.console_customers import Customer
from tests.installation import START, Installation
from tests.running_worker import until

LIMITS = StreamLimits(per_key=2, per_workspace=3, per_process=4, lifetime=600)


async def endless():
    while True:
        yield b"x"


async def always(_now):
    return True


@pytest.mark.parametrize(
    ("taken", "key", "limit"),
    [
        ([("k", "w"), ("k", "w")], ("k", "w"), "2 event streams for each key"),
        ([("k", "w"), ("l", "w"), ("m", "w")], ("n", "w"), "3 event streams for each workspace"),
        ([("k", "a"), ("l", "b"), ("m", "c"), ("n", "d")], ("o", "e"), "4 event streams in this process"),
    ],
)
def test_streams_beyond_the_limit_are_refused_until_one_closes(taken, key, limit):
    places = StreamPlaces(LIMITS)
    give_back = [places.take(*each) for each in taken]
    with pytest.raises(Problem, match=limit) as refusal:
        places.take(*key)
    assert (refusal.value.code, refusal.value.members["retry_after"]) == ("rate_limited", 30)
    give_back[0]()
    give_back[0]()  # a second time has no effect
    places.take(*key)
    with pytest.raises(Problem):
        places.take(*key)


async def test_a_stream_gives_its_place_back_when_it_ends_is_closed_or_was_never_begun():
    places = StreamPlaces(StreamLimits(1, 1, 1, 600))

    def open_stream(events):
        return places.limit_stream(events, places.take("k", "w"), clock=lambda: START, is_allowed=always)

    async def one_event():
        yield b"x"

    assert [event async for event in open_stream(one_event())] == [b"x"]
    begun = open_stream(endless())
    assert await anext(begun) == b"x"
    await begun.aclose()
    never_begun = open_stream(endless())
    await never_begun.aclose()
    del never_begun
    places.take("k", "w")


async def test_a_client_that_disconnects_frees_its_slot_immediately():
    places = StreamPlaces(StreamLimits(1, 1, 1, 600))
    sent = []

    async def silent():
        yield b"x"
        await asyncio.Event().wait()

    async def send(message):
        sent.append(message)

    async def receive():
        while len(sent) < 2:
            await asyncio.sleep(0)
        return {"type": "http.disconnect"}

    stream = places.limit_stream(silent(), places.take("k", "w"), clock=lambda: START, is_allowed=always)
    response = StreamedResponse(200, [], Stream(stream))
    await asyncio.wait_for(response.send(send, receive, [], without_body=False), 5)
    assert [message.get("body") for message in sent] == [None, b"x", b""]
    places.take("k", "w")


async def collect(places, clock, is_allowed):
    events = places.limit_stream(endless(), places.take("k", "w"), clock=clock, is_allowed=is_allowed)
    return len([event async for event in events])


async def test_a_stream_ends_after_ten_minutes_and_is_looked_at_every_minute():
    now, looked = START, []

    def clock():
        nonlocal now
        now += timedelta(seconds=15)
        return now

    async def look(moment):
        looked.append(moment)
        return True

    assert await collect(StreamPlaces(LIMITS), clock, look) == 600 // 15
    assert {after - before for before, after in pairwise(looked)} == {timedelta(minutes=1)}

    async def refuse(moment):
        return False

    assert await collect(StreamPlaces(LIMITS), clock, refuse) == 3


@pytest.fixture
async def own_installation(database_url, tmp_path):
    async with Installation.open(database_url, tmp_path) as opened:
        closely = ScanFeeds(opened.db, pause=0.01, keep_alive=0.02)
        places = StreamPlaces(msgspec.structs.replace(LIMITS, per_key=1, per_workspace=1))
        opened.app_context = msgspec.structs.replace(opened.app_context, feeds=closely, stream_places=places)
        yield opened


@pytest.mark.parametrize("ending", ["revoked key", "ended session", "removed member"])
async def test_a_stream_ends_with_the_right_to_read_it(own_installation, ending):
    async with own_installation.client() as client:
        customer = await Customer.create(own_installation, client)
        scan_id = await customer.accepted()
        await customer.move(scan_id, "running")
        path = f"{CONSOLE}/scans/{scan_id}/events"
        by_key = ending == "revoked key"
        browser = client if by_key else await own_installation.sign_in(customer.tenant.owner)
        headers = {"X-API-Key": customer.key} if by_key else {"X-Workspace-Id": str(customer.workspace_id)}
        streaming = asyncio.create_task(browser.get(path, headers=headers))

        async def has_begun():
            try:
                own_installation.app_context.stream_places.require_place("another", customer.workspace_id)
            except Problem:
                return True

        await until(has_begun)
        refused = await browser.get(path, headers=headers)
        assert_problem(refused, 429, "rate_limited")
        assert refused.headers["retry-after"] == "30"
        await own_installation.db.execute(
            {
                "revoked key": "UPDATE api_keys SET revoked_at = now()",
                "ended session": "DELETE FROM sessions",
                "removed member": "DELETE FROM members",
            }[ending]
        )
        own_installation.clock.advance(seconds=61)
        response = await asyncio.wait_for(streaming, 5)
        assert response.status_code == 200 and "event: end" not in response.text
        if not by_key:
            await browser.aclose()


async def test_a_stream_is_counted_as_one_request(own_installation):
    async with own_installation.client() as client:
        customer = await Customer.create(own_installation, client)
        scan_id = await customer.accepted()
        await customer.move(scan_id, "running")
        before = await own_installation.db.fetchval("SELECT sum(n) FROM rate_months")
        streaming = asyncio.create_task(
            client.get(f"{CONSOLE}/scans/{scan_id}/events", headers={"X-API-Key": customer.key})
        )
        for _ in range(5):
            own_installation.clock.advance(seconds=61)
            await asyncio.sleep(0.05)
        own_installation.clock.advance(minutes=10)
        response = await asyncio.wait_for(streaming, 5)
        assert "event: progress" in response.text and "id: running" in response.text
        assert await own_installation.db.fetchval("SELECT sum(n) FROM rate_months") == before + 1


async def test_a_repeated_attempt_is_refused_without_the_database_until_a_place_is_free(own_installation):
    async with own_installation.client() as client:
        customer = await Customer.create(own_installation, client)
        scan_id = await customer.accepted()
        await customer.move(scan_id, "running")
        path, headers = f"{CONSOLE}/scans/{scan_id}/events", {"X-API-Key": customer.key}
        account = await client.get(f"{CONSOLE}/account", headers=headers)
        key_id = await own_installation.db.fetchval(
            "SELECT id FROM api_keys WHERE digest = $1", digest_key(customer.key)
        )
        give_back = own_installation.app_context.stream_places.take(key_id, customer.workspace_id)
        first = await client.get(path, headers=headers)
        assert_problem(first, 429, "rate_limited")
        assert "connection" not in first.headers

        await own_installation.db.close()  # whoever is looked up now gets 503
        again = await client.get(path, headers=headers)
        assert assert_problem(again, 429, "rate_limited")["detail"] == first.json()["detail"]
        assert (again.headers["connection"], again.headers["retry-after"]) == ("close", "30")
        remaining = int(account.headers["x-ratelimit-remaining"])
        assert int(again.headers["x-ratelimit-remaining"]) == remaining - 1, "only the first attempt was counted"
        unknown = {"X-API-Key": make_key("console", livemode=False)}
        assert_problem(await client.get(path, headers=unknown), 503, "service_unavailable")
        assert (await client.get(f"{CONSOLE}/account", headers=headers)).status_code == 200, "a saved copy"
        give_back()
        assert_problem(await client.get(path, headers=headers), 503, "service_unavailable")
        await own_installation.db.open()


def test_a_refused_caller_is_remembered_for_five_seconds_of_one_minute_and_by_address():
    refused, moment = RefusedCallers(), START.replace(second=50)
    caller = RefusedCaller(uuid.uuid4(), uuid.uuid4(), None, moment)
    refused.note(b"digest", "10.0.0.1", caller)
    assert refused.find(b"digest", "10.0.0.1", now=moment + timedelta(seconds=5)) is caller
    assert refused.find(b"digest", "10.0.0.1", now=moment + timedelta(seconds=6)) is None
    assert refused.find(b"digest", "10.0.0.2", now=moment) is None, "there the key may not be allowed"
    late = msgspec.structs.replace(caller, refused_at=START.replace(second=58))
    refused.note(b"digest", "10.0.0.1", late)
    assert refused.find(b"digest", "10.0.0.1", now=START.replace(second=59)) is late
    assert refused.find(b"digest", "10.0.0.1", now=START.replace(second=58) + timedelta(seconds=2)) is None

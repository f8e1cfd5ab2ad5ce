"""Large bodies are decoded in a thread, one at a time, and refused in the same order as small ones."""

import asyncio
import threading

import msgspec
import pytest

from sightline.api.edge.envelope import Envelope
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Resource
from sightline.api.edge.routes import RouteMatch
from sightline.errors import Problem
from sightline.kit.ids import new_id
from tests.api.assertions import CONSOLE, DATA, assert_problem


class Noted(msgspec.Struct):
    """A body that notes in which thread it was decoded."""

    text: str
    thread: str = ""

    def __post_init__(self) -> None:
        self.thread = threading.current_thread().name


@Resource("console", "Scans", "", {"scans": ""}).operation(
    "POST",
    "/noted",
    summary="Note",
    scope="scans",
    body=Noted,
    body_limit=1_000_000,
    sdk="scans.note",
)
async def take_note(exchange: Exchange) -> Envelope[Noted]:
    """Return the body."""
    return Envelope(exchange.decode_body(Noted))


def open_exchange(installation, body: bytes) -> Exchange:
    scope = {"type": "http", "method": "POST", "path": "/api/v1/console/noted", "query_string": b"", "headers": []}
    exchange = Exchange(scope, "console", RouteMatch(take_note), installation.app_context)
    exchange.body = body
    return exchange


async def decode(installation, body: bytes) -> Noted:
    exchange = open_exchange(installation, body)
    await exchange.decode_large_body()
    return exchange.decode_body(Noted)


async def test_a_large_body_is_decoded_next_to_the_event_loop_and_a_small_one_on_it(installation):
    small = await decode(installation, b'{"text": "a"}')
    large = await decode(installation, b'{"text": "%s"}' % (b"a" * 100_000))
    assert small.thread == threading.current_thread().name
    assert large.thread.startswith("slow_work")
    assert len(large.text) == 100_000


async def test_the_refusal_of_a_large_body_waits_for_the_handler(installation):
    exchange = open_exchange(installation, b'{"text": [%s]}' % (b"1," * 50_000 + b"1"))
    await exchange.decode_large_body()
    with pytest.raises(Problem) as refusal:
        exchange.decode_body(Noted)
    assert refusal.value.members["errors"] == [{"field": "text", "message": "must be text", "code": "invalid"}]


MANY = ["x"] * 60_000


@pytest.mark.parametrize(
    ("path", "key", "wrong"),
    [
        (f"{CONSOLE}/scans/preview", "test", {"domain_id": "%s", "keywords": MANY}),
        (f"{CONSOLE}/scans", "test", {"domain_id": "%s", "platforms": MANY}),
        (f"{DATA}/domains/%s/prompt-imports", "data_write", {"prompts": MANY}),
    ],
)
async def test_a_missing_domain_is_refused_before_a_large_invalid_body(installation, client, path, key, wrong):
    tenant = await installation.tenant()
    unknown = str(new_id())
    headers = {"X-API-Key": getattr(tenant, key), "Idempotency-Key": unknown}
    body = {name: unknown if value == "%s" else value for name, value in wrong.items()}
    response = await client.post(path.replace("%s", unknown), json=body, headers=headers)
    assert_problem(response, 404, "domain_not_found")


async def test_large_writes_wait_for_each_other_and_small_ones_do_not(installation, client):
    tenant = await installation.tenant()

    async def preview(keywords: list[str]) -> int:
        headers = {"X-API-Key": tenant.test, "Idempotency-Key": str(new_id())}
        body = {"domain_id": str(new_id()), "keywords": keywords}
        return (await client.post(f"{CONSOLE}/scans/preview", json=body, headers=headers)).status_code

    async with installation.app_context.large_writes:  # as another caller's large body does
        large = asyncio.create_task(preview(MANY))
        assert [await preview(["best crm"]) for _ in range(3)] == [404, 404, 404]
        assert not large.done()
    assert await large == 404

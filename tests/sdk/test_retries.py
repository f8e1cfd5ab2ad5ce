"""Refusals and broken connections: what is sent again, when, and that it has one effect."""

import pickle

import anyio
import httpx2
import pytest

from sightline.idempotency.claims import claim_or_replay
from sightline.idempotency.models import KeyScope
from sightline_sdk import (
    AsyncSightline,
    ConfigurationError,
    ConflictError,
    ConnectionFailedError,
    NotFoundError,
    RateLimitError,
    RequestTimeoutError,
    ServerError,
    Sightline,
    UnreadableResponseError,
    ValidationError,
    WrongKeyKindError,
)
from tests.installation import Installation
from tests.sdk.clients import ADDRESS, open_client


@pytest.fixture
def pauses(monkeypatch):
    """Collect the pauses between attempts instead of sleeping. A test may do something in them."""

    class Pauses(list):
        meanwhile = None

        async def sleep(self, seconds: float) -> None:
            self.append(seconds)
            if self.meanwhile is not None:
                await self.meanwhile(seconds)

    made = Pauses()
    # Pauses take seconds.
    monkeypatch.setattr(anyio, "sleep", made.sleep)
    return made


def scripted(*answers, **options) -> tuple[Sightline, list[httpx2.Request]]:
    """Return a client whose server gives these answers in turn, and the requests that it receives."""
    received: list[httpx2.Request] = []
    remaining = list(answers)

    def answer(request: httpx2.Request) -> httpx2.Response:
        received.append(request)
        following = remaining.pop(0)
        if isinstance(following, Exception):
            raise following
        return following

    http = httpx2.Client(transport=httpx2.MockTransport(answer))
    return Sightline("sk_live_x", base_url="http://test", http_client=http, **options), received


ACCOUNT = {
    "id": "1",
    "name": "Acme",
    "timezone": "UTC",
    "plan": "agency",
    "editor_declined": False,
    "created_at": "2026-11-15T09:30:10+00:00",
}
SUCCESS = httpx2.Response(200, json={"data": ACCOUNT, "meta": {"request_id": "r"}})


async def test_a_rate_limit_is_waited_out_and_the_wait_is_what_the_server_asks(database_url, tmp_path, pauses):
    async with Installation.open(database_url, tmp_path, console_rate_per_minute=2) as installation:
        client = open_client(installation, (await installation.tenant()).live)

        async def advance(seconds):
            installation.clock.advance(seconds=seconds)

        pauses.meanwhile = advance
        for _ in range(3):
            await client.account.retrieve()
        assert len(pauses) == 1 and 49 < pauses[0] < 52  # the clock stands at 10 seconds past the minute
        await client.account.retrieve()
        with pytest.raises(RateLimitError) as refused:
            await client.with_options(max_retries=0).account.retrieve()
        assert (refused.value.code, refused.value.status) == ("rate_limited", 429)
        assert refused.value.retry_after > 0 and refused.value.request_id


async def test_a_write_that_still_runs_is_waited_for_and_done_once(installation, pauses):
    tenant = await installation.tenant()
    key_id = await installation.db.fetchval("SELECT id FROM api_keys WHERE last_four = $1", tenant.live[-4:])
    scope = KeyScope(tenant.workspace.id, key_id, "POST", "/api/v1/console/domains", "mine")
    settings = {"lease": 3600, "retention": 86_400, "now": installation.clock()}
    await claim_or_replay(installation.db, scope, b'{"domain":"acme.com"}', **settings)

    async def end_the_other_process(_):
        await installation.db.execute("UPDATE idempotency_keys SET renewed_at = renewed_at - interval '1 hour'")

    pauses.meanwhile = end_the_other_process
    client = open_client(installation, tenant.live)
    made = await client.domains.register(domain="acme.com", idempotency_key="mine")
    assert len(pauses) == 1 and 5 <= pauses[0] < 5.3
    again = await client.domains.register(domain="acme.com", idempotency_key="mine")
    assert again == made and again.response.replayed and not made.response.replayed
    with pytest.raises(ConflictError) as refused:
        await client.domains.register(domain="globex.com", idempotency_key="mine")
    assert refused.value.code == "idempotency_conflict" and len(pauses) == 1


async def test_a_lost_response_is_asked_for_again_with_the_same_key(installation, pauses):
    """The application has done the write; the connection broke before the response arrived."""
    tenant = await installation.tenant()
    lost = []

    class LosingTransport(httpx2.ASGITransport):
        async def handle_async_request(self, request):
            response = await super().handle_async_request(request)
            if not lost:
                lost.append(response)
                raise httpx2.ReadError("connection reset")
            return response

    http = httpx2.AsyncClient(transport=LosingTransport(app=installation.app, client=ADDRESS))
    client = AsyncSightline(tenant.live, base_url="http://test", http_client=http)
    made = await client.keys.mint(name="CI")
    assert made.response.replayed and made.key is None  # the secret was in the response that was lost
    assert await installation.db.fetchval("SELECT count(*) FROM api_keys WHERE name = 'CI'") == 1


def test_attempts_of_one_write_share_a_key_and_two_writes_do_not(monkeypatch):
    # Pauses take seconds.
    monkeypatch.setattr("time.sleep", lambda _: None)
    client, received = scripted(httpx2.ReadTimeout("slow"), httpx2.Response(503), SUCCESS, SUCCESS)
    assert client.account.update(name="Acme").name == "Acme"
    assert client.account.update(name="Acme").name == "Acme"
    keys = [request.headers["Idempotency-Key"] for request in received]
    assert keys[0] == keys[1] == keys[2] != keys[3]
    assert received[0].content == received[2].content == b'{"name":"Acme"}'


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (httpx2.ConnectError("refused"), ConnectionFailedError),
        (httpx2.ReadTimeout("slow"), RequestTimeoutError),
        (httpx2.Response(503, headers={"Retry-After": "1"}), ServerError),
        (httpx2.Response(502, text="<html>Bad gateway</html>"), ServerError),
    ],
)
def test_it_gives_up_after_as_many_retries_as_allowed(answer, error, monkeypatch):
    slept = []
    # Pauses take seconds.
    monkeypatch.setattr("time.sleep", slept.append)
    client, received = scripted(*[answer] * 3, max_retries=2)
    with pytest.raises(error):
        client.account.retrieve()
    assert (len(received), len(slept)) == (3, 2) and max(slept) < 2


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (httpx2.Response(500), ServerError),
        (httpx2.Response(404, text="not a problem document"), NotFoundError),
        (httpx2.Response(409, json={"code": "scan_in_progress"}), ConflictError),
        (httpx2.Response(429, headers={"Retry-After": "1412998"}, json={"code": "quota_exceeded"}), RateLimitError),
        (httpx2.UnsupportedProtocol("ftp"), ConnectionFailedError),
        (httpx2.Response(200, text="<html>Another server</html>"), UnreadableResponseError),
        (httpx2.Response(200, json={"data": {"id": 1}}), UnreadableResponseError),
    ],
)
def test_what_waiting_does_not_cure_is_raised_at_once(answer, error):
    client, received = scripted(answer)
    with pytest.raises(error):
        client.account.retrieve()
    assert len(received) == 1


async def test_a_problem_names_every_field(installation):
    client = open_client(installation, (await installation.tenant()).live)
    with pytest.raises(ValidationError) as refused:
        await client.scans.submit(domain_id="", keywords=[])
    error = refused.value
    assert (error.status, error.code) == (422, "validation_failed")
    assert "domain_id" in {each.field for each in error.errors} and error.request_id in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


async def test_a_key_of_the_other_api_is_refused_before_anything_is_sent(installation):
    tenant = await installation.tenant()
    with pytest.raises(WrongKeyKindError, match=r"part of the Data API.*dk_live_"):
        await open_client(installation, tenant.test).tracked_domains.retrieve("x")
    with pytest.raises(WrongKeyKindError, match="part of the Console API"):
        await anext(aiter(open_client(installation, tenant.data).scans.list()))
    client, received = scripted(SUCCESS)
    with pytest.raises(WrongKeyKindError):
        client.tracked_domains.retrieve("x")
    assert not received


def test_other_limits_share_the_connections_and_change_nothing_else(monkeypatch):
    # Pauses are not the subject here.
    monkeypatch.setattr("time.sleep", lambda _: None)
    client, received = scripted(SUCCESS, *[httpx2.Response(503)] * 5, timeout=7, max_retries=3)
    hasty = client.with_options(max_retries=0)
    hasty.close()
    assert hasty.account.retrieve().name == "Acme" and len(received) == 1
    for attempts, other in ((1, hasty), (4, client.with_options(timeout=None))):
        received.clear()
        with pytest.raises(ServerError):
            other.account.retrieve()
        assert len(received) == attempts
        assert {request.extensions["timeout"]["read"] for request in received} == {7 if other is hasty else None}


def test_key_and_address_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("SIGHTLINE_API_KEY", "sk_live_from_here")
    monkeypatch.setenv("SIGHTLINE_BASE_URL", "https://sightline.example.com/")
    received = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        received.append(request)
        return SUCCESS

    with Sightline(http_client=httpx2.Client(transport=httpx2.MockTransport(answer))) as client:
        client.account.retrieve()
    (request,) = received
    assert request.headers["X-API-Key"] == "sk_live_from_here"
    assert str(request.url).startswith("https://sightline.example.com/api/")
    monkeypatch.delenv("SIGHTLINE_API_KEY")
    for wrong in ({}, {"api_key": "sk_live_x\n"}, {"api_key": "sk_live_x", "base_url": "sightline.example.com"}):
        with pytest.raises(ConfigurationError):
            Sightline(**wrong)


@pytest.mark.parametrize("scan_id", ["", ".", ".."])
def test_an_id_cannot_name_another_path(scan_id):
    client, received = scripted(SUCCESS)
    with pytest.raises(ValueError, match="not an id"):
        client.scans.retrieve(scan_id)
    assert not received


def test_an_id_is_one_segment_of_the_path():
    client, received = scripted(httpx2.Response(404))
    with pytest.raises(NotFoundError):
        client.scans.retrieve("../keys?x#y")
    assert received[0].url.raw_path == b"/api/v1/console/scans/..%2Fkeys%3Fx%23y"


async def test_pages_follow_each_other_and_a_cursor_goes_on(installation):
    tenant = await installation.tenant()
    client = open_client(installation, tenant.live)
    names = [f"site-{number}.com" for number in range(5)]
    for name in names:
        await client.domains.register(domain=name)
        installation.clock.advance(seconds=1)
    listed = client.domains.list(page_size=2)
    assert [row.domain async for row in listed] == names[::-1]
    pages = [page async for page in listed.pages()]
    assert [(len(page.data), page.has_more) for page in pages] == [(2, True), (2, True), (1, False)]
    assert len({page.response.request_id for page in pages}) == 3
    rest = [row.domain async for row in client.domains.list(page_size=2, cursor=pages[0].next_cursor)]
    assert rest == names[2::-1]
    assert (await listed.first_page()).data == pages[0].data

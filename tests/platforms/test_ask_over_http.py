"""Every connector and every fault of its provider, through `ask` and over real HTTP.

The tests check the outcome, the number of attempts, and that no stored text contains a key.
"""

import asyncio
import zlib

import pytest

from sightline.http.session import open_session
from sightline.platforms.ask import PlatformClient, ask
from sightline.platforms.connectors import CONNECTORS
from sightline.platforms.gate import Gate
from sightline.platforms.models import Connector, Outcome, PlatformConnection, Question
from sightline.platforms.policy import Policy
from sightline.platforms.transport import NetworkTransport
from tests.fakes.content import SOURCES
from tests.fakes.faults import Fault, Faults
from tests.fakes.server import PROVIDERS, FakeServer

KEYS = list(CONNECTORS)
BY_KEY = pytest.mark.parametrize("key", KEYS, ids=["-".join(key) for key in KEYS])
ATTEMPTS = 3
PATIENT = Policy(attempts=ATTEMPTS, timeout=20, deadline=60)
HASTY = Policy(attempts=2, timeout=0.25, deadline=60)
# Every lasting fault, with its outcome and the number of attempts. None means as many as the policy allows.
LASTING: dict[Fault, tuple[str, int | None]] = {
    Faults.rate_limited(): ("rate_limited", None),
    Faults.rate_limited(retry_after=1): ("rate_limited", None),
    Faults.rate_limited(retry_after="Sun, 06 Nov 1994 08:49:37 GMT"): ("rate_limited", None),
    Faults.no_money(): ("no_money", 1),
    Faults.unauthorised(): ("unauthorised", 1),
    Faults.server_error(500): ("unavailable", None),
    Faults.server_error(502): ("unavailable", None),
    Faults.overloaded(): ("unavailable", None),
    Faults.gateway_page(): ("unavailable", None),
    Faults.cut(): ("unavailable", None),
    Faults.broken_json(): ("malformed", 2),
    Faults.blank(): ("blank", 2),
}
# The meaning of a 200 that contains an error differs between providers.
INNER = {
    "openai": ("unavailable", ATTEMPTS),
    "anthropic": ("rate_limited", ATTEMPTS),
    "google": ("rejected", 1),
    "perplexity": ("unavailable", ATTEMPTS),
    "xai": ("malformed", 2),
    "mistral": ("unavailable", ATTEMPTS),
    "deepseek": ("unavailable", ATTEMPTS),
    "compatible": ("unavailable", ATTEMPTS),
    "serpapi": ("unavailable", ATTEMPTS),
    "dataforseo": ("unavailable", ATTEMPTS),
}


def provider_name(connector: Connector) -> str:
    return "local" if connector.vendor == "compatible" else connector.vendor


class FakePlatforms:
    """The fake providers, and a way to ask them in which pauses take no time but advance the clock."""

    def __init__(self, server: FakeServer, transport: NetworkTransport) -> None:
        self.server = server
        self.transport = transport
        self.slept: list[float] = []
        self._moved = 0.0

    def clock(self) -> float:
        return asyncio.get_running_loop().time() + self._moved

    async def ask(self, key, *faults: Fault, policy=PATIENT, prompt="best crm for startups", resolve=None) -> Outcome:
        connector = CONNECTORS[key]
        name = provider_name(connector)
        self.server.script(name, *faults)
        connection = PlatformConnection(
            platform=connector.platform,
            vendor=connector.vendor,
            base_url=self.server.base_url(name),
            secret=PROVIDERS[name].key,
            model=PROVIDERS[name].model,
        )
        client = PlatformClient(
            connector=connector,
            connection=connection,
            transport=self.transport,
            gate=Gate(1, 4, clock=self.clock),
            policy=policy,
            resolve_redirect=resolve,
        )
        outcome = await ask(
            client,
            Question(prompt, "DE", "de"),
            clock=self.clock,
            sleep=self._sleep,
            chance=lambda: 0.0,
        )
        stored = (outcome.fault.message.encode() if outcome.fault else b"") + (
            zlib.decompress(outcome.raw) if outcome.raw and outcome.status != "failed" else b""
        )
        assert not any(part.encode() in stored for part in connection.secret.split(":"))
        return outcome

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self._moved += seconds


@pytest.fixture
async def platforms():
    async with FakeServer() as server, open_session() as session:
        yield FakePlatforms(server, NetworkTransport(session))


@BY_KEY
async def test_an_answer(platforms, key):
    outcome = await platforms.ask(key)
    assert (outcome.status, outcome.fault, outcome.attempts) == ("ok", None, 1)
    assert (outcome.platform, outcome.vendor) == key
    assert b"Acme CRM" in zlib.decompress(outcome.raw) and "Acme CRM" in outcome.answer.text


@BY_KEY
@pytest.mark.parametrize("fault", LASTING, ids=lambda fault: f"{fault.kind}-{fault.status}-{fault.retry_after}")
async def test_a_lasting_fault_fails_the_question(platforms, key, fault):
    kind, attempts = LASTING[fault]
    outcome = await platforms.ask(key, *[fault] * ATTEMPTS)
    assert outcome.status == "failed" and outcome.fault is not None and outcome.answer.text == ""
    assert (outcome.fault.kind, outcome.attempts) == (kind, attempts or ATTEMPTS), outcome.fault
    assert len(platforms.server.requests[provider_name(CONNECTORS[key])]) == outcome.attempts


@BY_KEY
@pytest.mark.parametrize(
    "fault", [Faults.rate_limited(), Faults.server_error(503), Faults.cut(), Faults.broken_json(), Faults.blank()],
    ids=lambda fault: fault.kind,
)  # fmt: skip
async def test_a_transient_fault_is_retried(platforms, key, fault):
    outcome = await platforms.ask(key, fault)
    assert (outcome.status, outcome.fault, outcome.attempts) == ("ok", None, 2)


@BY_KEY
async def test_an_error_inside_a_200(platforms, key):
    outcome = await platforms.ask(key, *[Faults.inner_error()] * ATTEMPTS)
    assert outcome.status == "failed" and outcome.fault is not None
    assert (outcome.fault.kind, outcome.attempts) == INNER[key[1]]


@BY_KEY
async def test_an_answer_without_its_fields(platforms, key):
    outcome = await platforms.ask(key, *[Faults.missing_fields()] * ATTEMPTS)
    assert outcome.status == "failed" and outcome.fault is not None
    assert outcome.fault.kind in {"malformed", "blank"} and outcome.attempts == 2


@BY_KEY
async def test_blank_lines_before_an_answer(platforms, key):
    assert (await platforms.ask(key, Faults.blank_lines())).status == "ok"


@pytest.mark.slow
@BY_KEY
async def test_an_answer_of_a_megabyte(platforms, key):
    outcome = await platforms.ask(key, Faults.huge(1_200_000))
    assert outcome.status == "ok" and len(outcome.answer.text) > 1_000_000


@BY_KEY
async def test_a_search_without_the_block(platforms, key):
    """On a search page it is a measured result; elsewhere there is no answer."""
    outcome = await platforms.ask(key, *[Faults.nothing_found()] * ATTEMPTS)
    if CONNECTORS[key].surface == "serp":
        assert (outcome.status, outcome.fault, outcome.attempts) == ("no_surface", None, 1)
    else:
        assert outcome.fault is not None and (outcome.fault.kind, outcome.attempts) == ("blank", 2)


@pytest.mark.parametrize("word", ["fake:silence", "fake:drip"])
async def test_responses_that_never_finish_time_out(platforms, word):
    """All are asked concurrently, because each takes until its own timeout."""
    outcomes = await asyncio.gather(*(platforms.ask(key, policy=HASTY, prompt=f"best crm {word}") for key in KEYS))
    assert {(outcome.status, outcome.fault and outcome.fault.kind, outcome.attempts) for outcome in outcomes} == {
        ("failed", "timeout", 2)
    }


async def test_retry_after_is_waited_for(platforms):
    await platforms.ask(("chatgpt", "openai"), Faults.rate_limited(7), Faults.rate_limited())
    assert platforms.slept == [7.0, 0.0]


async def test_a_retry_delay_in_the_body_of_google_is_waited_for(platforms):
    await platforms.ask(("gemini", "google"), Faults.rate_limited())
    assert platforms.slept == [2.0]


async def test_links_of_gemini_are_resolved(platforms):
    async def resolve(url: str) -> str | None:
        path = url.removeprefix("https://vertexaisearch.cloud.google.com")
        async with open_session() as session:
            address = platforms.server.base_url("google") + path
            async with session.get(address, allow_redirects=False) as response:
                return response.headers.get("location")

    outcome = await platforms.ask(("gemini", "google"), resolve=resolve)
    pages = (*outcome.answer.cited, *outcome.answer.retrieved)
    assert sorted(page.url for page in pages) == sorted(url for url, _ in SOURCES)


async def test_an_overview_by_page_token_is_one_attempt(platforms):
    outcome = await platforms.ask(("google_ai_overviews", "serpapi"), prompt="best crm, by page token")
    assert (outcome.status, outcome.attempts) == ("ok", 1) and len(platforms.server.requests["serpapi"]) == 2


async def test_a_failed_page_token_request_is_retried_from_the_start(platforms):
    platforms.server.script("serpapi", Faults.none(), Faults.server_error(503))
    outcome = await platforms.ask(("google_ai_overviews", "serpapi"), prompt="best crm, by page token")
    assert (outcome.status, outcome.attempts) == ("ok", 2)
    engines = [request.query["engine"] for request in platforms.server.requests["serpapi"]]
    assert (
        engines
        == [
            "google",
            "google_ai_overview",
        ]
        * 2
    )


async def test_a_question_that_the_vendor_would_refuse_is_not_sent(platforms):
    outcome = await platforms.ask(("chatgpt", "dataforseo"), prompt="x" * 501)
    assert outcome.fault is not None and (outcome.fault.kind, outcome.attempts) == ("rejected", 0)
    assert platforms.server.requests["dataforseo"] == []

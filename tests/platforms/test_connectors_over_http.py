"""Every connector against a server with the wire format of its provider.

Requests and replies are real, and the connector is the only product code involved.
"""

import asyncio
import base64
import json
import os
import shlex
import subprocess
import sys

import aiohttp
import pytest

from sightline.platforms.connectors import CONNECTORS
from sightline.platforms.dataforseo import parse_volumes, volumes_request
from sightline.platforms.models import (
    Connector,
    FollowUp,
    HttpReply,
    HttpRequest,
    PlatformConnection,
    PlatformFault,
    Question,
)
from tests.fakes.content import CITED, QUERIES, RETRIEVED, SOURCES, STATEMENTS
from tests.fakes.faults import Faults
from tests.fakes.google import redirect_url
from tests.fakes.server import PROVIDERS, FakeServer

KEYS = list(CONNECTORS)
QUESTION = Question("best crm for startups", "DE", "de")
BY_KEY = pytest.mark.parametrize("key", KEYS, ids=["-".join(key) for key in KEYS])
SERP = {"google_ai_overviews", "google_ai_mode", "copilot"}
NEVER_CITE = {("deepseek", "deepseek"), ("local", "compatible")}
REPORT_RETRIEVED = {"openai", "anthropic", "google", "perplexity", "xai", "serpapi"}
REPORT_COST = {"perplexity", "xai", "dataforseo"}
HONOR_COUNTRY = {
    ("chatgpt", "openai"), ("claude", "anthropic"), ("perplexity", "perplexity"),
    ("google_ai_overviews", "serpapi"), ("google_ai_mode", "serpapi"),
    ("google_ai_overviews", "dataforseo"), ("google_ai_mode", "dataforseo"),
    ("chatgpt", "dataforseo"), ("claude", "dataforseo"), ("perplexity", "dataforseo"),
}  # fmt: skip


def provider_name(connector: Connector) -> str:
    return "local" if connector.vendor == "compatible" else connector.vendor


def connect(server: FakeServer, connector: Connector) -> PlatformConnection:
    name = provider_name(connector)
    return PlatformConnection(
        platform=connector.platform,
        vendor=connector.vendor,
        base_url=server.base_url(name),
        secret=PROVIDERS[name].key,
        model=PROVIDERS[name].model,
    )


@pytest.fixture
async def server():
    async with FakeServer() as running:
        yield running


@pytest.fixture
async def session():
    async with aiohttp.ClientSession() as opened:
        yield opened


async def send(session: aiohttp.ClientSession, request: HttpRequest) -> HttpReply:
    async with session.request(
        request.method, request.url, params=request.params, headers=request.headers, data=request.body
    ) as response:
        headers = {name.lower(): value for name, value in response.headers.items()}
        return HttpReply(response.status, headers, await response.read())


async def ask_once(session, connector, connection, question=QUESTION):
    """Return what the connector parses from one reply, or from two if it asks for a second request."""
    request = connector.request(question, connection)
    for _ in range(2):
        reply = await send(session, request)
        assert reply.status == 200, reply
        found = connector.parse(reply, question, connection)
        if not isinstance(found, FollowUp):
            return found
        request = found.request
    raise AssertionError("asked for a third request")


@BY_KEY
async def test_an_answer(server, session, key):
    connector = CONNECTORS[key]
    answer = await ask_once(session, connector, connect(server, connector))
    vendor = connector.vendor
    assert answer.status == "ok"
    for statement in STATEMENTS:
        assert statement.text.strip(" ,.\n") in answer.text
    redirected = key == ("gemini", "google")
    address = redirect_url if redirected else lambda number: SOURCES[number][0]
    cited = [page.url.removesuffix("?utm_source=openai") for page in answer.cited]
    assert sorted(cited) == ([] if key in NEVER_CITE else sorted(address(number) for number in CITED))
    retrieved = sorted(page.url for page in answer.retrieved)
    tells = vendor in REPORT_RETRIEVED or (vendor == "dataforseo" and connector.surface == "serp")
    assert retrieved == (sorted(address(number) for number in RETRIEVED) if tells else [])
    searches = key not in NEVER_CITE and connector.surface == "api"
    assert answer.queries == (QUERIES if searches else ())
    assert (answer.model is None) == (connector.surface == "serp")
    assert answer.request_id
    assert (answer.cost_usd is not None) == (vendor in REPORT_COST)
    assert answer.country_honoured is (key in HONOR_COUNTRY)


@BY_KEY
async def test_spans_are_the_statements_that_a_page_is_cited_for(server, session, key):
    connector = CONNECTORS[key]
    answer = await ask_once(session, connector, connect(server, connector))
    quoted = {page.url: [answer.text[span.start : span.end] for span in page.spans] for page in answer.cited}
    if key in NEVER_CITE:
        assert quoted == {}
        return
    assert len(quoted) == len(CITED)
    for statement in STATEMENTS:
        for number in statement.sources:
            url, _ = SOURCES[number]
            (words,) = quoted.get(url) or quoted.get(redirect_url(number)) or quoted[f"{url}?utm_source=openai"]
            # OpenAI and xAI mark the link after a statement, the others the statement.
            assert url in words or statement.text.strip(" ,.\n") in words


@BY_KEY
async def test_the_country_reaches_exactly_the_providers_that_honor_it(server, session, key):
    connector = CONNECTORS[key]
    await ask_once(session, connector, connect(server, connector), Question("best crm for startups", "SE"))
    (request,) = server.requests[provider_name(connector)]
    sent = json.dumps([request.body, {name: value for name, value in request.query.items() if name != "api_key"}])
    carried = any(word in sent for word in ('"SE"', '"gl": "se"', "2752"))
    assert carried == (key in HONOR_COUNTRY)


@BY_KEY
async def test_a_wrong_key_is_recognized_and_hidden(server, session, key):
    connector = CONNECTORS[key]
    connection = connect(server, connector)
    wrong = PlatformConnection(
        platform=connection.platform,
        vendor=connection.vendor,
        base_url=connection.base_url,
        secret="wrong-key-0001:x",
        model=connection.model,
    )
    reply = await send(session, connector.request(QUESTION, wrong))
    fault = connector.fault(reply)
    assert reply.status >= 400 and fault.kind == "unauthorised"
    for secret in ("wrong-key-0001", *connection.secret.split(":"), base64.b64encode(wrong.secret.encode()).decode()):
        assert secret not in fault.message


@BY_KEY
async def test_an_incomplete_request_is_rejected_by_the_provider(server, session, key):
    connector = CONNECTORS[key]
    request = connector.request(QUESTION, connect(server, connector))
    fields = json.loads(request.body) if request.body else None
    if isinstance(fields, list):
        fields = [{}]
    broken = HttpRequest(
        method=request.method,
        url=request.url.replace(PROVIDERS["google"].model, ""),
        headers=request.headers,
        params={name: value for name, value in request.params.items() if name != "q"},
        body=json.dumps(_without_model(fields)).encode() if fields else None,
    )
    reply = await send(session, broken)
    if connector.vendor == "dataforseo":  # reports errors inside a 200
        with pytest.raises(PlatformFault) as refused:
            connector.parse(reply, QUESTION, connect(server, connector))
        assert refused.value.kind == "rejected"
    else:
        assert reply.status in {400, 404, 422} and connector.fault(reply).kind == "rejected"


def _without_model(fields):
    return {name: value for name, value in fields.items() if name != "model"} if isinstance(fields, dict) else fields


async def test_an_overview_that_needs_a_second_request(server, session):
    connector = CONNECTORS["google_ai_overviews", "serpapi"]
    answer = await ask_once(session, connector, connect(server, connector), Question("best crm, by page token", "DE"))
    assert answer.status == "ok" and len(answer.cited) == 3
    first, second = server.requests["serpapi"]
    assert (first.query["engine"], second.query["engine"]) == ("google", "google_ai_overview")


async def test_links_of_gemini_redirect_to_their_sources(server, session):
    connector = CONNECTORS["gemini", "google"]
    answer = await ask_once(session, connector, connect(server, connector))
    for page in answer.cited:
        path = page.url.removeprefix("https://vertexaisearch.cloud.google.com")
        async with session.get(server.base_url("google") + path, allow_redirects=False) as response:
            assert response.status == 302
            assert response.headers["location"].split("/")[2].removeprefix("www.") == page.title


async def test_volumes(server, session):
    connection = connect(server, CONNECTORS["chatgpt", "dataforseo"])
    reply = await send(session, volumes_request(["best crm", "crm für gründer"], "DE", "de", connection))
    assert [(each.keyword, each.volume) for each in parse_volumes(reply)] == [("best crm", 0), ("crm für gründer", 10)]


async def test_faults_are_used_up_in_order(server, session):
    connector = CONNECTORS["chatgpt", "openai"]
    request = connector.request(QUESTION, connect(server, connector))
    server.script("openai", Faults.rate_limited(7), Faults.none(), Faults.server_error(502))
    replies = [await send(session, request) for _ in range(4)]
    assert [reply.status for reply in replies] == [429, 200, 502, 200]
    assert connector.fault(replies[0]).retry_after == 7


async def test_a_word_in_the_prompt_causes_a_fault(server, session):
    connector = CONNECTORS["claude", "anthropic"]
    request = connector.request(Question("best crm fake:overloaded"), connect(server, connector))
    assert [(await send(session, request)).status for _ in range(2)] == [529, 529]


@pytest.mark.timeout(60)
async def test_the_fakes_run_as_a_command(session):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SIGHTLINE_")}
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.fakes", stdout=subprocess.PIPE, env=environment
    )
    try:
        assert child.stdout is not None
        lines = []
        while not lines or not lines[-1].startswith("#"):
            lines.append((await child.stdout.readline()).decode())
        exported = dict(shlex.split(line)[1].split("=", 1) for line in lines[:-1])
        assert len(exported) == 2 * 8 + 3 + 3  # eight keys, one model more for the local server, login and password
        connector = CONNECTORS["local", "compatible"]
        connection = PlatformConnection(
            platform="local",
            vendor="compatible",
            base_url=exported["SIGHTLINE_LOCAL_BASE_URL"],
            secret=exported["SIGHTLINE_LOCAL_API_KEY"],
            model=exported["SIGHTLINE_LOCAL_MODEL"],
        )
        assert (await ask_once(session, connector, connection)).status == "ok"
    finally:
        child.terminate()
        await child.communicate()  # which closes the pipe, too

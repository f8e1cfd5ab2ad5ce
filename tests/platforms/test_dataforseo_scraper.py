"""DataForSEO's LLM Scraper: what ChatGPT and Gemini show in their apps.

The fixtures have the fields of the vendor's pages about ChatGPT (task_get/advanced and live/advanced, dated 6 June
2026), for tasks of `task_post` (6 June 2026) and of `tasks_ready` and `task_get` (7 April 2026) and, for Gemini, of its
TypeScript client. No reply of the vendor itself was at hand.
"""

from contextlib import suppress

import aiohttp
import pytest
from hypothesis import given

from sightline.platforms.dataforseo_scraper import CONNECTORS
from sightline.platforms.models import AnswerLater, HttpReply, PlatformFault, ProductCard, Question
from sightline.platforms.transport import NetworkTransport
from tests.fakes.content import CITED, QUERIES, RETRIEVED, SOURCES, STATEMENTS
from tests.fakes.dataforseo import EXPIRED, TASK_COST
from tests.fakes.faults import Faults
from tests.fakes.server import FakeServer
from tests.platforms.parsing import (
    ANYWHERE,
    assert_answer_or_fault,
    connect,
    damaged_bodies,
    decode_body,
    parse,
    parse_fault,
)
from tests.platforms.test_connectors_over_http import ask_once
from tests.platforms.test_connectors_over_http import connect as connect_to
from tests.property_testing import prove

CHATGPT, GEMINI = CONNECTORS
TEXT = "Acme is the easiest anvil. Globex is larger."


def done(result: dict | None, status: int = 20000, message: str = "Ok.") -> dict:
    task = {"id": "t-1", "status_code": status, "status_message": message, "cost": 0.004}
    task["result"] = None if result is None else [result]
    return {"version": "0.1.20260606", "status_code": 20000, "status_message": "Ok.", "tasks": [task]}


def source(site: str) -> dict:
    return {"type": "chat_gpt_source", "url": f"https://{site}/page", "title": site, "domain": site}


RESULT = {
    "keyword": "best anvil",
    "location_code": 2276,
    "language_code": "de",
    "model": "gpt-5-2",
    "check_url": "https://chatgpt.com/?q=best+anvil",
    "datetime": "2026-06-06 12:57:46 +00:00",
    "markdown": TEXT,
    "search_results": [source("acme.test"), source("globex.test")],
    "sources": [source("acme.test")],
    "fan_out_queries": ["best anvil 2026"],
    "brand_entities": [{"type": "chat_gpt_brand_entity", "title": "Acme", "category": "brand"}],
    "item_types": ["chat_gpt_text", "chat_gpt_products"],
    "items": [
        {"type": "chat_gpt_text", "rank_group": 1, "rank_absolute": 1, "markdown": TEXT, "sources": None},
        {
            "type": "chat_gpt_products",
            "items": [
                {"title": "Anvil S", "brand": "Initech", "price": 1249.5, "currency": "USD", "domain": "initech.test",
                 "url": "https://initech.test/s", "merchants": "Initech Store", "rating": None},
                {"title": "Globex", "price": None, "currency": None, "domain": "globex.test", "url": None},
                {"title": "", "price": 3},
                {"price": "cheap"},
            ],
        },
    ],
}  # fmt: skip
TABLE = {"type": "gemini_table", "table": {"table_header": ["Brand", "Weight"], "table_content": [["Acme", "90 kg"]]}}


@pytest.fixture
async def session():
    async with aiohttp.ClientSession() as opened:
        yield opened


def test_the_request_asks_the_app_for_one_country_and_language():
    request = CHATGPT.request(Question("50% off + free?", "DE", "de"), connect(CHATGPT))
    assert request.url == "https://api.test/v3/ai_optimization/chat_gpt/llm_scraper/live/advanced"
    assert decode_body(request) == [
        {"keyword": "50%25 off %2B free?", "location_code": 2276, "language_code": "de"},
    ]
    assert decode_body(GEMINI.request(ANYWHERE, connect(GEMINI)))[0]["location_code"] == 2840
    for question in (Question("x" * 2001), Question("best anvil", "XX")):
        with pytest.raises(PlatformFault) as refused:
            CHATGPT.request(question, connect(CHATGPT))
        assert refused.value.kind == "rejected"


def test_an_answer_has_its_sources_searches_and_product_cards():
    answer = parse(CHATGPT, done(RESULT))
    assert [page.url for page in answer.cited] == ["https://acme.test/page"]
    assert [page.url for page in answer.retrieved] == ["https://globex.test/page"]
    assert (answer.queries, answer.model, answer.cost_usd) == (("best anvil 2026",), "gpt-5-2", 0.004)
    assert (answer.request_id, answer.country_honoured) == ("t-1", True)
    assert answer.products == (
        ProductCard(
            name="Anvil S", brand="Initech", price="1249.5", currency="USD", seller="Initech Store",
            url="https://initech.test/s", place=1,
        ),
        ProductCard(name="Globex", seller="globex.test", place=2),
    )  # fmt: skip
    assert answer.text == f"{TEXT}\n\n- **Initech Anvil S** (1249.5 USD, Initech Store)", "people see the card, too"


def test_without_the_whole_text_its_parts_are_joined():
    items = [{"type": "gemini_text", "markdown": TEXT, "sources": [source("acme.test")]}, TABLE]
    answer = parse(GEMINI, done({"model": "gemini-3", "markdown": None, "items": items}))
    assert answer.text == f"{TEXT}\n\n| Brand | Weight |\n| --- | --- |\n| Acme | 90 kg |"
    assert [page.url for page in answer.cited] == ["https://acme.test/page"]
    assert answer.products == answer.queries == ()


@pytest.mark.parametrize(
    ("payload", "kind"),
    [
        (done(None), "malformed"),
        (done({"items": []}), "blank"),
        (done({"markdown": "Too short."}), "blank"),
        (done(None, 40501, "Invalid Field: 'location_code'."), "rejected"),
        (done(None, 40200, "Payment Required."), "no_money"),
        (done(None, 40210, "Insufficient Funds."), "no_money"),
        (done(None, 40602, "Task In Queue."), "unavailable"),
        (done(None, 50401, "Timeout."), "timeout"),
    ],
)
def test_faults_of_the_vendor(payload, kind):
    assert parse_fault(CHATGPT, payload).kind == kind


@prove
@given(damaged_bodies(done(RESULT)))
def test_a_damaged_body_is_an_answer_or_a_fault(body):
    assert_answer_or_fault(CHATGPT, body)


@pytest.mark.parametrize("connector", CONNECTORS, ids=lambda each: each.platform)
async def test_an_answer_over_http(session, connector):
    async with FakeServer() as server:
        connection = connect_to(server, connector)
        answer = await ask_once(session, connector, connection)
        assert all(statement.text.strip(" ,.\n") in answer.text for statement in STATEMENTS)
        assert sorted(page.url for page in answer.cited) == sorted(SOURCES[number][0] for number in CITED)
        is_chatgpt = connector.platform == "chatgpt"
        assert [page.url for page in answer.retrieved] == [SOURCES[n][0] for n in RETRIEVED] * is_chatgpt
        assert answer.queries == (QUERIES if is_chatgpt else ())
        assert [card.name for card in answer.products] == ["Hooli Phone 3", "Anvil S"] * is_chatgpt
        for fault, kind in ((Faults.no_money(), "no_money"), (Faults.overloaded(), "unavailable")):
            server.script("dataforseo", fault)
            with pytest.raises(PlatformFault) as failed:
                await ask_once(session, connector, connection)
            assert failed.value.kind == kind
        with pytest.raises(PlatformFault) as unsupported:
            await ask_once(session, connector, connection, Question("best anvil", "KP", "en"))
        assert unsupported.value.kind == "rejected"


@pytest.mark.parametrize("connector", CONNECTORS, ids=["chatgpt", "gemini"])
async def test_a_task_over_http(session, connector):
    """Posted, not done, found by its tag, done; then one that is unknown and one whose result has expired."""
    async with FakeServer() as server:
        connection, tasks = connect_to(server, connector), connector.tasks
        transport = NetworkTransport(session)

        async def send(request):
            return await transport.send(request, timeout=5, attempt=1)

        question = Question("best anvil", "DE", "de")
        with pytest.raises(AnswerLater) as posted:
            tasks.parse(await send(tasks.post(question, connection, "tag-1")), question, connection)
        assert posted.value.cost_usd == TASK_COST
        fetch = tasks.fetch(posted.value.task_id, connection)
        with pytest.raises(AnswerLater) as not_done:
            tasks.parse(await send(fetch), question, connection)
        assert (not_done.value.task_id, not_done.value.cost_usd) == (posted.value.task_id, None)
        listed = await send(tasks.list_done(connection))
        assert tasks.find_tag(listed, "tag-1") == posted.value.task_id and tasks.find_tag(listed, "tag-2") is None
        answer = tasks.parse(await send(fetch), question, connection)
        assert all(statement.text.strip(" ,.\n") in answer.text for statement in STATEMENTS)
        for task_id, said in ((EXPIRED, "Results Expired"), ("unknown/../x", "Task Not Found")):
            reply = await send(tasks.fetch(task_id, connection))
            with pytest.raises(PlatformFault) as failed:
                tasks.parse(reply, question, connection)
            assert failed.value.kind == "rejected" and said in failed.value.message


@prove
@given(damaged_bodies(done(RESULT)))
def test_a_damaged_reply_about_a_task_is_an_answer_or_a_fault(body):
    with suppress(PlatformFault, AnswerLater):
        CHATGPT.tasks.parse(HttpReply(200, {}, body), ANYWHERE, connect(CHATGPT))

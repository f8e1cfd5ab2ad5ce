"""platforms.md 5: inline links `[[n]](url)` stay in the text; `citations` "lists **every URL met**, so it is the
retrieved set"; the location's spelling is unconfirmed."""

from hypothesis import given

from sightline.platforms.models import Usage
from sightline.platforms.xai import CONNECTOR
from tests.platforms.parsing import (
    ANYWHERE,
    QUESTION,
    SECRET,
    assert_answer_or_fault,
    build_reply,
    changed,
    connect,
    damaged_bodies,
    decode_body,
    mutations,
    parse,
    parse_fault,
    quotes,
    urls,
)
from tests.property_testing import prove

LINK = "[[1]](https://acme.example/)"
TEXT = f"Grüße 🚀: Acme is the easiest{LINK} of them."
PAYLOAD = {
    "id": "b2f6",
    "status": "completed",
    "model": "grok-4-1-fast",
    "output": [
        {
            "type": "web_search_call",
            "status": "completed",
            "action": {"type": "search", "query": "best crm", "sources": []},
        },
        {"type": "custom_tool_call", "name": "x_keyword_search", "input": "{}"},
        {
            "type": "message",
            "role": "assistant",
            "content": [
                {
                    "type": "output_text",
                    "text": TEXT,
                    "annotations": [
                        {
                            "type": "url_citation",
                            "url": "https://acme.example/",
                            "title": "1",
                            "start_index": TEXT.index(LINK),
                            "end_index": TEXT.index(LINK) + len(LINK),
                        }
                    ],
                }
            ],
        },
    ],
    "citations": ["https://acme.example/", "https://met.example/a", "https://x.com/i/status/19"],
    "usage": {
        "input_tokens": 100,
        "output_tokens": 50,
        "cost_in_usd_ticks": 123_000_000,
        "server_side_tool_usage_details": {"web_search_calls": 4},
    },
}


def test_the_request():
    request = CONNECTOR.request(QUESTION, connect(CONNECTOR))
    assert request.url == "https://api.test/v1/responses" and request.headers["authorization"] == f"Bearer {SECRET}"
    assert decode_body(request) == {
        "model": "asked-model",
        "input": [{"role": "user", "content": "best crm for startups"}],
        "tools": [{"type": "web_search"}],
        "store": False,
    }


def test_an_answer():
    answer = parse(CONNECTOR, PAYLOAD)
    assert answer.text == TEXT
    assert quotes(answer) == {"https://acme.example/": [LINK]}
    assert answer.cited[0].title is None
    assert urls(answer.retrieved) == ["https://met.example/a", "https://x.com/i/status/19"]
    assert answer.queries == ("best crm",)
    assert answer.usage == Usage(100, 50, 4) and answer.cost_usd == 0.0123
    assert answer.country_honoured is False
    assert parse(CONNECTOR, PAYLOAD, ANYWHERE).country_honoured is None


def test_without_annotations_nothing_is_cited_but_all_is_retrieved():
    answer = parse(CONNECTOR, changed(PAYLOAD, "output", 2, "content", 0, "annotations", to=[]))
    assert answer.cited == () and len(answer.retrieved) == 3


def test_an_incomplete_answer():
    assert parse_fault(CONNECTOR, PAYLOAD | {"status": "incomplete", "incomplete_details": None}).kind == "malformed"


def test_errors_with_misleading_statuses():
    exhausted = "Your team x has either used all available credits or reached its monthly spending limit."
    assert CONNECTOR.fault(build_reply({"code": "exhausted", "error": exhausted}, 429)).kind == "no_money"
    assert CONNECTOR.fault(build_reply({"code": "exhausted", "error": "Too many requests"}, 429)).kind == "rate_limited"
    key = f"Incorrect API key provided: {SECRET}. You can obtain an API key from https://console.x.ai."
    fault = CONNECTOR.fault(build_reply({"code": "Client specified an invalid argument", "error": key}, 400))
    assert fault.kind == "unauthorised" and SECRET not in fault.message
    assert CONNECTOR.fault(build_reply({"error": "Live search is deprecated."}, 410)).kind == "rejected"


@prove
@given(mutations(PAYLOAD))
def test_any_mutation_is_an_answer_or_a_fault(payload):
    assert_answer_or_fault(CONNECTOR, payload)


@prove
@given(damaged_bodies(PAYLOAD))
def test_any_damage_is_an_answer_or_a_fault(body):
    assert_answer_or_fault(CONNECTOR, body)

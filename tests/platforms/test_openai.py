"""platforms.md 1: "`user_location` missing or null means **United States**; `{"type": "approximate"}` means none".

Annotations are the cited pages; search calls contain the queries and retrieved pages.
"""

import pytest
from hypothesis import given

from sightline.platforms.models import PlatformFault, Question, Usage
from sightline.platforms.openai import CONNECTOR
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

TEXT = "Für Startups 🚀 passt **Acme** ([acme.example](https://acme.example/?utm_source=openai)). Globex folgt."
PAYLOAD = {
    "id": "resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b",
    "object": "response",
    "status": "completed",
    "error": None,
    "incomplete_details": None,
    "model": "gpt-5.2-2026-05-01",
    "output": [
        {"id": "rs_1", "type": "reasoning", "summary": [], "content": None},
        {
            "id": "ws_1",
            "type": "web_search_call",
            "status": "completed",
            "action": {
                "type": "search",
                "query": "best crm",
                "queries": ["best crm", "crm startups germany"],
                "sources": [
                    {"type": "url", "url": "https://acme.example/"},
                    {"type": "url", "url": "https://www.g2.com/categories/crm"},
                ],
            },
        },
        {"id": "ws_2", "type": "web_search_call", "action": {"type": "open_page", "url": "https://globex.example/a"}},
        {"id": "ws_3", "type": "web_search_call", "action": {"type": "search", "query": "best crm"}},
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "content": [
                {
                    "type": "output_text",
                    "text": TEXT,
                    "annotations": [
                        {
                            "type": "url_citation",
                            "start_index": TEXT.index(" (["),
                            "end_index": TEXT.index(". Globex"),
                            "url": "https://acme.example/?utm_source=openai",
                            "title": "Acme",
                        },
                        {"type": "file_citation", "file_id": "f"},
                    ],
                }
            ],
        },
    ],
    "usage": {"input_tokens": 328, "output_tokens": 356, "total_tokens": 684},
    "tool_usage": {"web_search": {"num_requests": 2}},
}
MESSAGE = ("output", 4)


def test_the_request():
    request = CONNECTOR.request(QUESTION, connect(CONNECTOR))
    assert (request.method, request.url) == ("POST", "https://api.test/v1/responses")
    assert request.headers["authorization"] == f"Bearer {SECRET}"
    assert decode_body(request) == {
        "model": "asked-model",
        "input": "best crm for startups",
        "tools": [
            {
                "type": "web_search",
                "search_context_size": "medium",
                "user_location": {"type": "approximate", "country": "DE"},
            }
        ],
        "include": ["web_search_call.action.sources"],
        "store": False,
    }


def test_without_a_country_the_location_is_sent_as_none():
    sent = decode_body(CONNECTOR.request(ANYWHERE, connect(CONNECTOR)))
    assert sent["tools"][0]["user_location"] == {"type": "approximate"}


@pytest.mark.parametrize(
    "base", ["https://api.test", "https://api.test/", "https://api.test/v1", "https://api.test/v1/"]
)
def test_a_base_address_may_or_may_not_end_in_the_version(base):
    assert CONNECTOR.request(QUESTION, connect(CONNECTOR, base_url=base)).url == "https://api.test/v1/responses"


def test_without_a_model_nothing_is_sent():
    with pytest.raises(PlatformFault) as refused:
        CONNECTOR.request(QUESTION, connect(CONNECTOR, model=None))
    assert refused.value.kind == "rejected"


def test_an_answer():
    answer = parse(CONNECTOR, PAYLOAD, x_request_id="req_1")
    assert answer.status == "ok" and answer.text == TEXT
    assert quotes(answer) == {
        "https://acme.example/?utm_source=openai": [" ([acme.example](https://acme.example/?utm_source=openai))"]
    }
    assert answer.cited[0].title == "Acme"
    assert urls(answer.retrieved) == ["https://www.g2.com/categories/crm", "https://globex.example/a"]
    assert answer.queries == ("best crm", "crm startups germany")
    assert (answer.model, answer.request_id, answer.tool_version) == ("gpt-5.2-2026-05-01", "req_1", "web_search")
    assert answer.usage == Usage(328, 356, 2) and answer.cost_usd is None


def test_a_requested_country_is_honored():
    assert parse(CONNECTOR, PAYLOAD).country_honoured is True
    assert parse(CONNECTOR, PAYLOAD, ANYWHERE).country_honoured is None


def test_offsets_of_a_second_part_count_from_its_own_start():
    mark = {"type": "url_citation", "start_index": 4, "end_index": 10, "url": "https://globex.example/", "title": "G"}
    second = {"type": "output_text", "text": "See Globex too.", "annotations": [mark]}
    answer = parse(CONNECTOR, changed(PAYLOAD, *MESSAGE, "content", to=[*PAYLOAD["output"][4]["content"], second]))
    assert quotes(answer)["https://globex.example/"] == ["Globex"]
    assert answer.text == TEXT + "See Globex too."


def test_commentary_is_left_out_once_there_is_an_answer():
    remark = {
        "type": "message",
        "phase": "commentary",
        "content": [{"type": "output_text", "text": "I will search now."}],
    }
    assert parse(CONNECTOR, changed(PAYLOAD, "output", 0, to=remark)).text == TEXT


def test_a_refusal_is_an_answer():
    refused = [{"type": "refusal", "refusal": "I'm sorry, but I cannot help with that."}]
    assert parse(CONNECTOR, changed(PAYLOAD, *MESSAGE, "content", to=refused)).text.startswith("I'm sorry")


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("server_error", "unavailable"),
        ("rate_limit_exceeded", "rate_limited"),
        ("invalid_prompt", "rejected"),
        ("insufficient_quota", "no_money"),
    ],
)
def test_a_failed_response_inside_a_200(code, kind):
    failed = PAYLOAD | {"status": "failed", "error": {"code": code, "message": "It failed."}, "output": []}
    assert parse_fault(CONNECTOR, failed).kind == kind


@pytest.mark.parametrize(
    ("reason", "kind"), [("max_output_tokens", "malformed"), ("content_filter", "rejected"), (None, "malformed")]
)
def test_an_incomplete_response_is_a_fault(reason, kind):
    assert (
        parse_fault(CONNECTOR, PAYLOAD | {"status": "incomplete", "incomplete_details": {"reason": reason}}).kind
        == kind
    )


def test_an_unfinished_response():
    assert parse_fault(CONNECTOR, PAYLOAD | {"status": "in_progress"}).kind == "unavailable"


@pytest.mark.parametrize("text", ["", "   \n ", "Yes.", "x" * 19])
def test_a_short_answer_is_blank(text):
    assert parse_fault(CONNECTOR, changed(PAYLOAD, *MESSAGE, "content", 0, "text", to=text)).kind == "blank"


def test_twenty_characters_are_an_answer():
    assert parse(CONNECTOR, changed(PAYLOAD, *MESSAGE, "content", 0, "text", to=" " + "x" * 20)).text == " " + "x" * 20


@pytest.mark.parametrize("body", [b"", b"null", b"[]", b'"text"', b"<html>", b"{", b"\xff\xfe", b"[" * 100_000])
def test_a_body_that_is_not_an_object_is_malformed(body):
    assert parse_fault(CONNECTOR, body).kind == "malformed"


def test_a_null_character_is_replaced_in_place():
    """PostgreSQL cannot store null characters."""
    answer = parse(CONNECTOR, changed(PAYLOAD, *MESSAGE, "content", 0, "text", to=TEXT.replace("ü", "\0")))
    assert answer.text == TEXT.replace("ü", "\ufffd")


def test_a_figure_of_another_type_does_not_lose_the_answer():
    odd = PAYLOAD | {"usage": {"input_tokens": "many"}, "tool_usage": [], "model": None, "id": 5}
    answer = parse(CONNECTOR, odd)
    assert answer.text == TEXT and answer.usage == Usage() and answer.model == "asked-model"
    assert answer.request_id is None


def test_ten_thousand_citations_in_a_megabyte_are_read_quickly():
    text = "Acme is good. " * 80_000
    mark = {"type": "url_citation", "url": "https://acme.example/"}
    marks = [mark | {"start_index": place, "end_index": place + 4} for place in range(10_000)]
    content = [{"type": "output_text", "text": text, "annotations": marks}]
    answer = parse(CONNECTOR, changed(PAYLOAD, *MESSAGE, "content", to=content))
    assert len(answer.cited[0].spans) == 10_000


def test_a_citation_outside_its_text_has_no_span():
    link = {"type": "url_citation", "url": "https://acme.example/", "start_index": -9, "end_index": 4}
    first = {"type": "output_text", "text": "Globex is the older of the two. "}
    second = {"type": "output_text", "text": "Acme is the easier one.", "annotations": [link]}
    answer = parse(CONNECTOR, PAYLOAD | {"output": [{"type": "message", "content": [first, second]}]})
    assert quotes(answer) == {"https://acme.example/": []}


@prove
@given(mutations(PAYLOAD))
def test_any_mutation_is_an_answer_or_a_fault(payload):
    assert_answer_or_fault(CONNECTOR, payload)
    assert_answer_or_fault(CONNECTOR, payload, ANYWHERE)


@prove
@given(damaged_bodies(PAYLOAD))
def test_any_damage_is_an_answer_or_a_fault(body):
    assert_answer_or_fault(CONNECTOR, body)


def test_the_prompt_is_sent_unchanged():
    prompt = 'Was ist "das beste" CRM?\n\\ 🚀'
    assert decode_body(CONNECTOR.request(Question(prompt), connect(CONNECTOR)))["input"] == prompt


def test_errors_are_read():
    error = {"error": {"message": "slow down", "type": "requests", "code": "rate_limit_exceeded", "param": None}}
    assert CONNECTOR.fault(build_reply(error, 429, retry_after="3")).retry_after == 3

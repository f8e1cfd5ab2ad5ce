"""platforms.md 2: a citation belongs to its text block; a search error inside a 200 "is a failed answer"."""

import pytest
from hypothesis import given

from sightline.platforms.anthropic import CONNECTOR
from sightline.platforms.models import Usage
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


def result(*pages: str) -> dict:
    found = [{"type": "web_search_result", "url": url, "title": f"Title of {url}", "page_age": None} for url in pages]
    return {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": found}


def failed(code: str) -> dict:
    error = {"type": "web_search_tool_result_error", "error_code": code}
    return {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_2", "content": error}


PAYLOAD = {
    "id": "msg_01XFDUDYJgAACzvnptvVoYEL",
    "type": "message",
    "role": "assistant",
    "model": "claude-sonnet-5-20260315",
    "content": [
        {"type": "text", "text": "I'll search for that."},
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "best crm startups"}},
        result("https://acme.example/", "https://www.g2.com/crm", "https://unused.example/page"),
        {"type": "text", "text": "Für Startups: "},
        {
            "type": "text",
            "text": "Acme ist am einfachsten",
            "citations": [
                {
                    "type": "web_search_result_location",
                    "url": "https://acme.example/",
                    "title": "Acme",
                    "cited_text": "easy",
                    "encrypted_index": "E",
                },
                {
                    "type": "web_search_result_location",
                    "url": "https://www.g2.com/crm",
                    "title": None,
                    "cited_text": "x",
                },
            ],
        },
        {"type": "text", "text": ", Globex am größten.", "citations": None},
    ],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 6039, "output_tokens": 931, "server_tool_use": {"web_search_requests": 1}},
}


def test_the_request():
    request = CONNECTOR.request(QUESTION, connect(CONNECTOR))
    assert request.url == "https://api.test/v1/messages"
    assert request.headers["x-api-key"] == SECRET and request.headers["anthropic-version"] == "2023-06-01"
    sent = decode_body(request)
    assert sent["model"] == "asked-model" and sent["max_tokens"] >= 2048
    assert sent["messages"] == [{"role": "user", "content": "best crm for startups"}]
    assert sent["tools"] == [
        {
            "type": "web_search_20250305",
            "name": "web_search",
            "max_uses": 5,
            "user_location": {"type": "approximate", "country": "DE"},
        }
    ]


def test_without_a_country_no_location_is_sent():
    assert "user_location" not in decode_body(CONNECTOR.request(ANYWHERE, connect(CONNECTOR)))["tools"][0]


def test_an_answer():
    answer = parse(CONNECTOR, PAYLOAD, request_id="req_1")
    assert answer.text == "I'll search for that.\n\nFür Startups: Acme ist am einfachsten, Globex am größten."
    assert quotes(answer) == {
        "https://acme.example/": ["Acme ist am einfachsten"],
        "https://www.g2.com/crm": ["Acme ist am einfachsten"],
    }
    assert [page.title for page in answer.cited] == ["Acme", "Title of https://www.g2.com/crm"]
    assert urls(answer.retrieved) == ["https://unused.example/page"]
    assert answer.queries == ("best crm startups",)
    assert answer.usage == Usage(6039, 931, 1)
    assert (answer.model, answer.request_id, answer.tool_version) == (
        "claude-sonnet-5-20260315",
        "req_1",
        "web_search_20250305",
    )
    assert answer.country_honoured is True


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("too_many_requests", "rate_limited"),
        ("unavailable", "unavailable"),
        ("max_uses_exceeded", "unavailable"),
        ("something_new", "unavailable"),
    ],
)
def test_a_failed_search_is_a_failed_answer(code, kind):
    fault = parse_fault(CONNECTOR, changed(PAYLOAD, "content", 2, to=failed(code)))
    assert fault.kind == kind and code in fault.message


def test_one_failed_search_of_several_is_a_failed_answer():
    content = [*PAYLOAD["content"], failed("unavailable")]
    assert parse_fault(CONNECTOR, PAYLOAD | {"content": content}).kind == "unavailable"


def test_exceeding_the_allowed_searches_is_still_an_answer():
    content = [*PAYLOAD["content"][:3], failed("max_uses_exceeded"), *PAYLOAD["content"][3:]]
    assert "Acme" in parse(CONNECTOR, PAYLOAD | {"content": content}).text


@pytest.mark.parametrize(("reason", "kind"), [("max_tokens", "malformed"), ("pause_turn", "unavailable")])
def test_an_incomplete_answer_is_a_fault(reason, kind):
    assert parse_fault(CONNECTOR, PAYLOAD | {"stop_reason": reason}).kind == kind


def test_refusals_with_and_without_text():
    assert parse_fault(CONNECTOR, PAYLOAD | {"stop_reason": "refusal", "content": []}).kind == "rejected"
    content = [{"type": "text", "text": "I can't help with that request."}]
    assert (
        parse(CONNECTOR, PAYLOAD | {"stop_reason": "refusal", "content": content}).text
        == "I can't help with that request."
    )


def test_an_error_with_the_status_of_an_answer():
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    assert parse_fault(CONNECTOR, error).kind == "unavailable"


def test_an_empty_account():
    message = "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing."
    error = {"type": "error", "error": {"type": "invalid_request_error", "message": message}, "request_id": "r"}
    fault = CONNECTOR.fault(build_reply(error, 400))
    assert fault.kind == "no_money" and "credit balance is too low" in fault.message


@pytest.mark.parametrize(("status", "kind"), [(529, "unavailable"), (429, "rate_limited"), (413, "rejected")])
def test_errors(status, kind):
    error = {"type": "error", "error": {"type": "some_error", "message": "no"}}
    assert CONNECTOR.fault(build_reply(error, status)).kind == kind


@prove
@given(mutations(PAYLOAD))
def test_any_mutation_is_an_answer_or_a_fault(payload):
    assert_answer_or_fault(CONNECTOR, payload)


@prove
@given(damaged_bodies(PAYLOAD))
def test_any_damage_is_an_answer_or_a_fault(body):
    assert_answer_or_fault(CONNECTOR, body)

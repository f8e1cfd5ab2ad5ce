"""platforms.md 6: `message.output` holds a string, or text and `tool_reference` in turn. No location."""

import pytest
from hypothesis import given

from sightline.platforms.mistral import CONNECTOR
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

PAYLOAD = {
    "object": "conversation.response",
    "conversation_id": "conv_1",
    "outputs": [
        {"type": "tool.execution", "name": "web_search", "arguments": '{"query": "best crm"}', "id": "t1"},
        {"type": "tool.execution", "name": "web_search", "arguments": {"queries": ["crm eu", "crm startups"]}},
        {"type": "tool.execution", "name": "web_search"},
        {
            "type": "message.output",
            "model": "mistral-medium-2509",
            "role": "assistant",
            "content": [
                {"type": "text", "text": "Für Startups: "},
                {"type": "text", "text": "Acme is the easiest"},
                {"type": "tool_reference", "tool": "web_search", "title": "Acme", "url": "https://acme.example/"},
                {"type": "text", "text": " "},
                {"type": "tool_reference", "tool": "web_search", "title": "G2", "url": "https://www.g2.com/crm"},
                {"type": "text", "text": ", Globex the largest."},
                {"type": "tool_reference", "tool": "web_search", "title": "no address", "url": None},
            ],
        },
    ],
    "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 9, "connectors": {"web_search": 3}},
}


def test_the_request():
    request = CONNECTOR.request(QUESTION, connect(CONNECTOR))
    assert request.url == "https://api.test/v1/conversations" and request.headers["authorization"] == f"Bearer {SECRET}"
    assert decode_body(request) == {
        "model": "asked-model",
        "inputs": "best crm for startups",
        "tools": [{"type": "web_search"}],
        "stream": False,
        "store": False,
    }


def test_an_answer():
    answer = parse(CONNECTOR, PAYLOAD)
    assert answer.text == "Für Startups: Acme is the easiest , Globex the largest."
    assert quotes(answer) == {
        "https://acme.example/": ["Acme is the easiest"],
        "https://www.g2.com/crm": ["Acme is the easiest"],
    }
    assert urls(answer.retrieved) == []
    assert answer.queries == ("best crm", "crm eu", "crm startups")
    assert answer.usage == Usage(1, 2, 3)
    assert (answer.model, answer.request_id, answer.country_honoured) == ("mistral-medium-2509", "conv_1", False)
    assert parse(CONNECTOR, PAYLOAD, ANYWHERE).country_honoured is None


def test_a_text_without_chunks():
    plain = "Acme is the easiest of them all."
    assert parse(CONNECTOR, changed(PAYLOAD, "outputs", 3, "content", to=plain)).text == plain


def test_several_messages_are_one_text():
    outputs = [{"type": "message.output", "content": "I will look."}, *PAYLOAD["outputs"]]
    answer = parse(CONNECTOR, PAYLOAD | {"outputs": outputs})
    assert answer.text.startswith("I will look.\n\nFür Startups")
    assert quotes(answer)["https://acme.example/"] == ["Acme is the easiest"]


def test_an_error_with_the_status_of_an_answer():
    assert (
        parse_fault(CONNECTOR, {"object": "error", "message": "boom", "type": "x", "code": "1"}).kind == "unavailable"
    )


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (401, {"detail": "Unauthorized"}, "unauthorised"),
        (402, {"detail": "Payment required"}, "no_money"),
        (422, {"detail": [{"type": "missing", "loc": ["body", "model"], "msg": "Field required"}]}, "rejected"),
        (
            429,
            {"object": "error", "message": "Rate limit exceeded", "type": "rate_limited", "code": "1300"},
            "rate_limited",
        ),
    ],
)
def test_errors(status, error, kind):
    assert CONNECTOR.fault(build_reply(error, status)).kind == kind


def test_the_message_says_what_is_wrong_with_a_request():
    error = {"detail": [{"type": "missing", "loc": ["body", "model"], "msg": "Field required"}]}
    assert "Field required" in CONNECTOR.fault(build_reply(error, 422)).message


@prove
@given(mutations(PAYLOAD))
def test_any_mutation_is_an_answer_or_a_fault(payload):
    assert_answer_or_fault(CONNECTOR, payload)


@prove
@given(damaged_bodies(PAYLOAD))
def test_any_damage_is_an_answer_or_a_fault(body):
    assert_answer_or_fault(CONNECTOR, body)

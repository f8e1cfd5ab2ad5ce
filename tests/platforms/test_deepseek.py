"""platforms.md 7: "no search, no citations"; "a reply may start with blank lines: strip before JSON. 402 = balance"."""

import json

import pytest
from hypothesis import given

from sightline.platforms.deepseek import CONNECTOR
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

TEXT = "Acme ist für Startups am einfachsten 🚀."
PAYLOAD = {
    "id": "930c60df",
    "object": "chat.completion",
    "model": "deepseek-chat",
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": TEXT, "reasoning_content": "Hooli?"},
        }
    ],
    "usage": {"prompt_tokens": 11, "completion_tokens": 22, "total_tokens": 33},
}


def test_the_request():
    request = CONNECTOR.request(QUESTION, connect(CONNECTOR))
    assert request.url == "https://api.test/chat/completions" and request.headers["authorization"] == f"Bearer {SECRET}"
    assert decode_body(request) == {
        "model": "asked-model",
        "messages": [{"role": "user", "content": "best crm for startups"}],
        "stream": False,
    }


def test_an_answer():
    answer = parse(CONNECTOR, PAYLOAD)
    assert answer.text == TEXT and quotes(answer) == {} and urls(answer.retrieved) == []
    assert answer.usage == Usage(11, 22) and (answer.model, answer.request_id) == ("deepseek-chat", "930c60df")
    assert answer.country_honoured is False and parse(CONNECTOR, PAYLOAD, ANYWHERE).country_honoured is None
    assert CONNECTOR.cites is False


def test_blank_lines_before_the_answer():
    assert parse(CONNECTOR, b"\n\n \r\n\n" + json.dumps(PAYLOAD).encode()).text == TEXT
    assert parse_fault(CONNECTOR, b"\n\n\n").kind == "malformed"


@pytest.mark.parametrize(("reason", "kind"), [("length", "malformed"), ("insufficient_system_resource", "unavailable")])
def test_an_incomplete_answer_is_a_fault(reason, kind):
    assert parse_fault(CONNECTOR, changed(PAYLOAD, "choices", 0, "finish_reason", to=reason)).kind == kind


def test_an_answer_that_was_withheld():
    withheld = {"finish_reason": "content_filter", "message": {"content": ""}}
    assert parse_fault(CONNECTOR, PAYLOAD | {"choices": [withheld]}).kind == "rejected"


def test_an_answer_without_choices():
    assert parse_fault(CONNECTOR, PAYLOAD | {"choices": []}).kind == "malformed"


def test_an_empty_balance():
    error = {"error": {"message": "Insufficient Balance", "type": "unknown_error", "code": "invalid_request_error"}}
    assert CONNECTOR.fault(build_reply(error, 402)).kind == "no_money"


@prove
@given(mutations(PAYLOAD))
def test_any_mutation_is_an_answer_or_a_fault(payload):
    assert_answer_or_fault(CONNECTOR, payload)


@prove
@given(damaged_bodies(PAYLOAD))
def test_any_damage_is_an_answer_or_a_fault(body):
    assert_answer_or_fault(CONNECTOR, body)

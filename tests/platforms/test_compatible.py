"""platforms.md 10: any OpenAI-compatible server.

"No citations unless the server returns `citations` or `annotations`".
"""

from hypothesis import given

from sightline.platforms.compatible import CONNECTOR
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

THOUGHTS = "<think>\nAcme? Hooli? ü\n</think>\n\n"
TEXT = "Acme is the easiest of them."
PLACE = len(THOUGHTS)
PAYLOAD = {
    "id": "chatcmpl-1",
    "model": "qwen3:8b",
    "choices": [
        {
            "finish_reason": "stop",
            "message": {
                "role": "assistant",
                "content": THOUGHTS + TEXT,
                "annotations": [
                    {
                        "type": "url_citation",
                        "url_citation": {
                            "url": "https://acme.example/",
                            "title": "Acme",
                            "start_index": PLACE,
                            "end_index": PLACE + 4,
                        },
                    }
                ],
            },
        }
    ],
    "citations": ["https://cited.example/", {"url": "https://also.example/", "title": "Also"}],
    "usage": {"prompt_tokens": 5, "completion_tokens": 6},
}


def test_the_request():
    request = CONNECTOR.request(QUESTION, connect(CONNECTOR, base_url="http://127.0.0.1:11434/v1/"))
    assert request.url == "http://127.0.0.1:11434/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {SECRET}"
    assert decode_body(request)["model"] == "asked-model"
    assert "model" not in decode_body(CONNECTOR.request(QUESTION, connect(CONNECTOR, model=None)))


def test_an_answer_leaves_out_the_thoughts_of_the_model():
    answer = parse(CONNECTOR, PAYLOAD)
    assert answer.text == TEXT
    assert quotes(answer) == {
        "https://acme.example/": ["Acme"],
        "https://cited.example/": [],
        "https://also.example/": [],
    }
    assert urls(answer.retrieved) == [] and answer.usage == Usage(5, 6)
    assert answer.country_honoured is False and parse(CONNECTOR, PAYLOAD, ANYWHERE).country_honoured is None


def test_thoughts_alone_are_not_an_answer():
    assert parse_fault(CONNECTOR, changed(PAYLOAD, "choices", 0, "message", "content", to=THOUGHTS)).kind == "blank"


def test_content_in_parts():
    parts = [{"type": "text", "text": "Acme is the easiest "}, {"type": "text", "text": "of them."}]
    assert parse(CONNECTOR, changed(PAYLOAD, "choices", 0, "message", "content", to=parts)).text == TEXT


def test_an_error_with_the_status_of_an_answer():
    assert parse_fault(CONNECTOR, {"error": "model 'x' not found"}).kind == "unavailable"


def test_an_error_that_is_only_a_sentence():
    assert CONNECTOR.fault(build_reply({"error": "model 'x' not found, try pulling it first"}, 404)).kind == "rejected"


@prove
@given(mutations(PAYLOAD))
def test_any_mutation_is_an_answer_or_a_fault(payload):
    assert_answer_or_fault(CONNECTOR, payload)


@prove
@given(damaged_bodies(PAYLOAD))
def test_any_damage_is_an_answer_or_a_fault(body):
    assert_answer_or_fault(CONNECTOR, body)

"""platforms.md 4: text with `[n]` marks, `[n]` ↔ `id` of a result; "Keep a parser for the old shape for replays"."""

import pytest
from hypothesis import given

from sightline.platforms.models import Usage
from sightline.platforms.perplexity import CONNECTOR
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

TEXT = "Two stand out. Acme is easy[1][3], and Globex is larger. It costs more. [web:2]\n- Initech lags [9]"
PAYLOAD = {
    "id": "resp_1",
    "object": "response",
    "status": "completed",
    "model": "perplexity/sonar",
    "output": [
        {
            "type": "search_results",
            "queries": ["best crm", "crm startups"],
            "results": [
                {"id": 1, "url": "https://acme.example/", "title": "Acme", "snippet": "…", "date": "2026-01-02"},
                {"id": 2, "url": "https://globex.example/", "title": "Globex", "snippet": "…"},
                {"id": 3, "url": "https://www.g2.com/crm", "title": "G2", "snippet": "…"},
                {"id": 4, "url": "https://unused.example/", "title": "Unused", "snippet": "…"},
            ],
        },
        {
            "type": "fetch_url_results",
            "contents": [{"url": "https://opened.example/", "title": "Opened", "snippet": "…"}],
        },
        {
            "type": "message",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": TEXT, "annotations": []}],
        },
    ],
    "usage": {
        "input_tokens": 3681,
        "output_tokens": 780,
        "cost": {"currency": "USD", "input_cost": 0.001, "output_cost": 0.008, "total_cost": 0.0141},
        "tool_calls_details": {"web_search": {"invocation": 2}},
    },
}
OLD = {
    "id": "4e0f1a",
    "model": "sonar-pro",
    "choices": [
        {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Acme is the easiest[2]."}}
    ],
    "citations": ["https://www.g2.com/crm", "https://acme.example/"],
    "search_results": [
        {"title": "G2", "url": "https://www.g2.com/crm", "date": None},
        {"title": "Acme", "url": "https://acme.example/"},
    ],
    "usage": {"prompt_tokens": 12, "completion_tokens": 90, "num_search_queries": 3, "cost": {"total_cost": 0.009}},
}


def test_the_request():
    request = CONNECTOR.request(QUESTION, connect(CONNECTOR))
    assert request.url == "https://api.test/v1/agent"
    assert request.headers["authorization"] == f"Bearer {SECRET}"
    assert decode_body(request) == {
        "model": "asked-model",
        "input": "best crm for startups",
        "tools": [{"type": "web_search", "user_location": {"country": "DE"}}],
        "language_preference": "de",
    }
    assert decode_body(CONNECTOR.request(ANYWHERE, connect(CONNECTOR)))["tools"] == [{"type": "web_search"}]


def test_an_answer():
    answer = parse(CONNECTOR, PAYLOAD)
    assert answer.text == TEXT
    assert quotes(answer) == {
        "https://acme.example/": ["Acme is easy"],
        "https://www.g2.com/crm": ["Acme is easy"],
        "https://globex.example/": ["It costs more."],
    }
    assert urls(answer.retrieved) == ["https://unused.example/", "https://opened.example/"]
    assert answer.queries == ("best crm", "crm startups")
    assert answer.usage == Usage(3681, 780, 2) and answer.cost_usd == 0.0141
    assert (answer.model, answer.country_honoured) == ("perplexity/sonar", True)


def test_without_any_mark_nothing_is_cited():
    plain = "Acme and Globex are both good choices."
    answer = parse(CONNECTOR, changed(PAYLOAD, "output", 2, "content", 0, "text", to=plain))
    assert answer.cited == () and len(answer.retrieved) == 5


def test_an_annotation_cites_like_a_mark():
    note = [{"type": "url_citation", "url": "https://unused.example/", "start_index": 0, "end_index": 3, "title": "U"}]
    answer = parse(CONNECTOR, changed(PAYLOAD, "output", 2, "content", 0, "annotations", to=note))
    assert quotes(answer)["https://unused.example/"] == ["Two"]


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("Acme is the easiest one [1, 2].", ["https://acme.example/", "https://globex.example/"]),
        ("Acme is the easiest one [1](https://x.example/).", []),
        ("Founded in [2024] and since then first.", []),
        ("[1] at the very start of an answer", ["https://acme.example/"]),
        ("Acmeは簡単です。Globexは大きくて高いですよね。[2] 以上です。", ["https://globex.example/"]),
    ],
)
def test_other_spellings_of_marks(text, cited):
    answer = parse(CONNECTOR, changed(PAYLOAD, "output", 2, "content", 0, "text", to=text))
    assert urls(answer.cited) == cited


def test_a_sentence_of_a_script_without_spaces():
    text = "Acmeは簡単です。Globexは大きくて高いですよね。[2] 以上です。"
    answer = parse(CONNECTOR, changed(PAYLOAD, "output", 2, "content", 0, "text", to=text))
    assert quotes(answer) == {"https://globex.example/": ["Globexは大きくて高いですよね。"]}


def test_the_old_shape():
    answer = parse(CONNECTOR, OLD)
    assert quotes(answer) == {"https://acme.example/": ["Acme is the easiest"]}
    assert answer.cited[0].title == "Acme" and urls(answer.retrieved) == ["https://www.g2.com/crm"]
    assert answer.usage == Usage(12, 90, 3) and answer.cost_usd == 0.009 and answer.model == "sonar-pro"


def test_the_old_shape_without_its_list_of_citations():
    without = {name: value for name, value in OLD.items() if name != "citations"}
    assert urls(parse(CONNECTOR, without).cited) == ["https://acme.example/"]


def test_a_failed_response():
    assert (
        parse_fault(CONNECTOR, PAYLOAD | {"status": "failed", "error": {"message": "no", "code": "x"}}).kind
        == "unavailable"
    )
    assert parse_fault(CONNECTOR, PAYLOAD | {"status": "requires_action"}).kind == "unavailable"


def test_an_empty_account_is_a_401_here():
    error = {"error": {"message": "You exceeded your current quota.", "type": "insufficient_quota", "code": 401}}
    assert CONNECTOR.fault(build_reply(error, 401)).kind == "no_money"
    assert (
        CONNECTOR.fault(build_reply({"error": {"message": "bad key", "type": "x", "code": 401}}, 401)).kind
        == "unauthorised"
    )


@prove
@given(mutations(OLD))
def test_any_mutation_of_the_old_shape(payload):
    assert_answer_or_fault(CONNECTOR, payload)


def test_the_first_of_two_results_with_the_same_number_is_cited():
    again = {"type": "search_results", "results": [{"id": 1, "url": "https://later.example/", "title": "Later"}]}
    answer = parse(CONNECTOR, PAYLOAD | {"output": [*PAYLOAD["output"], again]})
    assert "https://acme.example/" in urls(answer.cited) and "https://later.example/" in urls(answer.retrieved)


def test_a_result_without_a_valid_number_is_retrieved_but_not_cited():
    answer = parse(CONNECTOR, changed(PAYLOAD, "output", 0, "results", 0, "id", to="one"))
    assert "https://acme.example/" in urls(answer.retrieved)


@prove
@given(mutations(PAYLOAD))
def test_any_mutation_is_an_answer_or_a_fault(payload):
    assert_answer_or_fault(CONNECTOR, payload)


@prove
@given(damaged_bodies(PAYLOAD))
def test_any_damage_is_an_answer_or_a_fault(body):
    assert_answer_or_fault(CONNECTOR, body)

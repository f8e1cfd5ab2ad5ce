"""platforms.md 3: "Segment indexes are bytes"; "Cited = chunks that a support refers to; the other chunks are
retrieved"; "No country field"."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.platforms.google import CONNECTOR
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

LINK = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/"
LEAD, CLAIM, REST = "Für Gründer 🚀 gilt: ", "**Acme** läuft am schnellsten 🏃", ". Globex folgt."


def segment(text: str, part: str, **more: int) -> dict:
    start = text.encode().index(part.encode())
    return {"startIndex": start, "endIndex": start + len(part.encode()), "text": part, **more}


PAYLOAD = {
    "candidates": [
        {
            "content": {"role": "model", "parts": [{"text": LEAD + CLAIM + REST}]},
            "finishReason": "STOP",
            "groundingMetadata": {
                "webSearchQueries": ["best crm startups", "crm vergleich"],
                "groundingChunks": [
                    {"web": {"uri": LINK + "A", "title": "acme.example"}},
                    {"web": {"uri": LINK + "B", "title": "g2.com"}},
                    {"retrievedContext": {"uri": "gs://x"}},
                    {"web": {"uri": LINK + "D", "title": "unused.example"}},
                ],
                "groundingSupports": [
                    {"segment": segment(LEAD + CLAIM + REST, CLAIM), "groundingChunkIndices": [0, 1, 2, 99, -1]},
                    {"segment": segment(LEAD + CLAIM + REST, "Globex folgt."), "groundingChunkIndices": [1]},
                ],
            },
        }
    ],
    "usageMetadata": {
        "promptTokenCount": 9,
        "candidatesTokenCount": 40,
        "thoughtsTokenCount": 60,
        "totalTokenCount": 109,
    },
    "modelVersion": "gemini-3-flash",
    "responseId": "abc-1",
}
GROUNDING = ("candidates", 0, "groundingMetadata")


def test_the_request():
    request = CONNECTOR.request(QUESTION, connect(CONNECTOR))
    assert request.url == "https://api.test/v1beta/models/asked-model:generateContent"
    assert request.headers["x-goog-api-key"] == SECRET and SECRET not in request.url
    assert decode_body(request) == {
        "contents": [{"role": "user", "parts": [{"text": "best crm for startups"}]}],
        "tools": [{"google_search": {}}],
        "toolConfig": {"retrievalConfig": {"languageCode": "de"}},
    }
    assert "toolConfig" not in decode_body(CONNECTOR.request(ANYWHERE, connect(CONNECTOR)))


@pytest.mark.parametrize(
    ("model", "path"), [("models/gemini-3", "gemini-3:"), ("tuned/../x?key=1", "tuned%2F..%2Fx%3Fkey%3D1:")]
)
def test_a_model_is_one_part_of_the_path(model, path):
    url = CONNECTOR.request(QUESTION, connect(CONNECTOR, model=model)).url
    assert url == f"https://api.test/v1beta/models/{path}generateContent"


def test_an_answer():
    answer = parse(CONNECTOR, PAYLOAD)
    assert answer.text == LEAD + CLAIM + REST
    assert quotes(answer) == {LINK + "A": [CLAIM], LINK + "B": [CLAIM, "Globex folgt."]}
    assert [page.title for page in answer.cited] == ["acme.example", "g2.com"]
    assert urls(answer.retrieved) == [LINK + "D"]
    assert answer.queries == ("best crm startups", "crm vergleich")
    assert answer.usage == Usage(9, 100, 2)
    assert (answer.model, answer.request_id) == ("gemini-3-flash", "abc-1")
    assert CONNECTOR.redirect_hosts == {"vertexaisearch.cloud.google.com"}


def test_the_country_is_never_honored():
    assert parse(CONNECTOR, PAYLOAD).country_honoured is False
    assert parse(CONNECTOR, PAYLOAD, ANYWHERE).country_honoured is None


@prove
@given(st.text(max_size=30), st.text(min_size=1, max_size=30), st.text(min_size=20, max_size=30))
def test_byte_offsets_become_character_offsets(before, claim, after):
    text = before + claim + after
    start = len(before.encode())
    place = {"startIndex": start, "endIndex": start + len(claim.encode()), "text": claim}
    changed_text = changed(PAYLOAD, "candidates", 0, "content", "parts", to=[{"text": text}])
    supports = [{"segment": place, "groundingChunkIndices": [0]}]
    payload = changed(changed_text, *GROUNDING, "groundingSupports", to=supports)
    if len(text.strip()) >= 20:
        (span,) = parse(CONNECTOR, payload).cited[0].spans
        assert (span.start, span.end) == (len(before), len(before + claim))


def test_a_segment_of_a_later_part_counts_from_the_start_of_that_part():
    parts = [{"text": "I think: ü", "thought": True}, {"text": LEAD}, {"text": CLAIM + REST}]
    supports = [{"segment": segment(CLAIM + REST, CLAIM, partIndex=2), "groundingChunkIndices": [0]}]
    payload = changed(changed(PAYLOAD, "candidates", 0, "content", "parts", to=parts), *GROUNDING, "groundingSupports", to=supports)  # fmt: skip  # noqa: E501
    answer = parse(CONNECTOR, payload)
    assert answer.text == LEAD + CLAIM + REST
    assert quotes(answer)[LINK + "A"] == [CLAIM]


def test_the_quoted_text_takes_precedence_over_the_offsets():
    wrong = {"startIndex": 3, "endIndex": 9, "text": CLAIM}
    payload = changed(PAYLOAD, *GROUNDING, "groundingSupports", 0, "segment", to=wrong)
    assert quotes(parse(CONNECTOR, payload))[LINK + "A"] == [CLAIM]


def test_a_segment_that_matches_nothing_still_cites():
    wrong = {"startIndex": 3, "endIndex": 9, "text": "never said"}
    payload = changed(PAYLOAD, *GROUNDING, "groundingSupports", 0, "segment", to=wrong)
    assert quotes(parse(CONNECTOR, payload))[LINK + "A"] == []


def test_a_chunk_that_cannot_be_read_keeps_its_place():
    payload = changed(PAYLOAD, *GROUNDING, "groundingChunks", 0, to="broken")
    assert urls(parse(CONNECTOR, payload).cited) == [LINK + "B"]


def test_without_grounding_nothing_is_cited():
    answer = parse(CONNECTOR, changed(PAYLOAD, *GROUNDING, to=None))
    assert (answer.cited, answer.retrieved, answer.queries) == ((), (), ())


@pytest.mark.parametrize(
    ("payload", "kind"),
    [
        ({"promptFeedback": {"blockReason": "SAFETY"}}, "rejected"),
        ({"candidates": [{"finishReason": "RECITATION"}]}, "rejected"),
        ({"candidates": [{"finishReason": "STOP"}]}, "blank"),
        ({}, "blank"),
        (changed(PAYLOAD, "candidates", 0, "finishReason", to="MAX_TOKENS"), "malformed"),
        ({"error": {"code": 500, "message": "internal", "status": "INTERNAL"}}, "unavailable"),
    ],
)
def test_a_200_without_an_answer(payload, kind):
    assert parse_fault(CONNECTOR, payload).kind == kind


def quota_error(quota_id: str) -> dict:
    details = [
        {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": quota_id}]},
        {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "57.5s"},
    ]
    message = "You exceeded your current quota, please check your plan and billing details."
    return {"error": {"code": 429, "message": message, "status": "RESOURCE_EXHAUSTED", "details": details}}


@pytest.mark.parametrize(
    ("quota_id", "kind"),
    [
        ("GenerateRequestsPerMinutePerProjectPerModel-FreeTier", "rate_limited"),
        ("GenerateRequestsPerDayPerProjectPerModel-FreeTier", "no_money"),
    ],
)
def test_the_name_of_the_quota_decides_whether_a_retry_helps(quota_id, kind):
    """Google sends the same message, which mentions "billing", for both."""
    fault = CONNECTOR.fault(build_reply(quota_error(quota_id), 429))
    assert (fault.kind, fault.retry_after) == (kind, 57.5)


def test_the_retry_header_takes_precedence_over_the_body():
    assert CONNECTOR.fault(build_reply(quota_error("PerMinute"), 429, retry_after="4")).retry_after == 4


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (
            400,
            {"message": "API key not valid. Please pass a valid API key.", "status": "INVALID_ARGUMENT"},
            "unauthorised",
        ),
        (400, {"message": "no", "details": [{"reason": "API_KEY_INVALID"}]}, "unauthorised"),
        (
            403,
            {"message": "This API method requires billing to be enabled.", "status": "PERMISSION_DENIED"},
            "no_money",
        ),
        (403, {"message": "Forbidden", "status": "PERMISSION_DENIED"}, "unauthorised"),
        (429, {"message": "Your prepayment credits are depleted.", "status": "RESOURCE_EXHAUSTED"}, "no_money"),
        (404, {"message": "models/x is not found", "status": "NOT_FOUND"}, "rejected"),
        (503, {"message": "The model is overloaded.", "status": "UNAVAILABLE"}, "unavailable"),
    ],
)
def test_errors(status, error, kind):
    assert CONNECTOR.fault(build_reply({"error": error | {"code": status}}, status)).kind == kind
    assert CONNECTOR.fault(build_reply([{"error": error | {"code": status}}], status)).kind == kind


def test_token_counts_too_large_to_store_are_unknown():
    usage = {"candidatesTokenCount": 2**31 - 1, "thoughtsTokenCount": 1}
    assert parse(CONNECTOR, PAYLOAD | {"usageMetadata": usage}).usage.output_tokens is None


@prove
@given(mutations(PAYLOAD))
def test_any_mutation_is_an_answer_or_a_fault(payload):
    assert_answer_or_fault(CONNECTOR, payload)


@prove
@given(damaged_bodies(PAYLOAD))
def test_any_damage_is_an_answer_or_a_fault(body):
    assert_answer_or_fault(CONNECTOR, body)

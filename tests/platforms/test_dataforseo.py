"""platforms.md 9: "fine only if `status_code` and `tasks[0].status_code` are both 20000".

Prompts have at most 500 characters, and a request has at most 1000 keywords.
"""

import base64

import pytest
from hypothesis import given

from sightline.platforms.dataforseo import CONNECTORS, Month, Volume, parse_volumes, volumes_request
from sightline.platforms.models import PlatformFault, Question, Span, Usage
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

BY_PLATFORM = {connector.platform: connector for connector in CONNECTORS}
OVERVIEWS, AI_MODE, CHATGPT = BY_PLATFORM["google_ai_overviews"], BY_PLATFORM["google_ai_mode"], BY_PLATFORM["chatgpt"]


def done(*results: dict, status: int = 20000, message: str = "Ok.") -> dict:
    task = {
        "id": "t-1",
        "status_code": status,
        "status_message": message,
        "cost": 0.0125,
        "result": list(results) or None,
    }
    return {"version": "0.1.20260820", "status_code": 20000, "status_message": "Ok.", "tasks": [task]}


FIRST, SECOND = "Grüße 🚀: Acme is the easiest.", "Globex is larger."
RESPONSE = done(
    {
        "model_name": "gpt-5.2-2026-05-01",
        "input_tokens": 120,
        "output_tokens": 340,
        "money_spent": 0.0118,
        "fan_out_queries": ["best crm", "crm startups"],
        "items": [
            {"type": "reasoning", "sections": [{"type": "summary_text", "text": "Thinking of Hooli."}]},
            {
                "type": "message",
                "sections": [
                    {
                        "type": "text",
                        "text": FIRST,
                        "annotations": [
                            {
                                "title": "Acme",
                                "url": "https://redirect.test/1",
                                "direct_url": "https://acme.example/",
                                "start_index": 9,
                                "end_index": 13,
                            }
                        ],
                    },
                    {
                        "type": "text",
                        "text": SECOND,
                        "annotations": [
                            {"title": "Globex", "url": "https://globex.example/", "start_index": 0, "end_index": 6}
                        ],
                    },
                ],
            },
        ],
    }
)


def source(name: str) -> dict:
    return {
        "type": "ai_overview_reference",
        "url": f"https://{name}.example/",
        "title": name,
        "domain": name,
        "text": "…",
    }


SEARCH = done(
    {
        "keyword": "best crm",
        "items": [
            {"type": "organic", "url": "https://organic.example/"},
            {
                "type": "ai_overview",
                "markdown": f"{FIRST}\n\n**{SECOND}**\n\n| CRM |\n| --- |\n| Acme |",
                "references": [source("acme"), source("globex"), source("unused")],
                "items": [
                    {"type": "ai_overview_element", "markdown": FIRST, "text": FIRST, "references": [source("acme")]},
                    {
                        "type": "ai_overview_expanded_element",
                        "components": [
                            {
                                "type": "ai_overview_expanded_component",
                                "markdown": f"**{SECOND}**",
                                "references": [source("globex")],
                                "links": [{"type": "link_element", "url": "https://linked.example/", "title": "L"}],
                            },
                        ],
                    },
                    {"type": "ai_overview_table_element", "markdown": "| CRM |\n| --- |\n| Acme |", "references": None},
                ],
            },
        ],
    }
)
VOLUMES = done(
    {
        "items": [
            {
                "keyword": "best crm",
                "ai_search_volume": 420,
                "ai_monthly_searches": [
                    {"year": 2026, "month": 9, "ai_search_volume": 400},
                    {"year": 2026, "month": 10, "ai_search_volume": 440},
                    {"year": 2026, "month": 11, "ai_search_volume": None},
                ],
            },
            {"keyword": "crm für gründer", "ai_search_volume": None, "ai_monthly_searches": None},
        ]
    }
)


@pytest.mark.parametrize(
    ("platform", "path", "task"),
    [
        ("chatgpt", "chat_gpt", {"web_search": True, "web_search_country_iso_code": "DE"}),
        ("claude", "claude", {"web_search": True, "web_search_country_iso_code": "DE"}),
        ("gemini", "gemini", {"web_search": True}),
        ("perplexity", "perplexity", {"web_search_country_iso_code": "DE"}),
    ],
)
def test_the_request_for_a_models_response(platform, path, task):
    connector = BY_PLATFORM[platform]
    request = connector.request(QUESTION, connect(connector))
    assert request.url == f"https://api.test/v3/ai_optimization/{path}/llm_responses/live"
    assert request.headers["authorization"] == "Basic " + base64.b64encode(SECRET.encode()).decode()
    assert decode_body(request) == [{"user_prompt": "best crm for startups", "model_name": "asked-model"} | task]
    assert "web_search_country_iso_code" not in decode_body(connector.request(ANYWHERE, connect(connector)))[0]


def test_prompts_that_are_too_long_are_not_sent():
    assert CHATGPT.request(Question("x" * 500), connect(CHATGPT))
    with pytest.raises(PlatformFault) as refused:
        CHATGPT.request(Question("x" * 501), connect(CHATGPT))
    assert refused.value.kind == "rejected"


def test_the_requests_for_searches():
    request = OVERVIEWS.request(QUESTION, connect(OVERVIEWS))
    assert request.url == "https://api.test/v3/serp/google/organic/live/advanced"
    place = {"keyword": "best crm for startups", "location_code": 2276, "language_code": "de"}
    assert decode_body(request) == [place | {"load_async_ai_overview": True, "depth": 10}]
    request = AI_MODE.request(QUESTION, connect(AI_MODE))
    assert request.url == "https://api.test/v3/serp/google/ai_mode/live/advanced" and decode_body(request) == [place]
    (anywhere,) = decode_body(AI_MODE.request(ANYWHERE, connect(AI_MODE)))
    assert (anywhere["location_code"], anywhere["language_code"]) == (2840, "en")


def test_an_unknown_country_is_rejected():
    with pytest.raises(PlatformFault) as refused:
        AI_MODE.request(Question("best crm", "XX"), connect(AI_MODE))
    assert refused.value.kind == "rejected"


def test_a_models_response():
    answer = parse(CHATGPT, RESPONSE)
    assert answer.text == f"{FIRST}\n\n{SECOND}"
    assert quotes(answer) == {"https://acme.example/": ["Acme"], "https://globex.example/": ["Globex"]}
    assert answer.queries == ("best crm", "crm startups") and answer.usage == Usage(120, 340)
    assert (answer.cost_usd, answer.request_id, answer.tool_version) == (0.0125, "t-1", "0.1.20260820")
    assert answer.model == "gpt-5.2-2026-05-01"
    honoured = {name: parse(BY_PLATFORM[name], RESPONSE).country_honoured for name in ("chatgpt", "claude", "gemini")}
    assert honoured == {"chatgpt": True, "claude": True, "gemini": False}


def test_links_of_gemini_are_redirects_through_this_vendor_too():
    assert BY_PLATFORM["gemini"].redirect_hosts and not CHATGPT.redirect_hosts


@pytest.mark.parametrize("connector", [OVERVIEWS, AI_MODE])
def test_an_overview(connector):
    answer = parse(connector, SEARCH)
    assert answer.text.startswith(FIRST) and answer.text.endswith("| Acme |")
    assert quotes(answer) == {
        "https://acme.example/": [FIRST],
        "https://globex.example/": [f"**{SECOND}**"],
        "https://linked.example/": [f"**{SECOND}**"],
    }
    assert urls(answer.retrieved) == ["https://unused.example/"]
    assert answer.country_honoured is True and answer.cost_usd == 0.0125


def test_a_repeated_text_is_cited_at_the_place_of_each_element():
    twice = [{"markdown": FIRST, "references": [source(name)]} for name in ("acme", "globex")]
    overview = {"type": "ai_overview", "markdown": f"{FIRST}\n\n{FIRST}", "items": twice}
    acme, globex = parse(OVERVIEWS, done({"items": [overview]})).cited
    assert (acme.spans, globex.spans) == ((Span(0, len(FIRST)),), (Span(len(FIRST) + 2, 2 * len(FIRST) + 2),))


def test_an_overview_with_only_elements():
    answer = parse(OVERVIEWS, changed(SEARCH, "tasks", 0, "result", 0, "items", 1, "markdown", to=None))
    assert answer.text == f"{FIRST}\n\n**{SECOND}**\n\n| CRM |\n| --- |\n| Acme |"
    assert quotes(answer)["https://globex.example/"] == [f"**{SECOND}**"]


def test_unreferenced_sources_belong_to_the_whole_answer():
    answer = parse(OVERVIEWS, changed(SEARCH, "tasks", 0, "result", 0, "items", 1, "items", to=None))
    assert len(answer.cited) == 3 and answer.retrieved == ()


@pytest.mark.parametrize(
    "payload", [done({"items": [{"type": "organic"}]}), done(status=40102, message="No Search Results.")]
)
def test_no_overview_is_a_measured_fact(payload):
    answer = parse(OVERVIEWS, payload)
    assert (answer.status, answer.country_honoured, answer.cost_usd) == ("no_surface", True, 0.0125)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (40100, "unauthorised"),
        (40101, "unavailable"),
        (40200, "no_money"),
        (40202, "rate_limited"),
        (40203, "no_money"),
        (40209, "rate_limited"),
        (40210, "no_money"),
        (40501, "rejected"),
        (40602, "unavailable"),
        (50000, "unavailable"),
        (50401, "timeout"),
        (20100, "rejected"),
    ],
)
def test_codes_of_the_task_and_of_the_envelope(code, kind):
    assert parse_fault(CHATGPT, done(status=code, message="Said so.")).kind == kind
    assert parse_fault(CHATGPT, RESPONSE | {"status_code": code, "tasks": None}).kind == kind


@pytest.mark.parametrize("payload", [{}, {"status_code": 20000}, {"status_code": 20000, "tasks": []}, done()])
def test_an_envelope_without_a_result_is_malformed(payload):
    assert parse_fault(CHATGPT, payload).kind == "malformed"


def test_http_statuses():
    assert CHATGPT.fault(build_reply({"status_code": 40100, "status_message": "no"}, 401)).kind == "unauthorised"
    assert CHATGPT.fault(build_reply({"status_code": 40200, "status_message": "no"}, 402)).kind == "no_money"


def test_the_request_for_volumes():
    request = volumes_request(["best crm"], "GB", "en", connect(CHATGPT))
    assert request.url == "https://api.test/v3/ai_optimization/ai_keyword_data/keywords_search_volume/live"
    assert decode_body(request) == [{"keywords": ["best crm"], "location_code": 2826, "language_code": "en"}]


@pytest.mark.parametrize("number", [0, 1001])
def test_too_many_or_no_keywords_are_refused(number):
    with pytest.raises(ValueError, match="between 1 and 1000"):
        volumes_request(["x"] * number, "GB", "en", connect(CHATGPT))
    assert volumes_request(["x"] * 1000, "GB", "en", connect(CHATGPT)).body


def test_volumes():
    assert parse_volumes(build_reply(VOLUMES)) == (
        Volume("best crm", 420, (Month(2026, 9, 400), Month(2026, 10, 440))),
        Volume("crm für gründer", None, ()),
    )
    assert parse_volumes(build_reply(done(status=40102))) == ()
    with pytest.raises(PlatformFault) as refused:
        parse_volumes(build_reply(done(status=40210)))
    assert refused.value.kind == "no_money"


@prove
@given(mutations(VOLUMES))
def test_any_mutation_of_volumes(payload):
    try:
        found = parse_volumes(build_reply(payload))
    except PlatformFault:
        return
    assert all(isinstance(each, Volume) for each in found)


@prove
@given(mutations(RESPONSE))
def test_any_mutation_of_a_response(payload):
    for platform in ("chatgpt", "gemini"):
        assert_answer_or_fault(BY_PLATFORM[platform], payload)


@prove
@given(mutations(SEARCH))
def test_any_mutation_of_a_search(payload):
    assert_answer_or_fault(OVERVIEWS, payload)


@prove
@given(damaged_bodies(SEARCH))
def test_any_damage_is_an_answer_or_a_fault(body):
    assert_answer_or_fault(OVERVIEWS, body)

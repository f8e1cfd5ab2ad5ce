"""platforms.md 8: text blocks become markdown, reference indexes become citations, no block is a measured fact, "Errors
also inside 200; 429 = throughput **or** out of searches"."""

import pytest
from hypothesis import given

from sightline.platforms.models import FollowUp, Usage
from sightline.platforms.serpapi import CONNECTORS
from tests.platforms.parsing import (
    ANYWHERE,
    QUESTION,
    SECRET,
    assert_answer_or_fault,
    build_reply,
    changed,
    connect,
    damaged_bodies,
    mutations,
    parse,
    parse_fault,
    quotes,
    urls,
)
from tests.property_testing import prove

OVERVIEW, AI_MODE, COPILOT = CONNECTORS
METADATA = {
    "id": "68f0",
    "status": "Success",
    "json_endpoint": f"https://serpapi.test/searches/x.json?api_key={SECRET}",
}
ANSWER = {
    "text_blocks": [
        {"type": "paragraph", "snippet": "Für Startups 🚀 zählt Tempo.", "reference_indexes": [0]},
        {"type": "heading", "snippet": "Worth a look"},
        {
            "type": "list",
            "list": [
                {
                    "title": "Acme:",
                    "snippet": "easy to set up",
                    "reference_indexes": [1, 0],
                    "list": [{"snippet": "free plan", "reference_indexes": [2], "list": [{"snippet": "three seats"}]}],
                },
                {
                    "snippet": "Globex, see their site",
                    "snippet_links": [{"text": "Globex", "link": "https://globex.example/"}],
                },
            ],
        },
        {
            "type": "expandable",
            "title": "Prices",
            "text_blocks": [{"type": "table", "table": [["CRM", "Price"], ["A|B", {"snippet": "9\n€"}], ["Globex"]]}],
        },
        {
            "type": "comparison",
            "product_labels": ["Acme", "Globex"],
            "comparison": [{"feature": "Seats", "values": ["3", "10"]}],
        },
        {"type": "code_block", "language": "sh", "code": "crm start"},
        {"type": "something_new"},
    ],
    "references": [
        {"title": "G2", "link": "https://www.g2.com/crm", "source": "G2", "index": 0},
        {"title": "Acme", "link": "https://acme.example/", "index": 1},
        {"title": "Plans", "link": "https://acme.example/plans", "index": 2},
        {"title": "Unused", "link": "https://unused.example/", "index": 3},
    ],
}
MARKDOWN = """Für Startups 🚀 zählt Tempo.

### Worth a look

- **Acme:** easy to set up
  - free plan
    - three seats
- Globex, see their site

### Prices

| CRM | Price |
| --- | --- |
| A\\|B | 9 € |
| Globex |  |

|  | Acme | Globex |
| --- | --- | --- |
| Seats | 3 | 10 |

```sh
crm start
```"""
PAYLOAD = {"search_metadata": METADATA, "organic_results": [{"position": 1}], "ai_overview": ANSWER}
PAGE = {"search_metadata": METADATA, **ANSWER}
TOKEN = {
    "search_metadata": METADATA,
    "ai_overview": {"page_token": "KIVu-nnC", "serpapi_link": "https://serpapi.test/…"},
}


@pytest.mark.parametrize(
    ("connector", "sent"),
    [
        (OVERVIEW, {"engine": "google", "gl": "de", "hl": "de"}),
        (AI_MODE, {"engine": "google_ai_mode", "gl": "de", "hl": "de"}),
        (COPILOT, {"engine": "bing_copilot"}),
    ],
)
def test_the_request(connector, sent):
    request = connector.request(QUESTION, connect(connector))
    assert (request.method, request.url, request.body) == ("GET", "https://api.test/search.json", None)
    fixed = {"q": "best crm for startups", "no_cache": "true", "output": "json", "api_key": SECRET}
    assert request.params == sent | fixed
    assert not {"gl", "hl"} & connector.request(ANYWHERE, connect(connector)).params.keys()


def test_languages_are_sent_in_the_spelling_of_google():
    question = QUESTION.__class__("x", "CN", "zh")
    assert OVERVIEW.request(question, connect(OVERVIEW)).params["hl"] == "zh-cn"


@pytest.mark.parametrize(("connector", "payload"), [(OVERVIEW, PAYLOAD), (AI_MODE, PAGE), (COPILOT, PAGE)])
def test_an_answer(connector, payload):
    answer = parse(connector, payload)
    assert answer.status == "ok" and answer.text == MARKDOWN
    assert quotes(answer) == {
        "https://www.g2.com/crm": ["Für Startups 🚀 zählt Tempo.", "- **Acme:** easy to set up"],
        "https://acme.example/": ["- **Acme:** easy to set up"],
        "https://acme.example/plans": ["  - free plan"],
        "https://globex.example/": ["Globex"],
    }
    assert urls(answer.retrieved) == ["https://unused.example/"]
    assert answer.usage == Usage(searches=1) and answer.request_id == "68f0"
    assert answer.country_honoured is (connector is not COPILOT)
    assert parse(connector, payload, ANYWHERE).country_honoured is None


def test_unreferenced_sources_belong_to_the_whole_answer():
    blocks = [{"type": "paragraph", "snippet": "Acme is the easiest of them."}]
    answer = parse(AI_MODE, PAGE | {"text_blocks": blocks})
    assert len(answer.cited) == 4 and answer.retrieved == ()
    assert all(page.spans == () for page in answer.cited)


def test_a_page_token_leads_to_a_second_request():
    found = OVERVIEW.parse(build_reply(TOKEN), QUESTION, connect(OVERVIEW))
    assert isinstance(found, FollowUp)
    assert (found.request.method, found.request.url) == ("GET", "https://api.test/search.json")
    assert found.request.params == {
        "engine": "google_ai_overview",
        "page_token": "KIVu-nnC",
        "no_cache": "true",
        "output": "json",
        "api_key": SECRET,
    }


def test_the_second_reply_is_parsed_like_the_first():
    assert parse(OVERVIEW, {"search_metadata": METADATA, "ai_overview": ANSWER}).text == MARKDOWN


@pytest.mark.parametrize("connector", CONNECTORS)
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"error": "Google hasn't returned any results for this query."},
        {"ai_overview": {"error": "An AI Overview is not available for this search"}},
    ],
)
def test_no_block_is_a_measured_fact(connector, more):
    answer = parse(connector, {"search_metadata": METADATA, "organic_results": []} | more)
    assert (answer.status, answer.text, answer.cited) == ("no_surface", "", ())
    assert answer.country_honoured is (connector is not COPILOT) and answer.request_id == "68f0"


@pytest.mark.parametrize(
    ("payload", "kind"),
    [
        ({}, "malformed"),
        ({"search_metadata": {"id": "x"}}, "malformed"),
        ({"search_metadata": {"status": "Processing"}}, "unavailable"),
        ({"search_metadata": {"status": "Error"}, "error": "Proxy timed out"}, "unavailable"),
        ({"search_metadata": {"status": "Error"}}, "unavailable"),
        ({"error": "Your account has run out of searches."}, "no_money"),
        ({"error": f"Invalid API key. It should be here: https://serpapi.test/?api_key={SECRET}"}, "unauthorised"),
        ({"error": "Unsupported `xx` location parameter."}, "rejected"),
        (PAYLOAD | {"ai_overview": {"error": "Can't generate an AI overview right now."}}, "unavailable"),
        (PAYLOAD | {"ai_overview": {"text_blocks": [{"snippet": "Too short."}]}}, "blank"),
        (PAYLOAD | {"ai_overview": {}}, "blank"),
    ],
)
def test_errors_inside_a_200(payload, kind):
    fault = parse_fault(OVERVIEW, payload)
    assert fault.kind == kind and SECRET not in fault.message and "://" not in fault.message


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (
            401,
            f"Invalid API key. Your API key should be here: https://serpapi.test/manage?api_key={SECRET}",
            "unauthorised",
        ),
        (429, "Your account has run out of searches.", "no_money"),
        (429, "You are exceeding the hourly throughput limit.", "rate_limited"),
        (400, "Missing query `q` parameter.", "rejected"),
        (503, f"We couldn't get /search.json?q=x&api_key={SECRET}", "unavailable"),
    ],
)
def test_errors(status, error, kind):
    fault = OVERVIEW.fault(build_reply({"error": error}, status))
    assert fault.kind == kind and SECRET not in fault.message and "://" not in fault.message


def test_the_markdown_of_the_vendor_is_used_without_blocks():
    answer = parse(AI_MODE, {"search_metadata": METADATA, "reconstructed_markdown": "# Acme is the easiest one"})
    assert answer.text == "# Acme is the easiest one"


def test_endlessly_nested_lists_are_cut():
    item: dict = {"snippet": "the bottom of it"}
    for _ in range(100):
        item = {"snippet": "a level of the list", "list": [item]}
    answer = parse(AI_MODE, changed(PAGE, "text_blocks", to=[{"type": "list", "list": [item]}]))
    assert 2 <= answer.text.count("a level") < 20


def test_a_table_of_endless_columns_and_rows_is_cut():
    blocks = [{"type": "table", "table": [["x"] * 5_000, *[["y"]] * 5_000]}]
    answer = parse(AI_MODE, PAGE | {"text_blocks": blocks})
    lines = answer.text.splitlines()
    assert len(lines) == 5_002 and {line.count("|") for line in lines} == {41}


@prove
@given(mutations(PAYLOAD))
def test_any_mutation_of_an_overview(payload):
    assert_answer_or_fault(OVERVIEW, payload)


@prove
@given(mutations(PAGE))
def test_any_mutation_of_a_page(payload):
    assert_answer_or_fault(AI_MODE, payload)
    assert_answer_or_fault(COPILOT, payload)


@prove
@given(mutations(TOKEN))
def test_any_mutation_of_a_token(payload):
    assert_answer_or_fault(OVERVIEW, payload)


@prove
@given(damaged_bodies(PAYLOAD))
def test_any_damage_is_an_answer_or_a_fault(body):
    assert_answer_or_fault(OVERVIEW, body)

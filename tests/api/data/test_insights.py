"""Alerts, Brand Themes, recommendations and opportunities through the Data API."""

import re
import uuid

import msgspec
import pytest

from sightline.api.edge.cursors import sign_cursor
from sightline.insights.missing_rows import build_missing_insight_rows_any_workspace
from sightline.kit.ids import new_id
from sightline.plans.table import Plan
from sightline.presentation.dates import format_short_date
from tests.api.assertions import DATA, assert_problem
from tests.insights.anvil_market import BEST, PROMPTS, market_answer
from tests.insights.daily_answers import PROMPTS as PROMPTS_ASKED
from tests.insights.daily_answers import answers_naming, open_history
from tests.scan_history import ScanHistory, ScriptedAnswer

LISTS = ("alerts", "themes", "recommendations", "opportunities", "prompt-suggestions")


async def read(client, history, what, **query):
    response = await client.get(
        f"{DATA}/domains/{history.domain_id}/{what}", params=query, headers={"X-API-Key": history.tenant.data}
    )
    assert response.status_code == 200, response.text
    return response.json()


def name_without_one_cell(prompt, platform) -> str:
    """Name Acme in all cells but one."""
    return "Smiths like Globex." if (prompt.text, platform) == (PROMPTS_ASKED[4], "chatgpt") else "Smiths like Acme."


async def open_market(installation) -> ScanHistory:
    history = await ScanHistory.open(installation, *PROMPTS)
    history.platforms = ("chatgpt", "gemini", "perplexity", "claude", "copilot")
    return history


@pytest.mark.parametrize("what", LISTS)
async def test_before_the_first_check_every_list_is_empty(installation, client, what):
    history = await open_market(installation)
    document = await read(client, history, what)
    assert (document["data"], document["meta"]["has_more"]) == ([], False)


@pytest.mark.parametrize("what", LISTS)
async def test_a_domain_that_the_workspace_does_not_track_is_not_found(installation, client, what):
    tenant = await installation.tenant()
    console = await installation.console_domain(tenant.live)
    for domain_id in (console, new_id(), "nonsense"):
        response = await client.get(f"{DATA}/domains/{domain_id}/{what}", headers={"X-API-Key": tenant.data})
        assert_problem(response, 404, "domain_not_found")


@pytest.mark.parametrize("what", LISTS)
async def test_professional_and_agency_only(installation, client, what):
    tenant = await installation.tenant(Plan.STARTER)
    domain_id = await installation.tracked_domain(tenant)
    response = await client.get(f"{DATA}/domains/{domain_id}/{what}", headers={"X-API-Key": tenant.data})
    assert assert_problem(response, 403, "plan_required")["required_plans"] == ["professional", "agency"]


async def test_alerts_are_listed_newest_first_including_watched_ones(installation, client):
    history = await open_history(installation)
    for share in (12, 3, 12, 3):
        await history.run_daily_check(answers_naming(chatgpt=share))
    rows = (await read(client, history, "alerts"))["data"]
    assert [row["watched_at"] for row in rows] == sorted((row["watched_at"] for row in rows), reverse=True)
    states = [row["state"] for row in rows if row["scope"] == "platform"]
    assert states == ["watch", "lapsed"]
    alert = next(row for row in rows if row["scope"] == "platform")
    assert alert["before"] == {"value": 100.0, "named": 12, "answers": 12, "low": 75.8, "high": 100.0}
    assert alert["now"] == {"value": 25.0, "named": 3, "answers": 12, "low": None, "high": None}
    assert (alert["delta"], alert["p"], alert["verdict"], alert["rules"]) == (-75.0, 0.0039, "down", ["previous_daily"])
    assert re.fullmatch(
        r"On ChatGPT, Acme was named in 3 of 12 Daily Check answers on \d+ Nov, down from 12\.", alert["summary"]
    )
    assert (alert["history"], alert["confirmation"]) == (None, None)


async def test_a_confirmed_alert_reports_the_change_from_the_previous_daily_check(installation, client):
    history = await open_history(installation)
    checks = [str(await history.run_daily_check(answers_naming(chatgpt=share))) for share in (12, 4, 3)]
    rows = (await read(client, history, "alerts"))["data"]
    alert = next(row for row in rows if row["scope"] == "platform")
    assert alert["state"] == "confirmed"
    assert [alert[name] for name in ("against_scan_id", "now_scan_id", "scan_id")] == checks
    assert (alert["before"]["named"], alert["now"]["named"], alert["delta"], alert["lost"]) == (12, 4, -66.7, 8)
    confirmation = alert["confirmation"]
    assert (confirmation["scan_id"], confirmation["before"]["named"], confirmation["now"]["named"]) == (
        checks[2],
        12,
        3,
    )
    assert (confirmation["delta"], confirmation["lost"], confirmation["rules"]) == (-75.0, 9, ["previous_daily"])
    first, later = alert["summary"].split(". ")
    assert first.startswith("On ChatGPT, Acme was named in 4 of 12 Daily Check answers on")
    assert first.endswith("Nov, down from 12") and later == "A later Daily Check confirmed it, with 3 of 12 answers."
    table = (await read(client, history, "tables/alerts"))["data"]
    row = next(row for row in table if row["scope"] == "platform")
    assert [row[name] for name in ("named_before", "named_now", "delta_points")] == [
        12,
        4,
        pytest.approx(-66.7, abs=0.1),
    ]


async def test_a_cell_alert_reports_two_daily_checks_and_names_its_history_as_such(installation, client):
    history = await open_history(installation)
    said = [answers_naming()] * 6 + [name_without_one_cell] * 3
    checks = [str(await history.run_daily_check(say)) for say in said]
    (alert,) = [row for row in (await read(client, history, "alerts"))["data"] if row["scope"] == "cell"]
    assert (alert["type"], alert["rules"]) == ("cell_lost", ["cell"])
    assert (alert["against_scan_id"], alert["now_scan_id"]) == (checks[5], checks[6])
    shares = [(alert[name]["named"], alert[name]["answers"]) for name in ("before", "now")]
    assert shares == [(1, 1), (0, 1)] and (alert["delta"], alert["verdict"]) == (-100.0, "no_clear_change")
    known = alert["history"]
    assert (known["daily_checks"], known["before"]["named"], known["before"]["answers"]) == (6, 6, 6)
    assert known["now"]["answers"] >= 2 and known["now"]["named"] == 0
    assert re.search(r"on ChatGPT, Acme was named in 0 of [23] Daily Checks, after 6 of 6\.", alert["summary"])
    row = next(row for row in (await read(client, history, "tables/alerts"))["data"] if row["scope"] == "cell")
    names = ("named_before", "answers_before", "named_now", "answers_now", "delta_points")
    assert [row[name] for name in names] == [1, 1, 0, 1, -100.0]


async def test_alerts_of_the_release_before_stay_readable(installation, client):
    """Their confirmed alerts have the confirming check in `now`, and no alert says which check that is."""
    history = await open_history(installation)
    checks = [str(await history.run_daily_check(answers_naming(chatgpt=share))) for share in (12, 4, 3)]
    await installation.db.execute(
        """UPDATE alerts SET evidence = convert_to((
               convert_from(evidence, 'UTF8')::jsonb - 'scan_id' - 'history' - 'confirmation'
               || '{"now": {"named": 3, "answers": 12}, "lost": 9, "delta": -75.0, "p": 0.0039}')::text, 'UTF8')
           WHERE scope = 'platform:chatgpt'"""
    )
    alert = next(row for row in (await read(client, history, "alerts"))["data"] if row["scope"] == "platform")
    assert (alert["state"], alert["confirmation"], alert["history"]) == ("confirmed", None, None)
    assert (alert["against_scan_id"], alert["now_scan_id"], alert["delta"]) == (checks[0], checks[2], -75.0)
    day = format_short_date(alert["confirmed_at"])
    assert alert["summary"] == f"On ChatGPT, Acme was named in 3 of 12 Daily Check answers on {day}, down from 12."
    assert await build_missing_insight_rows_any_workspace(installation.db, now=installation.clock()) == 1
    row = next(row for row in (await read(client, history, "tables/alerts"))["data"] if row["scope"] == "platform")
    assert (row["named_before"], row["named_now"], row["delta_points"]) == (12, 3, -75.0)


async def test_a_watch_of_the_release_before_is_confirmed_with_what_it_reported(installation, client):
    history = await open_history(installation)
    checks = [str(await history.run_daily_check(answers_naming(chatgpt=share))) for share in (12, 4)]
    await installation.db.execute(
        """UPDATE alerts SET evidence = convert_to((
               convert_from(evidence, 'UTF8')::jsonb - 'scan_id' - 'history' - 'confirmation')::text, 'UTF8')"""
    )
    checks.append(str(await history.run_daily_check(answers_naming(chatgpt=3))))
    alert = next(row for row in (await read(client, history, "alerts"))["data"] if row["scope"] == "platform")
    assert [alert[name] for name in ("against_scan_id", "now_scan_id", "scan_id")] == checks
    assert (alert["now"]["named"], alert["confirmation"]["now"]["named"]) == (4, 3)
    assert "was named in 4 of 12 Daily Check answers" in alert["summary"]


async def test_the_answers_that_prove_an_alert_can_be_read(installation, client):
    history = await open_history(installation)
    for share in (12, 3):
        await history.run_daily_check(answers_naming(chatgpt=share))
    alert = (await read(client, history, "alerts"))["data"][0]
    assert [proof["answer_id"] for proof in alert["answers"]] == alert["answer_ids"]
    assert {proof["scan_id"] for proof in alert["answers"]} == {alert["scan_id"], alert["against_scan_id"]}
    for proof in alert["answers"][:2]:
        url = f"{DATA}/scans/{proof['scan_id']}/answers/{proof['answer_id']}"
        response = await client.get(url, headers={"X-API-Key": history.tenant.data})
        assert response.json()["data"]["mentioned"] == (proof["scan_id"] == alert["against_scan_id"])


async def test_themes_recommendations_and_opportunities_have_every_field(installation, client):
    history = await open_market(installation)
    scan_id = await history.run_full_check(market_answer)
    theme = (await read(client, history, "themes"))["data"][0]
    assert (theme["scan_id"], theme["kind"], theme["share_pct"]) == (str(scan_id), "distinctive", 100.0)
    assert theme["quote"] and len(theme["answer_ids"]) == 5
    assert theme["quotes"][0]["answer_id"] in theme["answer_ids"]
    assert (theme["prompts"], theme["platforms"], theme["few_answers"], theme["change"]) == (1, 5, True, None)
    assert (theme["positive"], theme["neutral"], theme["negative"], theme["polarity_label"]) == (5, 0, 0, "positive")
    advice = (await read(client, history, "recommendations"))["data"]
    assert {row["kind"] for row in advice} == {"get_listed", "answer_question"}
    listed = next(row for row in advice if row["kind"] == "get_listed")
    assert listed["action"] == "Get Acme into g2.com/categories/anvils"
    assert listed["why"] == (
        "5 answers to 1 prompt on 5 platforms cite it and name other brands, most often Globex and Initech, but not "
        "Acme."
    )
    assert (listed["effort"], listed["state"], listed["done_at"], listed["rivals"]) == (
        "low",
        "open",
        None,
        ["Globex", "Initech"],
    )
    assert (listed["site"], listed["page"], listed["pages"]) == ("g2.com", listed["subject"], [listed["subject"]])
    assert listed["prompts"] == [{"id": listed["prompt_id"], "text": BEST}] and len(listed["steps"]) == 3
    assert listed["expected"]["low"] <= listed["expected"]["answers"] <= listed["expected"]["high"] <= 5
    assert [proof["answer_id"] for proof in listed["answers"]] == listed["answer_ids"]
    (opportunity,) = (await read(client, history, "opportunities"))["data"]
    assert set(opportunity) == {
        "id", "scan_id", "prompt_id", "prompt", "language_code", "country_iso_2", "opportunity_score", "demand", "gap",
        "winnability", "demand_unknown", "low_evidence", "competitors", "sources", "answer_ids", "updated_at",
        "valid_answers", "gap_answers", "citations", "winnable_citations", "pages", "best_rival",
    }  # fmt: skip
    assert (opportunity["prompt"], opportunity["gap"], opportunity["winnability"]) == (BEST, 1.0, 0.6)
    assert opportunity["scan_id"] == listed["scan_id"]


async def test_opportunities_are_ordered_by_score_alone(installation, client):
    history = await ScanHistory.open(installation)
    for place in range(120):
        await history.add_prompt(f"anvil question number {place}")

    def say(prompt, platform):
        place = int(prompt.text.rpartition(" ")[2])
        if place % 3 == 0 and platform != "chatgpt":
            return None  # one valid answer is little evidence
        text = "Globex is fine." if place % 2 or platform == "chatgpt" else "It depends on the forge."
        return ScriptedAnswer(text, cited=("https://reddit.com/r/anvils",) * (place % 5 == 0))

    await history.run_full_check(say)
    pages, cursor = [], {}
    while True:
        document = await read(client, history, "opportunities", **cursor)
        pages.append(document["data"])
        if not document["meta"]["has_more"]:
            break
        cursor = {"cursor": document["meta"]["next_cursor"]}
    assert [len(page) for page in pages] == [50, 50, 20]
    rows = [row for page in pages for row in page]
    assert len({row["id"] for row in rows}) == 120
    scores = [row["opportunity_score"] for row in rows]
    assert scores == sorted(scores, reverse=True)
    thin = [place for place, row in enumerate(rows) if row["low_evidence"]]
    assert len(thin) == 40 and thin[0] < 80, "little evidence does not move a row to the end"


async def test_a_cursor_of_the_earlier_order_of_opportunities_is_refused(installation, client):
    """It held whether there was little evidence, the score and the id."""
    history = await open_market(installation)
    await history.run_full_check(market_answer)
    context = msgspec.json.encode([f"data.opportunities:{history.domain_id}", history.tenant.id, True, {}])
    for evidence in ("firm", "thin"):
        key = (evidence, "99.5", str(uuid.uuid4()))
        cursor = sign_cursor(key, context, installation.app_context.settings.signing_keys[0])
        url = f"{DATA}/domains/{history.domain_id}/opportunities"
        response = await client.get(url, params={"cursor": cursor}, headers={"X-API-Key": history.tenant.data})
        assert_problem(response, 400, "invalid_cursor")


async def test_recommendations_continue_on_the_next_page(installation, client):
    history = await ScanHistory.open(installation, "best anvil")
    history.platforms = ("chatgpt", "gemini", "perplexity")
    pages = tuple(f"https://smithing{number}.org/best-anvils" for number in range(60))
    await history.run_full_check(
        lambda prompt, platform: ScriptedAnswer("Globex is what most smiths buy.", cited=pages)
    )
    first = await read(client, history, "recommendations")
    rest = await read(client, history, "recommendations", cursor=first["meta"]["next_cursor"])
    assert [len(document["data"]) for document in (first, rest)] == [50, 10]
    rows = [*first["data"], *rest["data"]]
    assert [row["rank"] for row in rows] == list(range(1, 61))
    assert len({row["page"] for row in rows}) == 60 == len({row["key"] for row in rows})


async def test_suggestions_say_where_they_come_from_best_first(installation, client):
    history = await open_market(installation)
    scan_id = await history.run_full_check(market_answer)
    found = {row["prompt"]: row for row in (await read(client, history, "prompt-suggestions"))["data"]}
    searched = found["Which brands make the best anvils for farriers?"]
    assert (searched["origin"], searched["origin_answers"], searched["scan_id"]) == ("fan_out", 5, str(scan_id))
    assert searched["origin_summary"].startswith("ChatGPT, Gemini")
    priorities = [row["priority"] for row in found.values()]
    assert priorities == sorted(priorities, reverse=True)

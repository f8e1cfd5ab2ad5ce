"""Files about several markets: only the market of the brand is measured, and files about one stay as they are."""

import json

import pytest

from sightline.answers.models import Brand
from sightline.kit.clock import utc_now
from sightline.reports.scan_report import render_scan_report
from sightline.reports.second_opinion import build_opinion_result, describe_markets, list_file_notices
from sightline.scans.answer_files import markets
from sightline.scans.answer_files.columns import find_layout
from sightline.scans.answer_files.measure import measure_file, plan_file
from sightline.scans.answer_files.opinion import build_file_record
from sightline.scans.answer_files.survey import survey_file

KETTLES = ("Brewista", "Fellow", "Smeg", "Hario", "Bodum", "Kalita")
TENTS = ("Nordisk", "Vaude", "Hilleberg", "Fellow", "Salewa", "Exped")
PROMPTS = {
    "kettles": ("best electric kettle", "which kettle is quiet", "gooseneck kettle for coffee", "pour-over gear"),
    "tents": ("best tent for two", "light tent for hiking", "tent that stands storms", "shelter for winter tours"),
}


def make_answers(prompts, names, platforms=("chatgpt", "gemini"), **more):
    """Return an answer to each prompt on each platform, which lists all names but one."""
    return [
        {
            "prompt": prompt, "platform": platform, "language": "en",
            "text": "\n".join(f"{rank}. **{name} K{rank}0** - solid" for rank, name in enumerate(shown, 1)), **more,
        }
        for number, prompt in enumerate(prompts)
        for platform in platforms
        if (shown := [name for place, name in enumerate(names) if place != number % len(names) or place == 0])
    ]  # fmt: skip


BOTH = make_answers(PROMPTS["kettles"], KETTLES) + make_answers(PROMPTS["tents"], TENTS)


def plan(tmp_path, records, brand, competitors=()):
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(map(json.dumps, records)))
    survey = survey_file(path, find_layout(path))
    rivals = tuple(Brand(name) for name in competitors)
    return path, survey, plan_file(path, survey, Brand(brand), rivals, choose_rivals=True)


def form(tmp_path, records, brand, competitors=()):
    path, survey, planned = plan(tmp_path, records, brand, competitors)
    found = measure_file(
        path, survey, planned.plan, sentiment=None, on_analyzed=lambda: None, on_settled=lambda _: None
    )
    return build_file_record(survey, planned, found, (), utc_now())


def list_prompts(planned):
    return [prompt.text for prompt in planned.plan.prompts]


@pytest.mark.parametrize(("brand", "market"), [("Brewista", "kettles"), ("Nordisk", "tents")])
def test_only_the_market_of_the_brand_is_measured(tmp_path, brand, market):
    record = form(tmp_path, BOTH, brand)
    assert [prompt.text for prompt in record.plan.prompts] == list(PROMPTS[market])
    assert record.results.planned == 8
    names = set(KETTLES if market == "kettles" else TENTS)
    ranked = {row.name for row in record.results.competitors}
    assert {brand, "Fellow"} < ranked <= names
    assert {each.name for each in record.results.candidates} <= names
    others = record.opinion.other_markets
    assert (others.prompts, others.answers) == (4, 8)
    other = "tents" if market == "kettles" else "kettles"
    assert others.examples[0].prompt == PROMPTS[other][0] and set(others.examples[0].names).isdisjoint(
        names - {"Fellow"}
    )
    assert "4 prompts with 8 answers about other markets" in describe_markets(record)
    assert render_scan_report(record).count("about other markets") == 1
    assert not any("market" in title.lower() for title, _ in list_file_notices(record))
    assert build_opinion_result(record).other_markets == others


def test_a_brand_in_two_markets_is_measured_where_it_is_named_most(tmp_path):
    _, _, planned = plan(tmp_path, BOTH, "Fellow")
    assert list_prompts(planned) == list(PROMPTS["kettles"])


def test_competitors_say_which_markets_are_measured(tmp_path):
    _, _, planned = plan(tmp_path, BOTH, "Fellow", ["Vaude"])
    assert list_prompts(planned) == list(PROMPTS["tents"])
    _, _, planned = plan(tmp_path, BOTH, "Fellow", ["Vaude", "Hario"])
    assert planned.other_markets is None and len(planned.plan.prompts) == 8
    _, _, planned = plan(tmp_path, BOTH, "Zebrafish", ["Vaude"])
    assert list_prompts(planned) == list(PROMPTS["tents"])


def test_without_an_answer_that_names_the_brand_nothing_is_left_out_and_nothing_is_ranked(tmp_path):
    record = form(tmp_path, BOTH, "Zebrafish")
    assert len(record.plan.prompts) == 8 and not record.plan.competitors and not record.opinion.is_market_known
    assert "no answer names Zebrafish, so its market is unknown" in describe_markets(record)
    html = render_scan_report(record)
    assert html.count("its market is unknown") == 1 and "Who is ahead" not in html


@pytest.mark.parametrize("brand", ["Brewista", "Hario", "Zebrafish"])
def test_a_file_about_one_market_stays_whole(tmp_path, brand):
    odd = [
        *make_answers(["how long does a boiler last"], ("Limescale", "Descaler", "Filter")),
        *make_answers(["quiet kettle for tea rooms"], ("Stagg", "Chambord", "Ottoni")),
    ]
    records = make_answers(PROMPTS["kettles"], KETTLES) + odd
    _, _, planned = plan(tmp_path, records, brand)
    assert planned.other_markets is None and len(planned.plan.prompts) == 6 and planned.answers == len(records)


def test_one_prompt_of_each_market_is_enough_if_the_whole_file_is_like_this(tmp_path):
    makers = {
        "best electric kettle": KETTLES, "light tent for hiking": TENTS,
        "which violin for children": ("Stentor", "Gewa", "Yamaha", "Hidersine"),
        "sharp kitchen knives": ("Zwilling", "Tojiro", "Robuso", "Opinel"),
    }  # fmt: skip
    records = [each for prompt, names in makers.items() for each in make_answers([prompt] * 2, names)]
    _, _, planned = plan(tmp_path, records, "Brewista")
    assert list_prompts(planned) == ["best electric kettle"] and planned.other_markets.prompts == 3


def test_days_and_platforms_of_other_markets_do_not_count(tmp_path):
    dated = [
        *make_answers(PROMPTS["kettles"], KETTLES, ("chatgpt",), answered_at="2026-11-02"),
        *make_answers(PROMPTS["kettles"], KETTLES, ("chatgpt",), answered_at="2026-11-09"),
        *make_answers(PROMPTS["tents"] * 3, TENTS, ("gemini",), answered_at="2026-11-16"),
    ]
    record = form(tmp_path, dated, "Brewista")
    assert record.plan.platforms == ("chatgpt",)
    assert (record.opinion.comparison.before.day, record.opinion.comparison.now.day) == (2, 9)


def test_a_prompt_beyond_those_that_are_compared_goes_with_the_one_it_is_most_like(tmp_path, monkeypatch):
    # 2,000 prompts would take seconds.
    monkeypatch.setattr(markets, "MAX_COMPARED", 4)
    _, _, planned = plan(tmp_path, BOTH, "Brewista")
    assert list_prompts(planned) == list(PROMPTS["kettles"])

"""What a second opinion says beyond the results: the lead, changes between two days, and misread names."""

import json
from datetime import date

import msgspec
import pytest

from sightline.answers.models import Brand
from sightline.kit.clock import utc_now
from sightline.reports.scan_report import render_scan_report
from sightline.reports.second_opinion import (
    describe_comparison,
    describe_lead,
    describe_misread,
    list_changes,
    list_file_notices,
)
from sightline.scans.answer_files.changes import choose_days
from sightline.scans.answer_files.columns import find_layout
from sightline.scans.answer_files.measure import measure_file, plan_file
from sightline.scans.answer_files.opinion import build_file_record
from sightline.scans.answer_files.schemas import build_comparison
from sightline.scans.answer_files.survey import survey_file

ACME, GLOBEX = Brand("Acme", (), ("acme.com",)), Brand("Globex", (), ("globex.com",))
BOTH = "Most teams use Globex, and Acme is a solid choice, too."
ONLY_GLOBEX = "Most teams are happy with Globex for their sales."


def form_opinion(tmp_path, records, own=ACME, rivals=(GLOBEX,), days=None):
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(json.dumps({"id": str(number), **each}) for number, each in enumerate(records)))
    survey = survey_file(path, find_layout(path))
    planned = plan_file(path, survey, own, rivals, choose_rivals=True)
    found = measure_file(
        path, survey, planned.plan, sentiment=None, on_analyzed=lambda: None, on_settled=lambda _: None, days=days
    )
    return build_file_record(survey, planned, found, (), utc_now())


def make_day(day, named, prompts=40, platform="chatgpt"):
    """Return an answer to each prompt, of which the first ones name both brands and the others only Globex."""
    return [
        {
            "prompt": f"best crm number {number}", "platform": platform, "answered_at": day,
            "text": BOTH if number < named else ONLY_GLOBEX,
        }
        for number in range(prompts)
    ]  # fmt: skip


def test_a_large_change_is_clear_and_a_small_one_is_chance(tmp_path):
    clear = form_opinion(tmp_path, make_day("2026-11-02", 36) + make_day("2026-11-16", 2))
    verdicts = {row.name: (row.counts, row.tier) for row in list_changes(clear)}
    assert verdicts["Acme"] == ("36 → 2 of 40", "clear") and verdicts["Globex"] == ("40 → 40 of 40", "rest")
    assert "2 changes are more than chance." in describe_comparison(clear)  # Acme, and Acme on the only platform
    small = form_opinion(tmp_path, make_day("2026-11-02", 20) + make_day("2026-11-16", 17))
    assert {row.tier for row in list_changes(small)} == {"rest"}
    assert describe_comparison(small).startswith("Every difference is within chance. 2 Nov 2026 compared with 16 Nov")
    document = build_comparison(small)
    assert (document.before, document.now, document.answers) == (date(2026, 11, 2), date(2026, 11, 16), 40)
    own = next(each for each in document.changes if each.name == "Acme")
    assert (own.subject, own.before, own.now, own.verdict) == ("brand", 20, 17, "within_chance") and 0 < own.p <= 1


def test_only_prompts_that_both_days_have_on_the_same_platform_are_compared(tmp_path):
    days = make_day("2026-11-02", 5, prompts=30) + make_day("2026-11-16", 5, prompts=20)
    assert build_comparison(form_opinion(tmp_path, days)).answers == 20
    other = make_day("2026-11-02", 5) + make_day("2026-11-16", 5, platform="gemini")
    assert "cannot be compared: no prompt was asked on the same platform" in describe_comparison(
        form_opinion(tmp_path, other)
    )


def test_repeats_on_a_day_are_compared_as_cells_of_their_own(tmp_path):
    days = [*make_day("2026-11-02", 3, prompts=6) * 3, *make_day("2026-11-16", 3, prompts=6) * 2]
    assert build_comparison(form_opinion(tmp_path, days)).answers == 12


def test_people_choose_the_days_and_by_default_they_are_the_first_and_the_last_full_one(tmp_path):
    first, second, third = (date(2026, 11, day) for day in (2, 9, 16))
    assert choose_days({third: 10, second: 30, first: 40}) == (first, second)
    assert choose_days({first: 40}) is None and choose_days({}) is None
    records = [each for day in ("02", "09", "16") for each in make_day(f"2026-11-{day}", 5, prompts=6)]
    assert build_comparison(form_opinion(tmp_path, records)).now == third
    assert build_comparison(form_opinion(tmp_path, records, days=(first, second))).now == second


@pytest.mark.parametrize(
    ("day", "reason"),
    [
        (None, "The file has no dates"),
        ("2026-11-02", "All answers are of one day"),
        ("03/04/2026", "do not tell the day from the month"),
    ],
)
def test_what_prevents_a_comparison_is_said(tmp_path, day, reason):
    records = [{name: value for name, value in each.items() if value is not None} for each in make_day(day, 2)]
    record = form_opinion(tmp_path, records)
    assert record.opinion.comparison is None and reason in describe_comparison(record)


def test_a_brand_is_ahead_only_if_no_other_can_be_first(tmp_path):
    clear = form_opinion(tmp_path, make_day("2026-11-02", 1))
    assert describe_lead(clear.results.competitors).startswith("Globex is ahead for these prompts.")
    texts = ("1. **Acme**\n2. **Globex**", "1. **Globex**\n2. **Acme**")
    records = [{"prompt": f"best crm {number}", "platform": "gemini", "text": texts[number % 2]} for number in range(9)]
    even = form_opinion(tmp_path, records)
    assert "Nobody is clearly ahead: within the ranges, " in describe_lead(even.results.competitors)
    alone = form_opinion(tmp_path, [{"prompt": "q", "platform": "gemini", "text": BOTH}])
    assert describe_lead(alone.results.competitors[:1]) == ""


def test_without_competitors_the_most_named_brands_are_compared(tmp_path):
    text = "1. **Globex** - fast\n2. **Initech** - cheap\n3. **Acme** - solid\n"
    records = [
        {"prompt": f"best crm for {who}", "platform": platform, "text": text}
        for who in ("schools", "shops", "banks")
        for platform in ("chatgpt", "gemini")
    ]
    record = form_opinion(tmp_path, records, rivals=())
    assert {row.name for row in record.results.competitors} == {"Acme", "Globex", "Initech"}
    assert record.opinion.are_rivals_chosen
    assert "these are the brands that the answers name most often" in render_scan_report(record)


def test_a_line_that_answers_also_name_alone_counts_for_its_maker(tmp_path):
    texts = (
        "1. **Initech T1** - fast\n2. **Globex Zentro X1** - cheap\n3. **Acme A1** - solid\n",
        "1. **Zentro X3** - fast\n2. **Initech T2** - cheap\n3. **Acme A2** - solid\n",
        "1. **Acme A1** - fast\n2. **Globex Zentro X2** - cheap\n3. **Initech T1** - solid\n",
        "1. **Zentro X4** - fast\n2. **Initech T2** - cheap\n3. **Globex G1** - solid\n",
    )
    records = [
        {"prompt": f"best kettle for {who}", "platform": "chatgpt", "language": "en", "text": text}
        for who in ("schools", "shops", "banks")
        for text in texts
    ]
    record = form_opinion(tmp_path, records, rivals=())
    assert {row.name: row.mentions for row in record.results.competitors} == {"Acme": 9, "Globex": 12, "Initech": 12}
    assert not record.results.candidates


def test_letters_that_do_not_name_the_brand_are_shown_with_their_sentences(tmp_path):
    notion = Brand("Notion", (), ("notion.so",))
    texts = (
        "1. **Notion** is a good place for notes.\n2. **Globex** is another.",
        "The notion that one tool fits every team is wrong. Globex is fine.",
        "Preconceptions and notional costs do not matter. Globex is fine for notes.",
        "Globex is fine. See [a guide](https://example.com/notion) and\n\n[1]: https://example.com 'Notion'",
    )
    records = [
        {"prompt": f"best notes app {number}", "platform": "chatgpt", "language": "en", "text": text}
        for number, text in enumerate(texts)
    ]
    record = form_opinion(tmp_path, records, own=notion)
    (name,) = record.opinion.misread_names
    assert (name.brand, name.found, name.named, name.not_named, name.is_ordinary_word) == ("Notion", 3, 1, 2, True)
    found = {(each.reading, each.answer_id): "".join(part.text for part in each.parts) for each in name.sentences}
    assert found["not_the_brand", "1"] == "The notion that one tool fits every team is wrong."
    assert found["part_of_word", "2"] == "Preconceptions and notional costs do not matter."
    assert ("brand", "0") in found and not any(answer == "3" for _, answer in found)
    assert describe_misread(name).startswith("A search for the letters finds 3 answers; 1 of them name the brand.")
    html = render_scan_report(record)
    assert '<mark class="competitor">notion</mark>' in html and "inside another word" in html


def test_what_the_file_lacks_is_said_in_the_report(tmp_path):
    record = form_opinion(tmp_path, [{"text": BOTH}, {"text": ONLY_GLOBEX}])
    notices = " ".join(text for _, text in list_file_notices(record))
    for said in ("No column holds the prompts", "No column holds the platform", "holds a date", "holds sources"):
        assert said in notices
    assert "No column holds the prompts" in render_scan_report(record)


def test_a_record_can_be_stored_and_read_again(tmp_path):
    record = form_opinion(tmp_path, make_day("2026-11-02", 9) + make_day("2026-11-16", 3))
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(record), type=type(record)) == record

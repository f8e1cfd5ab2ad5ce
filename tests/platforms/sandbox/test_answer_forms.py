"""Answer forms are as frequent as their table says, and each has the properties of its name."""

from collections import Counter

import pytest

from sightline.platforms.sandbox.answers import write_answer
from sightline.platforms.sandbox.market import Subject
from sightline.platforms.sandbox.plan import read_forms
from tests.platforms.sandbox.samples import DAY, PLATFORMS, days, names_brand, plan_cell, strip_markup

CITING = [platform for platform in PLATFORMS if platform not in {"deepseek", "local"}]
SUBJECTS = [Subject(f"zorblat{number}.com", f"Zorblat{number}") for number in range(30)]


@pytest.fixture(scope="module")
def plans():
    """Plan about 5,000 cells of platforms that cite, with unbranded prompts."""
    found = [
        plan_cell(subject, f"which crm is best, number {number}?", platform, day=day)
        for subject in SUBJECTS
        for number in range(10)
        for platform in CITING
        for day in days(2)
    ]
    return [plan for plan in found if plan.shown]


def test_every_group_of_forms_is_complete():
    for cases in read_forms().values():
        assert abs(sum(share for _, share, _ in cases) - 1) < 1e-9
        assert len({form for form, _, _ in cases}) == len(cases)
        assert all(0 <= cited <= 1 for _, _, cited in cases)


@pytest.mark.parametrize("named", [True, False])
def test_forms_are_as_frequent_as_their_table_says(plans, named):
    group = [plan for plan in plans if plan.named == named]
    seen = Counter(plan.form for plan in group)
    for form, share, _ in read_forms()["open_named" if named else "open_unnamed"]:
        error = (share * (1 - share) / len(group)) ** 0.5
        assert abs(seen[form] / len(group) - share) < 4 * error, form


def test_citations_are_as_frequent_as_their_table_says(plans):
    for form, _, cited in read_forms()["open_named"]:
        rows = [plan.cited for plan in plans if plan.named and plan.form == form]
        assert abs(sum(rows) / len(rows) - cited) < 4 * (0.25 / len(rows)) ** 0.5, form


@pytest.mark.parametrize("platform", ["deepseek", "local"])
def test_a_platform_that_never_cites_has_no_citation_forms(platform):
    rows = [plan_cell(s, f"which crm, {n}?", platform, day=DAY) for s in SUBJECTS for n in range(20)]
    assert not any(plan.cited for plan in rows)
    assert not {"only_cited", "retrieved"} & {plan.form for plan in rows}


def sample_answers(plans, form, *, named=None, limit=25):
    found = [plan for plan in plans if plan.form == form and named in {None, plan.named}][:limit]
    assert found, form
    return [(plan, write_answer(plan)) for plan in found]


def cites_brand(plan, answer):
    return any(source.url.startswith(f"https://{plan.market.own.domain}/") for source in answer.cited)


def test_every_form_names_the_brand_exactly_if_planned(plans):
    for plan in plans[::7]:
        answer = write_answer(plan)
        assert names_brand(answer.text, plan.market.own.name) == plan.named, (plan.form, answer.text)
        assert cites_brand(plan, answer) == plan.cited, (plan.form, answer.text)


def test_retrieved_but_not_cited(plans):
    for plan, answer in sample_answers(plans, "retrieved"):
        own = f"https://{plan.market.own.domain}/"
        assert any(source.url.startswith(own) for source in answer.retrieved) and not cites_brand(plan, answer)


def test_in_a_table(plans):
    for plan, answer in sample_answers(plans, "table"):
        assert f"\n| {plan.market.own.name} | " in answer.text


@pytest.mark.parametrize(
    ("form", "signs"),
    [
        ("contrast", ("Unlike", "Compared with", "instead of", "switch from")),
        ("discouraged", ("avoid", "not recommend", "steer clear")),
        ("derived", ("-like", "-style")),
    ],
)
def test_named_in_one_sentence_without_a_recommendation(plans, form, signs):
    for plan, answer in sample_answers(plans, form):
        name = plan.market.own.name
        lines = [line for line in strip_markup(answer.text).splitlines() if name in line]
        assert len(lines) == 1 and any(sign in lines[0] for sign in signs), lines


def test_in_another_script(plans):
    for plan, answer in sample_answers(plans, "other_script"):
        full_width = "".join(chr(ord(letter) + 0xFEE0) for letter in plan.market.own.name)
        assert full_width in answer.text
    subject = Subject("zorblat.com", "Zorblat", (), ("Zorblat Inc", "ゾーブラット"))
    rows = [plan_cell(subject, f"which crm, {n}?", "gemini", day=day) for n in range(40) for day in days(5)]
    for _, answer in sample_answers(rows, "other_script"):
        assert "ゾーブラット" in answer.text and "Zorblat" not in answer.text


def test_refusals_name_no_brand_and_cite_nothing(plans):
    for plan, answer in sample_answers(plans, "refusal"):
        assert not any(names_brand(answer.text, brand.name) for brand in plan.market.brands)
        assert not answer.cited and len(answer.text) > 100


def test_short_answers_are_one_sentence(plans):
    for plan, answer in sample_answers(plans, "short", named=True) + sample_answers(plans, "short", named=False):
        assert 20 <= len(strip_markup(answer.text).strip()) < 120 and "\n" not in answer.text, plan.form


def test_a_name_in_code_is_not_a_mention(plans):
    for plan, answer in sample_answers(plans, "code_only"):
        assert plan.market.own.name in answer.text and not names_brand(answer.text, plan.market.own.name)
    for plan, answer in sample_answers(plans, "code"):
        assert "```json\n" in answer.text and names_brand(answer.text, plan.market.own.name)


def test_an_echo_repeats_the_question_on_a_line_of_its_own(plans):
    for plan, answer in sample_answers(plans, "echo"):
        assert answer.text.splitlines()[0] == plan.prompt


# Prompts that name brands


def test_branded_prompts_are_named_unless_the_brand_is_unknown_or_only_repeated():
    subject = SUBJECTS[0]
    name = subject.brand
    rows = [
        plan_cell(subject, f"Is {name} a good crm, number {n}?", platform, day=day)
        for n in range(30)
        for platform in CITING
        for day in days(4)
    ]
    assert 0.95 < sum(plan.named for plan in rows) / len(rows) < 0.99
    assert {plan.form for plan in rows if not plan.named} == {"unknown", "echo_only"}
    for plan in [plan for plan in rows if not plan.named] + rows[:60]:
        text = write_answer(plan).text
        body = text.partition("\n")[2] if plan.form in {"echo", "echo_only"} else text
        if plan.form == "unknown":
            assert f"information about {name}" in text and text.count(name) == 1
        else:
            assert names_brand(body, name) == plan.named, text


@pytest.mark.parametrize(
    ("prompt", "names"),
    [
        ("{own} vs {rival}", ("{own}", "{rival}")),
        ("{rival} or {own}: which crm is better?", ("{own}", "{rival}")),
        ("{own} versus Trello", ("{own}", "Trello")),
        ("Trello vs. Asana for agencies?", ("Trello", "Asana")),
        ("which is better: trello vs asana", ("trello", "asana")),
    ],
)
def test_a_comparison_discusses_both(prompt, names):
    subject = SUBJECTS[1]
    rival = plan_cell(subject, "x").market.rivals[0].name
    filled = prompt.format(own=subject.brand, rival=rival)
    for platform in CITING:
        plan = plan_cell(subject, filled, platform)
        if plan.shown and plan.form in {"plain", "uncited", "absent"}:
            text = write_answer(plan).text
            assert all(names_brand(text, name.format(own=subject.brand, rival=rival)) for name in names), text


def test_a_review_of_a_rival_is_about_the_rival():
    subject = SUBJECTS[2]
    rival = plan_cell(subject, "x").market.rivals[0].name
    for platform in PLATFORMS:
        plan = plan_cell(subject, f"Is {rival} worth the money?", platform)
        assert names_brand(write_answer(plan).text, rival)
        assert names_brand(write_answer(plan).text, subject.brand) == plan.named

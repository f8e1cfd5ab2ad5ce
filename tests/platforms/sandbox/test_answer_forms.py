"""The awkward cases come as often as their table says, and each is what its name says."""

from collections import Counter

import pytest

from sightline.platforms.sandbox.answer_forms import FORMS
from sightline.platforms.sandbox.market import Subject
from tests.platforms.sandbox.samples import DAY, PLATFORMS, days, names_brand, planned, prose, written

CITING = [platform for platform in PLATFORMS if platform not in {"deepseek", "local"}]
SUBJECTS = [Subject(f"zorblat{number}.com", f"Zorblat{number}") for number in range(30)]


@pytest.fixture(scope="module")
def plans():
    """Some 5,000 cells of platforms that cite, with unbranded prompts."""
    return [
        planned(subject, f"which crm is best, number {number}?", platform, day=day)
        for subject in SUBJECTS
        for number in range(10)
        for platform in CITING
        for day in days(2)
    ]


def test_every_group_of_cases_is_complete():
    for cases in FORMS.values():
        assert abs(sum(form.share for form in cases) - 1) < 1e-9
        assert len({form.name for form in cases}) == len(cases)
        assert all(form.why and 0 <= form.cites <= 1 for form in cases)


@pytest.mark.parametrize("named", [True, False])
def test_cases_come_as_often_as_the_table_says(plans, named):
    group = [plan for plan in plans if plan.named == named]
    seen = Counter(plan.form for plan in group)
    for form in FORMS["open", named]:
        error = (form.share * (1 - form.share) / len(group)) ** 0.5
        assert abs(seen[form.name] / len(group) - form.share) < 4 * error, form.name


def test_citations_come_as_often_as_the_table_says(plans):
    for form in FORMS["open", True]:
        rows = [plan.cited for plan in plans if plan.named and plan.form == form.name]
        assert abs(sum(rows) / len(rows) - form.cites) < 4 * (0.25 / len(rows)) ** 0.5, form.name


@pytest.mark.parametrize("platform", ["deepseek", "local"])
def test_a_platform_that_never_cites_has_no_cases_about_citations(platform):
    rows = [planned(s, f"which crm, {n}?", platform, day=DAY) for s in SUBJECTS for n in range(20)]
    assert not any(plan.cited for plan in rows)
    assert not {"only_cited", "retrieved"} & {plan.form for plan in rows}


def some(plans, form, *, named=None, most=25):
    found = [plan for plan in plans if plan.form == form and named in {None, plan.named}][:most]
    assert found, form
    return [(plan, written(plan)) for plan in found]


def own_cited(plan, answer):
    return any(source.url.startswith(f"https://{plan.market.own.domain}/") for source in answer.cited)


def test_whatever_the_case_the_name_is_there_exactly_when_the_draw_says_so(plans):
    for plan in plans[::7]:
        answer = written(plan)
        assert names_brand(answer.text, plan.market.own.name) == plan.named, (plan.form, answer.text)
        assert own_cited(plan, answer) == plan.cited, (plan.form, answer.text)


def test_only_cited(plans):
    for plan, answer in some(plans, "only_cited"):
        assert own_cited(plan, answer) and not names_brand(answer.text, plan.market.own.name)


def test_retrieved_but_not_cited(plans):
    for plan, answer in some(plans, "retrieved"):
        own = f"https://{plan.market.own.domain}/"
        assert any(source.url.startswith(own) for source in answer.retrieved) and not own_cited(plan, answer)


def test_named_but_not_cited(plans):
    for plan, answer in some(plans, "uncited"):
        assert not own_cited(plan, answer) and names_brand(answer.text, plan.market.own.name)


def test_in_a_table(plans):
    for plan, answer in some(plans, "table"):
        assert f"\n| {plan.market.own.name} | " in answer.text


@pytest.mark.parametrize(
    ("form", "signs"),
    [
        ("contrast", ("Unlike", "Compared with", "instead of", "switch from")),
        ("discouraged", ("avoid", "not recommend", "steer clear")),
        ("derived", ("-like", "-style")),
    ],
)
def test_named_in_one_sentence_only_and_not_recommended_by_it(plans, form, signs):
    for plan, answer in some(plans, form):
        name = plan.market.own.name
        lines = [line for line in prose(answer.text).splitlines() if name in line]
        assert len(lines) == 1 and any(sign in lines[0] for sign in signs), lines


def test_in_another_script(plans):
    for plan, answer in some(plans, "other_script"):
        full_width = "".join(chr(ord(letter) + 0xFEE0) for letter in plan.market.own.name)
        assert full_width in answer.text
    subject = Subject("zorblat.com", "Zorblat", (), ("Zorblat Inc", "ゾーブラット"))
    rows = [planned(subject, f"which crm, {n}?", "gemini", day=day) for n in range(40) for day in days(5)]
    for _, answer in some(rows, "other_script"):
        assert "ゾーブラット" in answer.text and "Zorblat" not in answer.text


def test_refusals_name_nobody_and_cite_nothing(plans):
    for plan, answer in some(plans, "refusal"):
        assert not any(names_brand(answer.text, brand.name) for brand in plan.market.brands)
        assert not answer.cited and len(answer.text) > 100


def test_short_answers_are_one_sentence(plans):
    for plan, answer in some(plans, "short", named=True) + some(plans, "short", named=False):
        assert 20 <= len(prose(answer.text).strip()) < 120 and "\n" not in answer.text, plan.form


def test_code_alone_is_no_mention(plans):
    for plan, answer in some(plans, "code_only"):
        assert plan.market.own.name in answer.text and not names_brand(answer.text, plan.market.own.name)
    for plan, answer in some(plans, "code"):
        assert "```json\n" in answer.text and names_brand(answer.text, plan.market.own.name)


def test_an_echo_repeats_the_question_on_a_line_of_its_own(plans):
    for plan, answer in some(plans, "echo"):
        assert answer.text.splitlines()[0] == plan.prompt


# Prompts that name brands


def test_branded_prompts_are_named_unless_the_brand_is_unknown_or_only_repeated():
    subject = SUBJECTS[0]
    name = subject.brand
    rows = [
        planned(subject, f"Is {name} a good crm, number {n}?", platform, day=day)
        for n in range(30)
        for platform in CITING
        for day in days(4)
    ]
    assert 0.95 < sum(plan.named for plan in rows) / len(rows) < 0.99
    assert {plan.form for plan in rows if not plan.named} == {"unknown", "echo_only"}
    for plan in [plan for plan in rows if not plan.named] + rows[:60]:
        text = written(plan).text
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
    rival = planned(subject, "x").market.rivals[0].name
    filled = prompt.format(own=subject.brand, rival=rival)
    for platform in CITING:
        plan = planned(subject, filled, platform)
        if plan.form in {"plain", "uncited", "absent"}:
            text = written(plan).text
            assert all(names_brand(text, name.format(own=subject.brand, rival=rival)) for name in names), text


def test_a_review_of_a_rival_is_about_the_rival():
    subject = SUBJECTS[2]
    rival = planned(subject, "x").market.rivals[0].name
    for platform in PLATFORMS:
        plan = planned(subject, f"Is {rival} worth the money?", platform)
        assert names_brand(written(plan).text, rival)
        assert names_brand(written(plan).text, subject.brand) == plan.named

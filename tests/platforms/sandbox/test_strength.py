"""The model behind the sandbox's numbers: probabilities, draws, drift, events."""

import statistics
from datetime import timedelta
from functools import cache

import pytest

from sightline.platforms.sandbox.market import Subject, build_market
from sightline.platforms.sandbox.plan import BRANDED, OTHERS_ONLY, find_events, mention_probability
from sightline.platforms.sandbox.prompts import interpret_prompt
from tests.platforms.sandbox.samples import ACME, DAY, PLATFORMS, RIVALS, days, plan_cell

SUBJECTS = [Subject(f"brand{number}.com", f"Brand{number}") for number in range(25)]
QUESTIONS = ["which tool is best?", "cheapest provider for a small team", "how do I choose a provider?"]


def named_on(subject, prompt, platform, day):
    return plan_cell(subject, prompt, platform, day=day).named


def list_events(subject, count):
    """Return every event of these days once. None lasts less than six days."""
    market = build_market(subject)
    return list(dict.fromkeys(event for day in days(count)[::5] for event in find_events(market, day)))


def test_consecutive_days_agree_in_60_to_70_percent_of_cells():
    same = [
        named_on(subject, prompt, platform, day) == named_on(subject, prompt, platform, day + timedelta(1))
        for subject in SUBJECTS
        for prompt in QUESTIONS
        for platform in PLATFORMS
        for day in days(3)
    ]
    assert len(same) > 2000
    assert 0.62 < statistics.mean(same) < 0.71


def test_the_long_run_frequency_of_a_cell_is_its_mention_probability():
    for subject in SUBJECTS[:2]:
        span = days(500)
        truth = [mention_probability(subject, QUESTIONS[0], "chatgpt", "US", day) for day in span]
        seen = [named_on(subject, QUESTIONS[0], "chatgpt", day) for day in span]
        assert abs(statistics.mean(seen) - statistics.mean(truth)) < 0.085  # three and a half standard errors


def test_probabilities_are_calibrated_in_every_band():
    """Calibration: of the cells with p near 20 %, about 20 % name the brand."""
    bands = {}
    for subject in SUBJECTS:
        for prompt in QUESTIONS:
            for platform in PLATFORMS:
                p = mention_probability(subject, prompt, platform, "US", DAY)
                bands.setdefault(int(p * 5), []).append((p, named_on(subject, prompt, platform, DAY)))
    checked = [rows for rows in bands.values() if len(rows) > 80]
    assert len(checked) >= 3
    for rows in checked:
        expected = statistics.mean(p for p, _ in rows)
        assert abs(statistics.mean(hit for _, hit in rows) - expected) < 3.5 * (0.25 / len(rows)) ** 0.5


def test_strengths_move_by_about_15_points_over_eight_weeks():
    moves = [
        mention_probability(subject, QUESTIONS[0], platform, "US", DAY + timedelta(56))
        - mention_probability(subject, QUESTIONS[0], platform, "US", DAY)
        for subject in SUBJECTS
        for platform in PLATFORMS
    ]
    assert 0.11 < statistics.pstdev(moves) < 0.21
    assert abs(statistics.mean(moves)) < 0.05


def test_strengths_move_slowly_without_events():
    for subject in SUBJECTS:
        if any(find_events(build_market(subject), day) for day in days(2)):
            continue
        for platform in PLATFORMS:
            today = mention_probability(subject, QUESTIONS[0], platform, "US", DAY)
            tomorrow = mention_probability(subject, QUESTIONS[0], platform, "US", DAY + timedelta(1))
            assert abs(today - tomorrow) < 0.09


def test_platforms_prompts_and_countries_differ():
    def p(prompt=QUESTIONS[0], platform="chatgpt", country="US"):
        return mention_probability(ACME, prompt, platform, country, DAY)

    assert len({p(platform=platform) for platform in PLATFORMS}) == len(PLATFORMS)
    assert len({p(prompt=prompt) for prompt in QUESTIONS}) == len(QUESTIONS)
    assert len({p(country=country) for country in ("US", "DE", "JP", None)}) == 4
    assert p(country="us") == p() and p(prompt=f"  {QUESTIONS[0].upper()} ") == p()


def test_a_brand_is_stronger_on_its_strong_topic_than_on_its_weak_one():
    asked = {
        "price": "cheap {}",
        "ease": "easy {}",
        "support": "help {}",
        "choice": "alternatives {}",
        "quality": "best {}",
    }
    gaps = []
    for subject in SUBJECTS:
        own = build_market(subject).own
        for number in range(8):
            strong, weak = (asked[topic].format(number) for topic in (own.strong, own.weak))
            gaps.append(
                mention_probability(subject, strong, "chatgpt", "US", DAY)
                - mention_probability(subject, weak, "chatgpt", "US", DAY)
            )
    assert 0.1 < statistics.mean(gaps) < 0.35


def test_a_branded_prompt_nearly_always_names_the_brand():
    for prompt in ("Is Acme any good?", "acme.com reviews", "Acmeの評判"):
        assert mention_probability(ACME, prompt, "chatgpt", "US", DAY) == BRANDED
    for prompt in ("Is Acmeology any good?", "pineacme"):
        assert mention_probability(ACME, prompt, "chatgpt", "US", DAY) != BRANDED


def test_an_alias_names_the_brand_too():
    subject = Subject("acme.com", "Acme", (), ("アクメ",))
    assert mention_probability(subject, "アクメはどうですか", "chatgpt", "JP", DAY) == BRANDED


def test_a_prompt_about_other_brands_lowers_the_probability():
    subject = Subject("acme.com", "Acme", RIVALS)
    assert mention_probability(subject, "Globex vs Initech", "chatgpt", "US", DAY) <= OTHERS_ONLY
    assert mention_probability(subject, "Trello vs Asana", "chatgpt", "US", DAY) <= OTHERS_ONLY


def test_two_brands_in_a_question_are_compared_with_or_without_versus():
    market = build_market(Subject("acme.com", "Acme", RIVALS))
    for prompt in ("Acme vs Globex", "should we take Globex or rather Acme?"):
        pair = interpret_prompt(market, prompt).pair
        assert pair is not None and {brand.name for brand in pair} == {"Acme", "Globex"}
    assert interpret_prompt(market, "is Acme any good?").pair is None


def test_rivals_have_probabilities_and_unknown_brands_have_none():
    subject = Subject("acme.com", "Acme", RIVALS)
    p = mention_probability(subject, QUESTIONS[0], "chatgpt", "US", DAY, brand="Globex")
    assert 0 < p < 1
    with pytest.raises(KeyError):
        mention_probability(subject, QUESTIONS[0], "chatgpt", "US", DAY, brand="Nobody")


# Events


@cache
def all_events():
    return [(subject, event) for subject in SUBJECTS for event in list_events(subject, 365)]


def test_events_are_rare_and_of_every_kind():
    per_year = len(all_events()) / len(SUBJECTS)
    assert {event.kind for _, event in all_events()} == {"launch", "drop", "update"}
    assert 8 < per_year < 30  # all platforms and kinds together


def test_a_drop_lowers_the_brand_on_one_platform_while_it_lasts():
    drops = [(s, e) for s, e in all_events() if e.kind == "drop"]
    assert drops
    falls, others = [], []
    for subject, event in drops:
        before, during = event.first - timedelta(1), event.first
        for platform in PLATFORMS:
            change = mention_probability(subject, QUESTIONS[0], platform, "US", during) - mention_probability(
                subject, QUESTIONS[0], platform, "US", before
            )
            (falls if platform == event.platform else others).append(change)
    assert statistics.mean(falls) < -0.15
    assert abs(statistics.mean(others)) < 0.03


def test_a_launch_lifts_the_rival():
    launches = [(s, e) for s, e in all_events() if e.kind == "launch"]
    lifts = []
    for subject, event in launches:
        name = next(rival.name for rival in build_market(subject).rivals if rival.key == event.brand)
        before, during = (
            mention_probability(subject, QUESTIONS[0], "chatgpt", "US", day, brand=name)
            for day in (event.first - timedelta(1), event.first)
        )
        lifts.append(during - before)
    assert statistics.mean(lifts) > 0.15


def test_an_update_of_a_platform_happens_on_the_same_days_in_every_market():
    first, second = ({e for e in list_events(s, 365) if e.kind == "update"} for s in SUBJECTS[:2])
    assert first == second and first


def test_an_event_is_there_from_its_first_day_to_its_last():
    for subject, event in all_events()[:40]:
        market, last = build_market(subject), event.first + timedelta(event.days - 1)
        for day in (event.first, last):
            assert event in find_events(market, day)
        for day in (event.first - timedelta(1), last + timedelta(1)):
            assert event not in find_events(market, day)

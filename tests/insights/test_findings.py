"""Findings: their order, that each event is told once, and the words that no sentence may use."""

import re
import uuid
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import msgspec
import pytest
from babel.messages.pofile import read_po

from sightline.insights.alerts.models import DIRECTIONS, AlertRow, Confirmation, Evidence, Share
from sightline.insights.alerts.states import AlertState
from sightline.insights.findings import sentences
from sightline.insights.findings.find import is_told, list_findings
from sightline.insights.findings.read import summarize_story, tell_story
from sightline.insights.findings.schemas import Finding
from sightline.insights.findings.sentences import describe_headline
from sightline.presentation.language import in_language
from sightline.scoreboard.check_changes.schemas import (
    CheckChanges,
    ModelChange,
    PeriodResult,
    PlatformSourceChange,
)

SINCE, UNTIL = "2026-11-11T09:00:00+00:00", "2026-11-18T09:00:00+00:00"
PROMPT = uuid.UUID(int=7)
TEXT = "which anvil is the best one for a very small forge in a garden"


def result(name, before, now, answers=129, *, subject="brand", period="last_check", tier="rest", checks=1, p=0.5):
    return PeriodResult(
        subject=subject,
        name=name,
        period=period,
        since=SINCE,
        checks=checks,
        before=before,
        before_answers=answers,
        now=now,
        now_answers=answers,
        p=p,
        tier=tier,
    )


def changes(*periods, **fields):
    made = {"scan_id": uuid.UUID(int=2), "against_scan_id": uuid.UUID(int=1), "since": SINCE, "until": UNTIL}
    made |= {"reasons": (), "established": (), "winners": (), "sources": (), "periods": periods}
    return CheckChanges(**(made | fields))


def alert(scope="overall", *, kind="coverage_drop", state=AlertState.CONFIRMED, hushed=None, counts=(15, 5), p=0.0063):
    day = datetime(2026, 11, 14, 9, tzinfo=UTC)
    before, now = (Share(number, 35) for number in counts)
    evidence = Evidence(
        against_scan_id=uuid.UUID(int=3),
        scan_id=uuid.UUID(int=4),
        rules=("previous_daily",),
        before=before,
        low=0.2,
        high=0.6,
        now=now,
        matched_cells=35,
        lost=11,
        gained=1,
        delta=100 * (now.value - before.value),
        p=p,
        verdict=DIRECTIONS[kind],
        proofs=(),
        confirmation=Confirmation(
            scan_id=uuid.UUID(int=5),
            rules=("previous_daily",),
            before=before,
            now=now,
            lost=11,
            gained=1,
            delta=100 * (now.value - before.value),
            p=p,
        ),
    )
    ids = (uuid.UUID(int=9), uuid.UUID(int=10))
    stored = msgspec.json.encode(evidence)
    return AlertRow(*ids, kind, scope, state, hushed, stored, uuid.UUID(int=4), day, day, None, None, day)


def tell(found, **given):
    listed = list_findings(found, brand="Acme", prompts={str(PROMPT): TEXT}, **given)
    return tell_story(found, listed, "Acme")


def test_the_clear_changes_of_the_brand_come_first_then_those_of_rivals_then_what_is_worth_watching():
    story = tell(
        changes(
            result("Acme", 60, 40, tier="clear", p=1e-5),
            result("Mirvune", 96, 114, tier="clear", p=1e-6),
            result("Fenlane", 60, 71, tier="watch", p=0.01),
            result("chatgpt", 9, 8, 12, subject="platform"),
        )
    )
    assert [(each.competitor, each.platform, each.tier) for each in story.findings] == [
        (None, None, "clear"),
        ("Mirvune", None, "clear"),
        ("Fenlane", None, "watch"),
    ]
    assert story.headline == "Overall, Acme is named in 40 of 129 answers, down from 60 on 11 Nov."
    assert summarize_story(story) == [
        story.headline,
        "Overall, Mirvune is named in 114 of 129 answers, up from 96 on 11 Nov.",
    ]


def test_of_equally_sure_changes_the_brand_as_a_whole_comes_before_one_platform():
    story = tell(
        changes(
            result("chatgpt", 2, 10, 12, subject="platform", tier="watch", p=1e-4),
            result("Acme", 60, 44, tier="watch", p=0.01),
        )
    )
    assert [each.kind for each in story.findings] == ["brand", "platform"]


def test_a_quiet_week_says_so_and_shows_its_three_largest_movers():
    story = tell(
        changes(
            result("Acme", 55, 51),
            result("Mirvune", 96, 98),
            result("Fenlane", 60, 63),
            result("chatgpt", 9, 8, 12, subject="platform"),
        )
    )
    assert story.headline == "No clear change since 11 Nov."
    assert [each.competitor for each in story.findings] == [None, "Fenlane", "Mirvune"]
    assert tell(changes(result("Acme", 55, 55))).headline == "No clear change since 11 Nov."


def test_without_a_clear_change_the_headline_names_what_is_worth_watching():
    story = tell(changes(result("Acme", 55, 51), result("Mirvune", 96, 114, tier="watch", p=0.006)))
    assert story.headline == (
        "No clear change. Worth watching: Overall, Mirvune is named in 114 of 129 answers, up from 96 on 11 Nov."
    )


def test_a_subject_is_told_once_with_its_surest_period():
    story = tell(
        changes(
            result("Acme", 50, 55),
            result("Acme", 300, 200, 500, period="twelve_weeks", tier="clear", checks=5, p=1e-6),
            result("Acme", 110, 90, 250, period="four_weeks", tier="watch", checks=2, p=0.01),
        )
    )
    assert [each.text for each in story.findings] == [
        "Overall, Acme is named in 200 of 500 answers, down from 300 since 11 Nov."
    ]


def test_a_change_on_one_platform_is_told_there_and_a_broad_one_as_a_whole():
    own = result("Acme", 60, 40, tier="clear", p=1e-4)
    local = tell(changes(own, result("gemini", 22, 4, 30, subject="platform", tier="clear", p=1e-6)))
    assert [each.platform for each in local.findings if each.tier == "clear"] == ["gemini"]
    assert local.headline == "On Gemini, Acme is named in 4 of 30 answers, down from 22 on 11 Nov."
    broad = tell(changes(own, result("gemini", 22, 14, 30, subject="platform", tier="watch", p=0.01)))
    assert [each.platform for each in broad.findings if each.tier != "rest"] == [None]


def test_an_alert_that_a_full_check_confirms_is_one_finding_with_two_dates():
    found = changes(result("Acme", 60, 40, tier="clear", p=1e-5))
    (story,) = tell(found, alerts=[alert()]).findings
    assert (story.since, story.alerted_at, story.alert_id) == (SINCE, "2026-11-14T09:00:00.000000+00:00", alert().id)
    assert story.text.endswith("down from 60 on 11 Nov. First seen in the Daily Check of 14 Nov.")


def test_an_alert_that_no_full_check_confirms_is_worth_watching():
    story = tell(changes(result("Acme", 60, 58)), alerts=[alert("platform:gemini")])
    assert story.findings[0].text == (
        "On Gemini, Acme was named in 5 of 35 Daily Check answers on 14 Nov, down from 15."
    )
    assert story.findings[0].tier == "watch"
    opposite = tell(changes(result("Acme", 40, 60, tier="clear", p=1e-5)), alerts=[alert()])
    assert [each.direction for each in opposite.findings] == ["up"], "no two findings contradict each other"


RISE = alert("overall competitor:Mirvune", kind="competitor_rise", counts=(25, 35), p=0.0004)


def test_an_alert_that_a_later_full_check_shows_too_is_clear_although_the_full_check_alone_is_not():
    found = changes(result("Acme", 60, 58), result("Mirvune", 96, 114, p=0.08))
    story = tell(found, alerts=[RISE])
    assert story.headline == "Overall, Mirvune is named in 114 of 129 answers, up from 96 on 11 Nov."
    assert (story.findings[0].tier, story.findings[0].p) == ("clear", 0.0004)
    assert story.findings[0].text.endswith("First seen in the Daily Check of 14 Nov.")
    trend = changes(result("Mirvune", 110, 111), result("Mirvune", 190, 230, 258, period="four_weeks", checks=2, p=0.1))
    assert tell(trend, alerts=[RISE]).headline == (
        "Overall, Mirvune is named in 230 of 258 answers, up from 190 since 11 Nov."
    )


@pytest.mark.parametrize(
    ("row", "now", "until"),
    [
        (RISE, 99, UNTIL),  # the Full Check shows too little of it
        (RISE, 114, "2026-11-13T09:00:00+00:00"),  # the Full Check came before it
        (alert("overall competitor:Mirvune", kind="competitor_rise", counts=(25, 35)), 114, UNTIL),  # not sure enough
        (msgspec.structs.replace(RISE, state=AlertState.RESOLVED), 114, UNTIL),
    ],
)
def test_other_alerts_stay_worth_watching(row, now, until):
    story = tell(changes(result("Mirvune", 96, now, p=0.08), until=until), alerts=[row])
    assert story.headline.startswith("No clear change. Worth watching: Overall, Mirvune was named in")


def test_a_very_sure_alert_is_clear_before_the_next_full_check_but_not_against_it():
    sure = alert("overall competitor:Mirvune", kind="competitor_rise", counts=(25, 35), p=0.00004)
    before = changes(result("Mirvune", 96, 96), since="2026-11-04T09:00:00+00:00", until="2026-11-11T09:00:00+00:00")
    assert tell(before, alerts=[sure]).headline == (
        "Overall, Mirvune was named in 35 of 35 Daily Check answers on 14 Nov, up from 25."
    )
    assert [each.tier for each in tell(None, alerts=[sure]).findings] == ["clear"]
    against = tell(changes(result("Mirvune", 96, 90)), alerts=[sure])
    assert against.headline.startswith("No clear change.") and against.findings[0].tier == "watch"
    old = changes(result("Mirvune", 96, 97), since="2026-11-18T09:00:00+00:00", until="2026-11-25T09:00:00+00:00")
    assert tell(old, alerts=[sure]).findings[0].tier == "watch", "later Full Checks do not show it"


def test_alerts_about_a_brand_and_its_parts_are_told_once():
    """As one event: where most of it happened, or as a whole."""
    part, whole = alert("platform:gemini", counts=(15, 6)), alert(counts=(15, 5))
    local = tell(changes(result("Acme", 60, 58)), alerts=[whole, part])
    assert [(each.kind, each.alert_id) for each in local.findings if each.tier == "watch"] == [("platform", part.id)]
    small = alert("platform:gemini", counts=(15, 12))
    broad = tell(changes(result("Acme", 60, 58)), alerts=[whole, small])
    assert [each.kind for each in broad.findings if each.tier == "watch"] == ["brand"]


@pytest.mark.parametrize(
    ("scope", "kind", "counts", "told"),
    [
        (f"cell:{PROMPT}:gemini", "cell_lost", (15, 0), "Daily Checks, after 15 of 35."),
        ("country:global", "coverage_drop", (15, 5), "In the Global market, Acme was named in 5 of 35"),
        ("country:DE", "coverage_drop", (15, 5), "In Germany, Acme was named in 5 of 35"),
        (
            "platform:local competitor:Mirvune",
            "competitor_rise",
            (5, 15),
            "On the local model, Mirvune was named in 15",
        ),
    ],
)
def test_the_part_that_an_alert_is_about_is_named(scope, kind, counts, told):
    (finding,) = tell(None, alerts=[alert(scope, kind=kind, counts=counts)]).findings
    assert told in finding.text


def test_a_single_cell_counts_its_daily_checks_since_the_change_and_before():
    row = alert(f"cell:{PROMPT}:gemini", kind="cell_lost", counts=(15, 0))
    story = tell(changes(result("Acme", 60, 60)), alerts=[row])
    assert story.findings[0].text == (
        "For “which anvil is the best one…” on Gemini, Acme was named in 0 of 35 Daily Checks, after 15 of 35."
    )
    assert story.headline == (
        "No clear change. Worth watching: For “which anvil is the…” on Gemini, Acme was named in 0 of 35 Daily "
        "Checks, after 15 of 35."
    )
    (unknown,) = tell_story(None, list_findings(None, brand="Acme", alerts=[row]), "Acme").findings
    assert unknown.text.startswith("For one of your prompts on Gemini, Acme was named")


@pytest.mark.parametrize(
    ("row", "since", "told"),
    [
        (alert(), None, True),
        (alert(state=AlertState.RESOLVED), SINCE, True),
        (alert(state=AlertState.RESOLVED), UNTIL, False),
        (alert(hushed="muted"), SINCE, False),
        (msgspec.structs.replace(alert(), confirmed_at=None), SINCE, False),
    ],
)
def test_only_confirmed_alerts_that_are_open_or_new_are_told(row, since, told):
    assert is_told(row, since) is told


def test_a_change_of_model_is_told_with_its_platform():
    found = changes(
        result("Acme", 60, 52),
        result("gemini", 22, 15, 30, subject="platform"),
        models=(ModelChange("gemini", "g-1", "g-2"),),
        reasons=("model",),
    )
    story = tell(found)
    assert story.findings[0].text == (
        "On Gemini, Acme is named in 15 of 30 answers, down from 22 on 11 Nov. Gemini changed its model to g-2."
    )
    assert story.findings[0].reasons == ("model",)


def test_an_alert_about_a_platform_that_changed_its_model_since_says_so():
    changed = {"models": (ModelChange("gemini", "g-1", "g-2"),), "reasons": ("model",)}
    row = alert("platform:gemini")
    told = tell(changes(result("gemini", 22, 20, 30, subject="platform"), **changed), alerts=[row]).findings[0]
    assert told.text.endswith("on 14 Nov, down from 15. Gemini changed its model to g-2.")
    later = changes(
        result("gemini", 22, 20, 30, subject="platform"),
        since="2026-11-18T09:00:00+00:00",
        until="2026-11-25T09:00:00+00:00",
        **changed,
    )
    assert tell(later, alerts=[row]).findings[0].model is None, "the model changed after the alert"


def test_the_lost_and_the_new_source_that_most_answers_cite_are_told():
    sources = tuple(
        PlatformSourceChange(platform="gemini", site=site, change=change, answers=answers, total=30)
        for site, change, answers in (("a.com", "new", 12), ("b.com", "lost", 8), ("c.com", "lost", 7))
    )
    told = [each for each in tell(changes(result("Acme", 60, 60), sources=sources)).findings if each.site]
    assert [each.text for each in told] == [
        "Gemini no longer cites b.com: 0 of 30 answers, down from 8 on 11 Nov.",
        "Gemini now cites a.com: 12 of 30 answers, up from 0 on 11 Nov.",
    ]


def test_changes_from_before_there_were_tiers_are_at_most_worth_watching():
    """As the commit before stored them."""
    stored = (
        b'{"scan_id":"00000000-0000-0000-0000-000000000002","against_scan_id":"00000000-0000-0000-0000-000000000001",'
        b'"since":"2026-11-11T09:00:00+00:00","until":"2026-11-18T09:00:00+00:00","reasons":[],"established":[{"kind":'
        b'"coverage","subject":null,"before":60,"now":40,"total":129,"delta":-15.5,"low":-24.0,"high":-7.0,"p":0.0009,'
        b'"verdict":"down","gained":3,"lost":23,"prompt_id":null},{"kind":"source","subject":"g2.com","before":1,"now":'
        b'20,"total":129,"delta":14.7,"low":9.0,"high":20.0,"p":0.0001,"verdict":"up","gained":19,"lost":0,'
        b'"prompt_id":null}],"winners":[],"sources":[],"figures":[],"unclear":[],"source_answers":null}'
    )
    story = tell(msgspec.json.decode(stored, type=CheckChanges))
    assert [(each.kind, each.tier) for each in story.findings] == [("brand", "watch")]
    assert story.headline.startswith("No clear change. Worth watching: Overall, Acme is named in 40 of 129 answers")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("tier", ["clear", "watch", "rest"])
def test_a_headline_has_at_most_25_words_whatever_it_names(language, tier):
    kinds = {
        "brand": {},
        "platform": {"platform": "google_ai_overviews"},
        "country": {"country_iso_2": "GB"},
        "prompt": {"prompt_id": PROMPT, "prompt": TEXT},
        "cell": {"prompt_id": PROMPT, "prompt": TEXT, "platform": "google_ai_overviews"},
    }
    with in_language(language):
        periods = ("last_check", "twelve_weeks") if tier == "rest" else ("twelve_weeks", "daily_checks")
        for direction, kind, period in product(("up", "down"), kinds, periods):
            finding = Finding(
                kind=kind,
                tier=tier,
                direction=direction,
                before=1_140,
                before_answers=2_000,
                now=1_320,
                now_answers=2_001,
                period=period,
                since=SINCE,
                **kinds[kind],
            )
            told = describe_headline([finding], changes(result("Acme", 60, 60)), "Acme Anvils")
            assert len(told.split()) <= 25, told


def test_a_prompt_is_cut_no_more_than_a_headline_needs():
    shown = tell(changes(result("Acme", 60, 60), result(str(PROMPT), 9, 1, 9, subject="prompt", tier="clear", p=1e-6)))
    assert (
        shown.headline == "For “which anvil is the best one…”, Acme is named in 1 of 9 answers, down from 9 on 11 Nov."
    )


_REFUSED = {
    "en": r"\b(never|always|gained from|because|thanks to|due to|caused)\b",
    "de": r"\b(nie|niemals|immer|gewonnen von|weil|dank|wegen|aufgrund|verursacht)\b",
}


def test_no_sentence_in_any_language_names_a_cause_or_claims_certainty():
    """Only the effect of an action is measured as one, and its sentences use none of these words either."""
    source = Path(sentences.__file__)
    root = source.parents[2]
    texts = set(re.findall(r'"((?:[^"\\\n]|\\.)*)"', source.read_text()))
    assert any("is named in" in text for text in texts)
    page = (root / "web/templates/app/overview.html").read_text()
    assert [text for text in (*texts, page) if re.search(_REFUSED["en"], text, re.IGNORECASE)] == []
    for catalog in (root / "locales").glob("*/LC_MESSAGES/sightline.po"):
        refused = re.compile(_REFUSED[catalog.parts[-3]], re.IGNORECASE)
        with catalog.open("rb") as file:
            messages = [
                each
                for each in read_po(file)
                if any(place.startswith("insights/findings/") for place, _ in each.locations)
            ]
        assert messages
        assert [each.string for each in messages if refused.search(str(each.string))] == []


def test_findings_are_written_in_the_language_of_the_reader():
    found = changes(result("Acme", 60, 40, tier="clear", p=1e-5))
    with in_language("de"):
        assert (
            tell(found).headline == "Insgesamt wird Acme in 40 von 129 Antworten genannt, weniger als am 11. Nov (60)."
        )
    assert isinstance(tell(found).findings[0], Finding)

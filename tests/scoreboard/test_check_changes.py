"""What changed between two Full Checks: only what is established has a sentence, and chance seldom has one."""

import random
import uuid
from datetime import UTC, datetime

import msgspec

from sightline.answers.models import AnswerAnalysis, Brand, BrandAnalysis, Citation, Occurrence
from sightline.scans.models import Provenance, ScanAnswer, ScanPlan, ScanPrompt
from sightline.scoreboard.check_changes.find import find_changes
from sightline.scoreboard.check_changes.matched_answers import FullCheck
from sightline.scoreboard.check_changes.sentences import (
    describe_changes,
    describe_headline,
    describe_winners,
    list_statements,
)
from sightline.scoreboard.compare import to_comparable_scan

ACME, GLOBEX = Brand("Acme", (), ("acme.com",)), Brand("Globex", (), ("globex.com",))
PLATFORMS = ("chatgpt", "gemini", "perplexity", "claude", "grok", "mistral")
PROMPTS = tuple(ScanPrompt(id=str(uuid.UUID(int=number)), text=f"which anvil is good {number}") for number in range(20))
OCCURRENCE = Occurrence(0, 4, "Acme", "neutral")


def answer(prompt, platform, named, sites, model):
    """Build an answer that names some brands and cites some sites; None is a failed one."""
    origin = Provenance(surface="api", vendor="v", model_asked="m", model_served=model)
    made = {"id": f"{prompt.id} {platform}", "prompt": prompt, "platform": platform, "provenance": origin}
    if named is None:
        return ScanAnswer(status="failed", text="", **made)
    brands = tuple(
        BrandAnalysis(
            name=brand.name,
            mentioned=brand.name in named,
            occurrences=(OCCURRENCE,) * (brand.name in named),
            stance="neutral" if brand.name in named else None,
        )
        for brand in (ACME, GLOBEX)
    )
    citations = tuple(Citation(f"{site}/page", site, site) for site in sites)
    analysis = AnswerAnalysis(
        brands=brands, citations=citations, unresolved=0, n_brands=len(named), rank_source=None, language="en"
    )
    return ScanAnswer(status="ok", text="", analysis=analysis, **made)


def check(number, say, *, cite=lambda prompt, platform: (), model="m-1", prompts=PROMPTS):
    """Build a Full Check; `say` and `cite` get the place of the prompt and the platform."""
    plan = ScanPlan(domain="acme.com", brand=ACME, competitors=(GLOBEX,), prompts=prompts, platforms=PLATFORMS)
    answers = [
        answer(prompt, platform, say(place, platform), cite(place, platform), model)
        for place, prompt in enumerate(prompts)
        for platform in PLATFORMS
    ]
    scan_id = uuid.UUID(int=1_000 + number)
    return FullCheck(
        scan_id=scan_id,
        completed_at=datetime(2026, 11, 9 + 7 * number, 9, tzinfo=UTC),
        plan=plan,
        answers=answers,
        comparable=to_comparable_scan(scan_id, "full_check", plan, answers, metrics_version="1", extractor_version="1"),
    )


def moved(before, now):
    return describe_changes(find_changes(before, now), "Acme")


def nobody(prompt, platform):
    return frozenset()


def test_without_a_change_one_sentence_says_so():
    assert moved(check(0, nobody), check(1, nobody)) == [
        "No significant changes compared with the Full Check of 9 Nov."
    ]


def test_a_platform_that_names_the_brand_more_often_has_a_sentence():
    before = check(0, lambda prompt, platform: {"Acme"} if prompt < 5 else set())
    now = check(1, lambda prompt, platform: {"Acme"} if prompt < (15 if platform == "chatgpt" else 5) else set())
    assert moved(before, now) == [
        "Acme is named in 40 of 120 answers, up from 30 on 9 Nov.",
        "ChatGPT names Acme in 15 of 20 answers, up from 5 on 9 Nov.",
    ]
    assert moved(now, before)[0].startswith("Acme is named in 30 of 120 answers, down from 40")


def test_at_most_three_sentences_and_two_of_a_kind():
    before = check(0, nobody)
    now = check(1, lambda prompt, platform: {"Acme", "Globex"}, cite=lambda prompt, platform: ("g2.com",))
    established = find_changes(before, now).established
    assert {each.kind for each in established} == {
        "coverage",
        "platform",
        "competitor",
        "prompt",
    }  # nobody cited anything before
    assert len(established) == 1 + len(PLATFORMS) + 1 + len(PROMPTS)
    assert [sentence.split(" ")[0] for sentence in moved(before, now)] == ["Acme", "Globex", "ChatGPT"]


def test_the_headline_names_the_change_of_the_brand_and_that_of_a_competitor():
    def say(named):
        return lambda prompt, platform: {name for name, first in named.items() if prompt < first}

    fell = find_changes(check(0, say({"Acme": 12, "Globex": 2})), check(1, say({"Acme": 2, "Globex": 12})))
    assert describe_headline(fell, "Acme") == [
        "Since 9 Nov, the number of answers that name Acme has fallen from 72 of 120 to 12 of 120.",
        "Globex is named in 72 of 120 answers, up from 12 on 9 Nov.",
    ]
    passed = find_changes(check(0, say({"Acme": 2, "Globex": 2})), check(1, say({"Acme": 2, "Globex": 12})))
    assert describe_headline(passed, "Acme") == ["Globex is named in 72 of 120 answers, up from 12 on 9 Nov."]
    quiet = find_changes(check(0, nobody), check(1, nobody))
    assert describe_headline(quiet, "Acme") == ["No significant changes compared with the Full Check of 9 Nov."]


def test_what_chance_may_have_moved_is_listed_apart_with_its_answers():
    before = check(0, lambda prompt, platform: {"Globex"} if prompt < 10 else set())
    now = check(1, lambda prompt, platform: {"Globex"} if 0 < prompt < 10 or platform == "grok" else set())
    changes = find_changes(before, now)
    assert changes.established == ()
    (globex,) = [each for each in changes.unclear if each.kind == "competitor"]
    assert (globex.before, globex.now, globex.gained, globex.lost, globex.verdict) == (60, 65, 10, 5, "no_clear_change")
    assert {each.kind for each in changes.unclear} == {"competitor"}, "what did not move is in neither list"


def test_prompts_whose_answers_changed_on_all_platforms_are_established_if_there_are_several():
    now = check(1, lambda prompt, platform: {"Acme"} if prompt < 10 else set())
    found = [each for each in find_changes(check(0, nobody), now).established if each.kind == "prompt"]
    assert [str(each.prompt_id) for each in found] == [prompt.id for prompt in PROMPTS[:10]]
    sentences = [each.sentence for each in list_statements(find_changes(check(0, nobody), now), "Acme")]
    assert "Acme is named in 6 of 6 answers to “which anvil is good 4”, up from 0 on 9 Nov." in sentences
    alone = check(1, lambda prompt, platform: {"Acme"} if prompt == 4 else set())
    assert {each.kind for each in find_changes(check(0, nobody), alone).established} == {"coverage"}


def test_five_flips_of_many_answers_are_no_change():
    before = check(0, nobody)
    now = check(1, lambda prompt, platform: {"Acme"} if prompt < 5 and platform == "chatgpt" else set())
    assert moved(before, now) == ["No significant changes compared with the Full Check of 9 Nov."]


def test_a_new_model_or_other_prompts_leave_only_platforms_that_compare_exactly():
    every = check(1, lambda prompt, platform: {"Acme"}, model="m-2")
    assert moved(check(0, nobody), every) == [
        "An exact comparison with 9 Nov is not possible: a platform has changed its model."
    ]
    fewer = check(0, nobody, prompts=PROMPTS[:19])
    changes = find_changes(fewer, check(1, lambda prompt, platform: {"Acme"}))
    assert changes.reasons == ("cells",) and changes.established == ()
    broken = check(1, lambda prompt, platform: None if platform == "grok" else {"Acme"})
    changes = find_changes(check(0, nobody), broken)
    assert changes.reasons == ("incomplete_now",)
    assert {each.subject for each in changes.established} == set(PLATFORMS) - {"grok"}


def test_a_site_that_is_cited_more_often_has_a_sentence_and_new_and_lost_sites_are_listed():
    def cite_before(prompt, platform):
        return ("g2.com", "old.com") if prompt < 2 else ("g2.com",)

    def cite_now(prompt, platform):
        if platform == "claude":
            return ("new.com",) if prompt < 6 else ("g2.com",)
        return ("g2.com", "wiki.org")

    changes = find_changes(check(0, nobody, cite=cite_before), check(1, nobody, cite=cite_now))
    assert describe_changes(changes, "Acme")[0] == (
        "wiki.org is cited in 100 of 120 answers with sources, up from 0 on 9 Nov."
    )
    assert {each.subject for each in changes.established} == {"wiki.org", "old.com"}
    listed = [(each.platform, each.site, each.change, each.answers) for each in changes.sources]
    assert ("claude", "new.com", "new", 6) in listed and ("chatgpt", "wiki.org", "new", 20) in listed
    assert not any(site == "old.com" for _, site, _, _ in listed), "two answers are too few"


def test_the_site_of_the_brand_is_no_source_that_changes():
    now = check(1, nobody, cite=lambda prompt, platform: ("acme.com", "g2.com"))
    changes = find_changes(check(0, nobody, cite=lambda prompt, platform: ("wiki.org",)), now)
    sites = {each.subject for each in (*changes.established, *changes.unclear) if each.kind == "source"}
    assert sites == {"g2.com", "wiki.org"}


def test_a_prompt_has_another_winner_only_if_both_leads_are_clear():
    def say_before(prompt, platform):
        return {"Globex"} if prompt < 2 else {"Acme", "Globex"}

    def say_now(prompt, platform):
        if prompt == 0:
            return {"Acme"} if platform != "grok" else {"Globex"}
        if prompt == 1:  # a tie
            return {"Acme"} if platform in PLATFORMS[:3] else {"Globex"}
        return {"Acme", "Globex"}

    (winner,) = find_changes(check(0, say_before), check(1, say_now)).winners
    assert winner.prompt == PROMPTS[0].text
    assert describe_winners(winner) == "Globex (6 of 6) before, Acme (5 of 6) now"


def test_many_prompts_with_another_winner_are_an_established_change():
    before = check(0, lambda prompt, platform: {"Globex"} if platform != "grok" else {"Acme"})
    now = check(1, lambda prompt, platform: {"Acme"} if prompt < 9 or platform == "grok" else {"Globex"})
    (lead,) = [each for each in find_changes(before, now).established if each.kind == "lead"]
    assert (lead.before, lead.now, lead.total, lead.verdict) == (0, 9, 20, "up")


def test_what_changes_by_chance_alone_seldom_has_a_sentence():
    """Every answer is a coin. Of 60 quiet weeks, few have a sentence: about one in twenty in longer simulations."""
    draw = random.Random(18)
    noisy = 0
    for _ in range(60):
        said = [{(prompt, platform): draw.random() for prompt in range(20) for platform in PLATFORMS} for _ in "ab"]
        checks = [
            check(
                number,
                lambda prompt, platform, own=own: {
                    name for name, chance in (("Acme", 0.4), ("Globex", 0.7)) if own[prompt, platform] < chance
                },
                cite=lambda prompt, platform, own=own: ("g2.com",) if own[prompt, platform] < 0.5 else ("wiki.org",),
            )
            for number, own in enumerate(said)
        ]
        noisy += moved(*checks) != ["No significant changes compared with the Full Check of 9 Nov."]
    assert noisy <= 8, noisy


def test_changes_survive_storing():
    found = find_changes(check(0, nobody), check(1, lambda prompt, platform: {"Acme"}))
    assert msgspec.json.decode(msgspec.json.encode(found), type=type(found)) == found

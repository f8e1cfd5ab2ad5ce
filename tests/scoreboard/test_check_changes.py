"""What changed between two Full Checks: what is established, and that chance seldom is."""

import random
import uuid
from datetime import UTC, datetime

import msgspec

from sightline.answers.models import AnswerAnalysis, Brand, BrandAnalysis, Citation, Occurrence
from sightline.scans.models import Provenance, ScanAnswer, ScanPlan, ScanPrompt
from sightline.scoreboard.check_changes.find import find_changes
from sightline.scoreboard.check_changes.matched_answers import FullCheck
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
    """Return the established changes as kind, subject, before and now."""
    found = find_changes(before, now).established
    return [(each.kind, each.subject, each.before, each.now) for each in found]


def nobody(prompt, platform):
    return frozenset()


def test_without_a_change_nothing_is_established():
    assert moved(check(0, nobody), check(1, nobody)) == []


def test_a_platform_that_names_the_brand_more_often_is_established():
    before = check(0, lambda prompt, platform: {"Acme"} if prompt < 5 else set())
    now = check(1, lambda prompt, platform: {"Acme"} if prompt < (15 if platform == "chatgpt" else 5) else set())
    assert moved(before, now) == [("coverage", None, 30, 40), ("platform", "chatgpt", 5, 15)]
    assert moved(now, before)[0] == ("coverage", None, 40, 30)


def test_competitors_are_a_family_of_tests_and_sites_have_no_verdict():
    now = check(1, lambda prompt, platform: {"Acme", "Globex"}, cite=lambda prompt, platform: ("g2.com",))
    before = check(0, nobody, cite=lambda prompt, platform: ("wiki.org",))
    changes = find_changes(before, now)
    assert {each.kind for each in changes.established} == {"coverage", "platform", "competitor", "prompt"}
    assert len(changes.established) == 1 + len(PLATFORMS) + 1 + len(PROMPTS)
    sites = [each for each in changes.unclear if each.kind == "source"]
    assert {(each.subject, each.verdict) for each in sites} == {
        ("g2.com", "no_clear_change"),
        ("wiki.org", "no_clear_change"),
    }


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
    alone = check(1, lambda prompt, platform: {"Acme"} if prompt == 4 else set())
    assert {each.kind for each in find_changes(check(0, nobody), alone).established} == {"coverage"}


def test_five_flips_of_many_answers_are_no_change():
    before = check(0, nobody)
    now = check(1, lambda prompt, platform: {"Acme"} if prompt < 5 and platform == "chatgpt" else set())
    assert moved(before, now) == []


def test_a_new_model_or_other_prompts_leave_only_platforms_that_compare_exactly():
    every = check(1, lambda prompt, platform: {"Acme"}, model="m-2")
    changes = find_changes(check(0, nobody), every)
    assert changes.reasons == ("model",) and changes.established == ()
    assert {(each.platform, each.before, each.now) for each in changes.models} == {
        (platform, "m-1", "m-2") for platform in PLATFORMS
    }
    fewer = check(0, nobody, prompts=PROMPTS[:19])
    changes = find_changes(fewer, check(1, lambda prompt, platform: {"Acme"}))
    assert changes.reasons == ("cells",) and changes.established == ()
    broken = check(1, lambda prompt, platform: None if platform == "grok" else {"Acme"})
    changes = find_changes(check(0, nobody), broken)
    assert changes.reasons == ("incomplete_now",)
    assert {each.subject for each in changes.established} == set(PLATFORMS) - {"grok"}


def test_sites_have_no_verdict_and_new_and_lost_ones_are_listed():
    def cite_before(prompt, platform):
        return ("g2.com", "old.com") if prompt < 2 else ("g2.com",)

    def cite_now(prompt, platform):
        if platform == "claude":
            return ("new.com",) if prompt < 6 else ("g2.com",)
        return ("g2.com", "wiki.org")

    changes = find_changes(check(0, nobody, cite=cite_before), check(1, nobody, cite=cite_now))
    assert changes.established == ()
    assert {each.subject for each in changes.unclear} >= {"wiki.org", "old.com"}
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
    assert (winner.before.name, winner.before.named, winner.now.name, winner.now.named) == ("Globex", 6, "Acme", 5)


def test_many_prompts_with_another_winner_are_an_established_change():
    before = check(0, lambda prompt, platform: {"Globex"} if platform != "grok" else {"Acme"})
    now = check(1, lambda prompt, platform: {"Acme"} if prompt < 9 or platform == "grok" else {"Globex"})
    (lead,) = [each for each in find_changes(before, now).established if each.kind == "lead"]
    assert (lead.before, lead.now, lead.total, lead.verdict) == (0, 9, 20, "up")


def test_what_changes_by_chance_alone_is_seldom_established():
    """Every answer is a coin. About one quiet week in twenty has an established change in long simulations."""
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
        noisy += moved(*checks) != []
    assert noisy <= 8, noisy


def test_changes_survive_storing():
    found = find_changes(check(0, nobody), check(1, lambda prompt, platform: {"Acme"}))
    assert msgspec.json.decode(msgspec.json.encode(found), type=type(found)) == found

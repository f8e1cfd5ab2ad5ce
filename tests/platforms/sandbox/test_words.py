"""The language files: every sentence can be filled, and every sector is recognized by its own words."""

import msgspec
import pytest

from sightline.platforms.sandbox.market import UNKNOWN, SandboxRival, Subject, build_market, find_sector, sectors
from sightline.platforms.sandbox.phrasebook import OWN_ASPECTS, list_slots, load_phrasebook
from sightline.platforms.sandbox.prompts import LANGUAGES, interpret_prompt, suggest_prompts
from tests.platforms.sandbox.samples import ACME

SLOTS = {*"abrsfgduvpoqPQtw", "cats", "list", "tp"}
ROLES = {
    *(
        "open",
        "entry",
        "another",
        "tail",
        "use",
        "drawback",
        "contrast",
        "discourage",
        "derived",
        "others",
        "verdict",
        "guide",
    ),
    *("criteria", "offer", "refuse", "short_named", "short_unnamed", "code_lead", "unknown", "cmp_open", "cmp_side"),
    *("cmp_pick", "review_open", "review_close", "echo", "ask", "ask_pair"),
}
ENGLISH_ROLES = {"open_price", "open_problems", "open_choosing"}
REAL = [name for name in sectors() if name != UNKNOWN]


def list_wordings(aspect):
    return [phrase for options in msgspec.structs.astuple(aspect)[1:] for phrase in options]


def slot_names(template):
    return set(list_slots(template))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_file_covers_every_sector(language):
    for sector in (*REAL, UNKNOWN):
        words = load_phrasebook(language, sector)
        assert set(words.sentences) == (ROLES | ENGLISH_ROLES if language == "en" else ROLES), sector
        assert len(words.aspects) == (11 if language == "en" else 9), sector
        assert all(aspect.praise for aspect in words.aspects[: 2 * OWN_ASPECTS]), sector
        assert sum(bool(aspect.criticism) for aspect in words.aspects) >= 4, sector
        assert len(set(words.uses)) == 3, sector
        wordings = [phrase for aspect in words.aspects for phrase in list_wordings(aspect)]
        assert len(set(wordings)) == len(wordings), sector
        for phrase in (*wordings, *words.uses, words.category, words.singular):
            assert phrase and phrase == phrase.strip() and not phrase.endswith("."), sector


@pytest.mark.parametrize("sector", [*REAL, UNKNOWN])
def test_english_says_everything_in_several_ways(sector):
    for aspect in load_phrasebook("en", sector).aspects:
        assert all(len(options) >= 2 for options in msgspec.structs.astuple(aspect)[1:]), aspect.name
        assert all(phrase[0].islower() or phrase[:2].isupper() or phrase[0].isdigit() for phrase in aspect.praise)


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_have_known_slots_and_the_names_that_their_role_needs(language):
    words = load_phrasebook(language, "crm")
    for role, templates in words.sentences.items():
        assert len(templates) >= 2 or role == "ask_pair", role
        for template in templates:
            assert slot_names(template) <= SLOTS, (role, template)
            assert "<" not in template and template.count("{") == len(list_slots(template)) and "  " not in template
    needs = {
        "entry": {"b"},
        "another": {"b"},
        "contrast": {"b", "r"},
        "discourage": {"b", "d", "u"},
        "derived": {"b", "r"},
        "others": {"list"},
        "verdict": {"r"},
        "short_named": {"b", "r"},
        "unknown": {"b"},
        "cmp_open": {"a", "b"},
        "cmp_pick": {"a", "b"},
        "cmp_side": {"b"},
        "review_open": {"b"},
        "review_close": {"b"},
        "ask_pair": {"r", "s", "cats"},
    }
    for role, wanted in needs.items():
        assert all(wanted <= slot_names(template) for template in words.sentences[role]), role
    for templates in words.web.values():
        assert all(template.count("{") == len(list_slots(template)) for template in templates)
    for role in ("tail", "use", "drawback", "open", "guide", "criteria", "offer", "refuse", "echo", "code_lead"):
        assert not any(slot_names(template) & {"a", "b", "r", "s", "list"} for template in words.sentences[role]), role


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sector_is_recognized_by_its_own_name(language):
    found = {sector: find_sector(load_phrasebook(language, sector).category) for sector in REAL}
    assert found == {sector: sector for sector in REAL}


# Suggestions


@pytest.mark.parametrize("language", LANGUAGES)
def test_ten_different_unbranded_questions_of_the_sector(language):
    for number in range(25):
        subject = Subject(f"brand{number}.com", f"Brand{number}", (SandboxRival("Globex", "globex.com"),))
        market = build_market(subject)
        prompts = suggest_prompts(subject, language)
        assert len(prompts) == len(set(prompts)) == 10
        for prompt in prompts:
            intent = interpret_prompt(market, prompt)
            assert not intent.named and not intent.pair
            assert intent.sector == market.sector, prompt
            assert 10 <= len(prompt) <= 200 and prompt[-1] in "?\uff1f" and "{" not in prompt


def test_more_suggestions_extend_the_same_list():
    assert suggest_prompts(ACME, "en", 20)[:10] == suggest_prompts(ACME, "en")
    assert len(set(suggest_prompts(ACME, "en", 20))) == 20
    assert suggest_prompts(ACME, "en", 3) == suggest_prompts(ACME, "en")[:3]


def test_languages_differ_and_unknown_ones_get_english():
    assert len({suggest_prompts(ACME, language)[0] for language in LANGUAGES}) == len(LANGUAGES)
    assert suggest_prompts(ACME, "sv") == suggest_prompts(ACME, "en")


def test_suggestions_leave_out_a_brand_named_like_its_sector():
    subject = Subject("hotelchains.com", "hotel chains")
    prompts = suggest_prompts(subject, "en")
    assert not any("hotel chains" in prompt for prompt in prompts)

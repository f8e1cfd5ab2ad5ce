"""Suggested prompts: what people would ask in the sector of a domain. None of them names a brand."""

from datetime import date

import msgspec

from sightline.platforms.sandbox.market import Subject, build_market
from sightline.platforms.sandbox.phrasebook import OWN_ASPECTS, load_phrasebook
from sightline.platforms.sandbox.prompt_intent import LANGUAGES, interpret_prompt
from sightline.platforms.sandbox.seeded_random import SeededRandom
from sightline.platforms.sandbox.sentences import SentenceWriter

_ANY_DAY = date(2026, 1, 1)  # questions speak of no brand, so no day changes them


def suggest_prompts(subject: Subject, language: str, count: int = 10) -> tuple[str, ...]:
    """Return `count` different questions: informational, comparing and buying ones in turn.

    Other languages get English ones. The first ones stay the same if more are requested. There are fewer only if the
    sector's questions are used up (after about forty).
    """
    market = build_market(subject)
    words = load_phrasebook(language if language in LANGUAGES else "en", market.sector)
    rng = SeededRandom("suggest", market.key, words.language)
    # Only aspects of the sector: those of its whole family would fit any.
    own = msgspec.structs.replace(words, aspects=words.aspects[:OWN_ASPECTS])
    writer = SentenceWriter(own, market.key, rng, _ANY_DAY)
    found: dict[str, None] = {}
    for _ in range(8):
        for template in words.questions:
            prompt = writer.write_question(template)
            if not interpret_prompt(market, prompt).named:  # a brand may have the name of a word of its sector
                found.setdefault(prompt)
            if len(found) >= count:
                return tuple(found)[:count]
    return tuple(found)

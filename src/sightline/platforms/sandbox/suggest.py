"""Prompts to start with: what people would ask in the sector of a domain. None of them names a brand."""

import msgspec

from sightline.platforms.sandbox.dice import Dice
from sightline.platforms.sandbox.lexicon import FEATURES, words_of
from sightline.platforms.sandbox.market import Subject, market_of
from sightline.platforms.sandbox.question import LANGUAGES, read_prompt
from sightline.platforms.sandbox.speech import Speech


def suggest_prompts(subject: Subject, language: str, count: int = 10) -> tuple[str, ...]:
    """`count` different questions: informational, comparing and buying ones in turn. English for other languages.

    The first ones stay the same when more are asked for. Fewer come back only when the sector's questions are used up
    (after about forty).
    """
    market = market_of(subject)
    words = words_of(language if language in LANGUAGES else "en", market.sector)
    dice = Dice("suggest", market.key, words.language)
    # What distinguishes the sector; what its whole family is praised for would be asked of any.
    own = msgspec.structs.replace(words, features=words.features[: FEATURES // 2])
    speech = Speech(own, market.key, dice)
    found: dict[str, None] = {}
    for _ in range(8):
        for template in words.ask:
            prompt = speech.ask(template)
            if not read_prompt(market, prompt).named:  # a brand may be called like a word of its sector
                found.setdefault(prompt)
            if len(found) >= count:
                return tuple(found)[:count]
    return tuple(found)

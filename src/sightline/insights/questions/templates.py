"""Questions about a market that need no aspect: rivals, uses, and the stages of a purchase. English only. Pure."""

import re
from typing import Literal

from sightline.insights.questions.market_nouns import MarketNoun

Stage = Literal["learn", "compare", "choose", "use", "switch"]
STAGES: tuple[Stage, ...] = ("learn", "compare", "choose", "use", "switch")

# The first stage whose words occur in a prompt is its stage.
_STAGES: tuple[tuple[Stage, re.Pattern[str]], ...] = (
    (
        "switch",
        re.compile(
            r"\b(?:alternatives?|switch\w*|replac\w+|migrat\w+|upgrad\w+|instead of|mov(?:e|ing) from|cancel\w*)"
        ),
    ),
    (
        "compare",
        re.compile(r"\b(?:vs\.?|versus|compar\w+|difference|differ|better than|better: )|\bis \w+ better\b|\w or \w"),
    ),
    (
        "use",
        re.compile(
            r"\b(?:how (?:to|do i|can i|often|long)\b(?! (?:choose|pick|select|find|buy))|clean\w*|maintain\w*|"
            r"maintenance|repair\w*|fix\w*|set up|last (?:the )?long\w*|problems?|complain\w*|"
            r"customers? recommend|still recommend|how loud|after a year)"
        ),
    ),
    (
        "learn",
        re.compile(
            r"\b(?:what (?:is|are|does|do|makes)\b(?!.{0,12}\b(?:best|top|good)\b)|what(?:'s)? (?:to|should i) look|"
            r"how (?:do|does)\b|how (?:to|do i|should i) (?:choose|pick|select|find|buy)|guide|types? of|kinds? of|"
            r"what matters|worth it|why\b|do i need)"
        ),
    ),
    (
        "choose",
        re.compile(
            r"\b(?:best|top|which|recommend\w*|looking for|shopping for|should i (?:buy|get|choose)|help me|need an?|"
            r"cheap\w*|affordable|under|below|good|budget|buy)\b"
        ),
    ),
)


def find_stage(prompt: str) -> Stage | None:
    """Return the stage of a purchase at which people ask this, or None if its words do not show it."""
    folded = prompt.casefold().replace("\u2019", "'")
    return next((stage for stage, pattern in _STAGES if pattern.search(folded)), None)


def ask_at_stage(stage: Stage, noun: MarketNoun) -> str | None:
    """Return a question of that stage which invites an answer to name brands.

    Switching needs the name of a rival: `ask_for_alternatives` words it.
    """
    if stage == "learn":
        return f"What matters most when choosing {noun.with_article}, and which brands stand out?"
    if stage == "choose":
        return f"Which {noun.text}{noun.limit} {'offer' if noun.is_plural else 'offers'} the best value for money?"
    if stage == "compare":
        return (
            f"How do the leading {noun.plural if noun.is_provider else f'brands of {noun.plural}{noun.limit}'} compare?"
        )
    if stage == "use":
        return f"Which {noun.plural}{noun.limit} do customers recommend most?"
    return None


def ask_for_best(noun: MarketNoun) -> str:
    return f"What {'are' if noun.is_plural else 'is'} the best {noun.text}{noun.limit}?"


def ask_for_brands(noun: MarketNoun) -> str:
    """Return the plainest question that asks for brands, for a prompt whose answers name none."""
    return (
        f"Which {noun.plural}{noun.limit} are the best?"
        if noun.is_provider
        else f"Which brands make the best {noun.plural}{noun.limit}?"
    )


def ask_for_rivals(one: str, other: str, noun: MarketNoun, use: str | None) -> str:
    names, purpose = (f"{one} or {other}", "") if use is None else (f"{one} vs {other}", f" for {use}")
    if noun.is_provider:
        return f"{names}: which is the better {noun.singular}{purpose}?"
    return f"{names}: which {noun.text}{noun.limit} {'are' if noun.is_plural else 'is'} better{purpose}?"


def ask_for_alternatives(rival: str, noun: MarketNoun) -> str:
    if noun.number == "mass":
        return f"Which {noun.text}{noun.limit} is a good alternative to {rival}?"
    return f"Which {noun.plural}{noun.limit} are good alternatives to {rival}?"


def ask_for_use(use: str, noun: MarketNoun) -> str:
    return f"Which {noun.text}{noun.limit} {'are' if noun.is_plural else 'is'} best for {use}?"

"""Better wordings for the prompts of a domain whose answers name nobody."""

import asyncio
import re
import uuid
from collections.abc import Mapping, Sequence

from sightline.answers.characters import fold
from sightline.db.engine import Reader
from sightline.insights.questions.aspects import ask_for_aspect, find_mentioned_aspects
from sightline.insights.questions.market_nouns import MarketNoun, NounPrompt, contains_phrase, find_market_nouns
from sightline.insights.questions.templates import ask_for_brands, ask_for_use
from sightline.insights.questions.uses import is_use
from sightline.metrics.suggestions import is_near_duplicate
from sightline.prompts.measures_nothing import measures_nothing
from sightline.prompts.models import PromptRow
from sightline.prompts.read import list_tracked_prompts

_ENGLISH = "en"


async def read_better_prompts(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, rows: Sequence[PromptRow]
) -> Mapping[uuid.UUID, str]:
    """Return a better wording for each of these prompts that measures nothing, where there is one."""
    nothing = [NounPrompt(str(row.id), row.prompt) for row in rows if measures_nothing(row) and _is_english(row)]
    if not nothing:
        return {}
    tracked = [
        NounPrompt(str(prompt.id), prompt.prompt)
        for prompt in await list_tracked_prompts(db, workspace_id, domain_id)
        if prompt.language_code == _ENGLISH
    ]
    found = await asyncio.to_thread(word_better_prompts, nothing, tracked)
    return {uuid.UUID(prompt_id): text for prompt_id, text in found.items()}


def _is_english(row: PromptRow) -> bool:
    return row.language_code == _ENGLISH


_FOR = re.compile(r"\bfor ([a-z][a-z -]*?)\s*(?=[.,?!]|$)")


def word_better_prompts(nothing: Sequence[NounPrompt], tracked: Sequence[NounPrompt]) -> Mapping[str, str]:
    """Return a better wording by the id of the prompt, where there is one that is not tracked yet.

    `tracked` are all English prompts of the domain: their shared nouns say what the market sells.
    """
    nouns = find_market_nouns(tracked)
    known = [prompt.text for prompt in tracked]
    found: dict[str, str] = {}
    for prompt in nothing:
        noun = _find_noun(prompt, nouns)
        if noun is None:
            continue
        better = next((text for text in _word(prompt.text, noun) if not is_near_duplicate(text, known)), None)
        if better is not None:
            found[prompt.id] = better
    return found


def _find_noun(prompt: NounPrompt, nouns: Sequence[MarketNoun]) -> MarketNoun | None:
    """Return the noun that the prompt is about, else the commonest of the market."""
    heads = ((noun, noun.text.rsplit(" ", 1)[-1]) for noun in nouns)
    about = next((noun for noun, head in heads if contains_phrase(prompt.text, head)), None)
    return about or (nouns[0] if nouns else None)


def _word(text: str, noun: MarketNoun) -> list[str]:
    """Return the questions from the closest to the plainest: the aspect or the use of the prompt, then brands."""
    folded = fold(text)
    aspects = sorted(find_mentioned_aspects(folded), key=lambda aspect: (-len(aspect), aspect))
    asked = [worded[1] for aspect in aspects if (worded := ask_for_aspect(aspect, noun)) is not None]
    uses = [match[1] for match in _FOR.finditer(folded) if is_use(match[1])]
    return [*asked, *(ask_for_use(use, noun) for use in uses), ask_for_brands(noun)]

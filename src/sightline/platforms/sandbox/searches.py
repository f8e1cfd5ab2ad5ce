"""The searches that a platform makes for a question."""

import re
from collections.abc import Sequence
from datetime import date

from sightline.platforms.sandbox.market import MarketBrand
from sightline.platforms.sandbox.phrasebook import Phrasebook, fill_template
from sightline.platforms.sandbox.seeded_random import SeededRandom

_LONGEST = 80  # characters
# What people write in a question and leave out of a search: first at its start, then anywhere.
_ASKING = re.compile(r"^(?:(?:what|who|where|when|how|much|many|can|could|should|would|i|we|you)\b\s*)+", re.IGNORECASE)
_GRAMMAR = re.compile(r"\b(?:which|are|is|do|does|have|has|the|a|an)\b\s*", re.IGNORECASE)


def draw_searches(
    prompt: str, words: Phrasebook, rivals: Sequence[MarketBrand], day: date, rng: SeededRandom
) -> tuple[str, ...]:
    """Draw one to four searches: the question in keywords first, then what belongs to it."""
    first, second = rng.shuffled(rivals)[:2] if len(rivals) > 1 else (None, None)
    slots = {
        "cats": words.category,
        "comparison": words.labels.comparison,
        "reviews": words.labels.reviews,
        "year": str(day.year),
        "u": rng.pick(words.uses),
        "t": rng.pick(words.aspects).name,
        **({"r": first.name, "s": second.name} if first and second else {}),
    }
    fitting = [template for template in words.searches if set(template[1::2]) <= set(slots)]
    others = [fill_template(template, slots) for template in rng.shuffled(fitting)]
    found = dict.fromkeys(query for query in (_to_keywords(prompt, words.language), *others) if query)
    return tuple(found)[: rng.between(1, 4)]


def _to_keywords(prompt: str, language: str) -> str:
    asked = " ".join(prompt.split()).rstrip("?\uff1f!. ")
    if language == "en":
        asked = _GRAMMAR.sub("", _ASKING.sub("", asked)).strip() or asked
    return asked[:_LONGEST].strip()

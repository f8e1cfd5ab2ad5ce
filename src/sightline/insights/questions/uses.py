"""Uses that answers recommend products for: "ideal for small kitchens", "best for running". English only. Pure."""

import re
from collections.abc import Iterable

from sightline.answers.english_nouns import find_number
from sightline.answers.word_lists import read_list

MAX_WORDS = 3
# What an answer recommends something for, up to the end of the phrase.
_RECOMMENDED_FOR = re.compile(
    r"\b(?:best|better|ideal|great|perfect|good|excellent|suited|suitable|fantastic|recommended|well-suited|pick|choice)"
    r"\s+for:?\s+((?:[a-z][a-z-]*\s+){0,2}[a-z][a-z-]*)\s*(?=[.,;:!?)\x1a\n]|$|\band\b|\bor\b|\bwho\b|\bbecause\b|\bwith\b)"
)
_USES = read_list("question_wording", "uses without a plural")
_ENDS = read_list("question_wording", "ends of a use")
_EMPTY = read_list("question_wording", "empty uses")


def find_uses(texts: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """Return the uses that answers name, each with the ids of its answers. `texts` are ids and prose in lower case."""
    found: dict[str, set[str]] = {}
    for answer_id, prose in texts:
        for match in _RECOMMENDED_FOR.finditer(prose):
            use = " ".join(match[1].split())
            if is_use(use):
                found.setdefault(use, set()).add(answer_id)
    return found


def is_use(use: str) -> bool:
    """Return whether the phrase stands on its own after "best for": a plural, an activity or a known use."""
    words = use.split()
    if not 0 < len(words) <= MAX_WORDS or words[0] in _EMPTY or (words[-1] in _EMPTY and len(words) == 1):
        return False
    if any(word in read_list("stop_words", "en") and word not in _ENDS for word in words):
        return False
    if any(word.endswith("-style") for word in words):
        return False  # reviewers' jargon: "cadence-style runners"
    last = words[-1]
    if last in _ENDS:
        return len(words) > 1 or last in _USES
    return last in _USES or find_number(last) == "plural" or (last.endswith("ing") and len(last) > 5)

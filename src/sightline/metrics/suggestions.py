"""Prompt suggestions (metrics 1.12): which are new, which come first, and a varied choice of them.

Candidates are found in `insights/`.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import msgspec

DUPLICATE_FROM = 0.8
DEMAND, NOVELTY, GAP = 0.4, 0.3, 0.3
MAX_PER_TEMPLATE = 2


class PromptCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt that may be suggested. Demand, novelty and gap are shares from 0 to 1.

    `origin` says where it comes from; candidates of one `template` differ only in names.
    """

    text: str
    demand: float
    novelty: float
    gap: float
    branded: bool = False
    off_topic: bool = False
    origin: str = ""
    template: str = ""


class RankedPrompt(msgspec.Struct, frozen=True):
    """A suggested prompt and its priority."""

    candidate: PromptCandidate
    priority: float


def find_similarity(one: str, other: str) -> float:
    """Return the Jaccard index of the character trigrams, ignoring case, width and white space; 1 for the same text."""
    left, right = find_trigrams(one), find_trigrams(other)
    return len(left & right) / len(left | right)


def is_near_duplicate(text: str, known: Iterable[str]) -> bool:
    return any(find_similarity(text, other) >= DUPLICATE_FROM for other in known)


def prioritize_prompt(demand: float, novelty: float, gap: float) -> float:
    return 100 * (DEMAND * demand + NOVELTY * novelty + GAP * gap)


def rank_suggestions(
    candidates: Sequence[PromptCandidate],
    known: Sequence[str],
    *,
    is_duplicate: Callable[[str, Sequence[str]], bool] = is_near_duplicate,
) -> tuple[RankedPrompt, ...]:
    """Rank the suggestions, best first, without branded, off-topic and near-duplicate ones.

    Of two near-duplicates the better one stays. At most two of a named template stay.
    """
    ranked = [
        RankedPrompt(candidate, prioritize_prompt(candidate.demand, candidate.novelty, candidate.gap))
        for candidate in candidates
        if not candidate.branded and not candidate.off_topic
    ]
    chosen: list[RankedPrompt] = []
    templates: Counter[str] = Counter()
    for prompt in sorted(ranked, key=lambda prompt: (-prompt.priority, prompt.candidate.text)):
        template = prompt.candidate.template
        if template and templates[template] >= MAX_PER_TEMPLATE:
            continue
        if not is_duplicate(prompt.candidate.text, [*known, *(other.candidate.text for other in chosen)]):
            chosen.append(prompt)
            templates[template] += 1
    return tuple(chosen)


def choose_varied(ranked: Sequence[RankedPrompt], limit: int) -> tuple[RankedPrompt, ...]:
    """Return the best ones up to the limit, at most half of them from one origin if there are others."""
    origins = Counter(prompt.candidate.origin for prompt in ranked)
    if len(origins) < 2:
        return tuple(ranked[:limit])
    count = max(origins.values())
    # If the others are too few to fill half, the most common origin gets at most as many places as they do.
    most = min(limit // 2, max(1, len(ranked) - count))
    taken: Counter[str] = Counter()
    chosen: list[RankedPrompt] = []
    for prompt in ranked:
        origin = prompt.candidate.origin
        if len(chosen) < limit and taken[origin] < most:
            chosen.append(prompt)
            taken[origin] += 1
    return tuple(chosen)


def find_trigrams(text: str) -> frozenset[str]:
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    # A text of fewer than three characters is its only trigram.
    return frozenset(folded[start : start + 3] for start in range(max(1, len(folded) - 2)))

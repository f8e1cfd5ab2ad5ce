"""Prompt suggestions (metrics 1.12): which are new, and which come first. Candidates are found in `insights/`."""

import unicodedata
from collections.abc import Iterable, Sequence

import msgspec

DUPLICATE_FROM = 0.8
DEMAND, NOVELTY, GAP = 0.4, 0.3, 0.3


class PromptCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt that may be suggested. Demand, novelty and gap are shares from 0 to 1."""

    text: str
    demand: float
    novelty: float
    gap: float
    branded: bool = False
    off_topic: bool = False


class RankedPrompt(msgspec.Struct, frozen=True):
    """A suggested prompt and its priority."""

    candidate: PromptCandidate
    priority: float


def find_similarity(one: str, other: str) -> float:
    """Return the Jaccard index of the character trigrams, ignoring case, width and white space; 1 for the same text."""
    left, right = _trigrams(one), _trigrams(other)
    return len(left & right) / len(left | right)


def is_near_duplicate(text: str, known: Iterable[str]) -> bool:
    return any(find_similarity(text, other) >= DUPLICATE_FROM for other in known)


def prioritize_prompt(demand: float, novelty: float, gap: float) -> float:
    return 100 * (DEMAND * demand + NOVELTY * novelty + GAP * gap)


def rank_suggestions(candidates: Sequence[PromptCandidate], known: Sequence[str]) -> tuple[RankedPrompt, ...]:
    """Rank the suggestions, best first, without branded, off-topic and near-duplicate ones.

    Of two near-duplicates the better one stays.
    """
    ranked = [
        RankedPrompt(candidate, prioritize_prompt(candidate.demand, candidate.novelty, candidate.gap))
        for candidate in candidates
        if not candidate.branded and not candidate.off_topic
    ]
    chosen: list[RankedPrompt] = []
    for prompt in sorted(ranked, key=lambda prompt: (-prompt.priority, prompt.candidate.text)):
        taken = [*known, *(other.candidate.text for other in chosen)]
        if not is_near_duplicate(prompt.candidate.text, taken):
            chosen.append(prompt)
    return tuple(chosen)


def _trigrams(text: str) -> frozenset[str]:
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    # A text of fewer than three characters is its only trigram.
    return frozenset(folded[start : start + 3] for start in range(max(1, len(folded) - 2)))

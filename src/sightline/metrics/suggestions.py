"""Prompt suggestions (metrics 1.12): what is new, and what comes first. Finding candidates is in `insights/`."""

import unicodedata
from collections.abc import Iterable, Sequence

import msgspec

DUPLICATE_FROM = 0.8
DEMAND, NOVELTY, GAP = 0.4, 0.3, 0.3


class PromptCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """Demand, novelty and gap are shares from 0 to 1."""

    text: str
    demand: float
    novelty: float
    gap: float
    branded: bool = False
    off_topic: bool = False


class RankedPrompt(msgspec.Struct, frozen=True):
    candidate: PromptCandidate
    priority: float


def find_likeness(one: str, other: str) -> float:
    """Jaccard of the character 3-grams, blind to case, width and white space; 1 for the same text."""
    left, right = _grams(one), _grams(other)
    return len(left & right) / len(left | right)


def is_near_duplicate(text: str, known: Iterable[str]) -> bool:
    return any(find_likeness(text, other) >= DUPLICATE_FROM for other in known)


def prioritize_prompt(demand: float, novelty: float, gap: float) -> float:
    return 100 * (DEMAND * demand + NOVELTY * novelty + GAP * gap)


def rank_suggestions(candidates: Sequence[PromptCandidate], known: Sequence[str]) -> tuple[RankedPrompt, ...]:
    """Best first, without branded, off-topic and near-duplicate ones; of two alike the better one stays."""
    ranked = [
        RankedPrompt(candidate, prioritize_prompt(candidate.demand, candidate.novelty, candidate.gap))
        for candidate in candidates
        if not candidate.branded and not candidate.off_topic
    ]
    kept: list[RankedPrompt] = []
    for prompt in sorted(ranked, key=lambda prompt: (-prompt.priority, prompt.candidate.text)):
        taken = [*known, *(other.candidate.text for other in kept)]
        if not is_near_duplicate(prompt.candidate.text, taken):
            kept.append(prompt)
    return tuple(kept)


def _grams(text: str) -> frozenset[str]:
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    # A text of fewer than three characters is its own only gram.
    return frozenset(plain[start : start + 3] for start in range(max(1, len(plain) - 2)))

"""Competitors found in answers (metrics 4): the score of a candidate from its counts.

Candidates are suggested and never tracked automatically.
"""

import math
from collections.abc import Sequence
from typing import Literal

import msgspec

CandidateKind = Literal["competitor", "source", "too_rare", "unproven"]

MIN_ANSWERS = 3
MIN_PROMPTS = 2
SOURCE_BELOW = 0.1


class CompetitorCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """A name found in answers and its counts. Generic heads ("Pros", "Price") are already removed."""

    name: str
    domain: str | None = None
    rank_weight: float
    """Sum of g(rank) over the answers that name it."""
    answers: int
    """Answers that name it."""
    prompts: int
    platforms: int
    cited: int = 0
    """Answers that cite its domain."""
    products: tuple[str, ...] = ()
    """Names of its products in the answers, most frequent first."""
    lines: tuple[str, ...] = ()
    """Names that answers also use alone for its products: "Swift" for "Acme Swift"."""
    found_as: str | None = None
    """What answers present, where `name` is the whole name."""
    sure: bool = True
    """Whether a site or products of its own, or the brands that it is listed with, prove that it is a maker."""


class CompetitorSuggestion(msgspec.Struct, frozen=True):
    """A candidate that is suggested as a competitor."""

    candidate: CompetitorCandidate
    score: float


def score_competitor(rank_weight: float, prompts: int, platforms: int) -> float:
    """Score a candidate: named early, for many prompts, and on several platforms."""
    return rank_weight * math.log2(1 + prompts) * (1 + platforms) / 2


def classify_candidate(candidate: CompetitorCandidate) -> CandidateKind:
    """Classify a candidate. A site that is cited but hardly named is a source, never a competitor."""
    if candidate.cited and candidate.answers / candidate.cited < SOURCE_BELOW:
        return "source"
    frequent = candidate.answers >= MIN_ANSWERS and candidate.prompts >= MIN_PROMPTS
    if not frequent:
        return "too_rare"
    return "competitor" if candidate.sure else "unproven"


def rank_competitors(
    candidates: Sequence[CompetitorCandidate], *, are_known: bool = False
) -> tuple[CompetitorSuggestion, ...]:
    """Return the candidates that are competitors, highest score first. Known ones may be rare."""
    found = [
        CompetitorSuggestion(candidate, score_competitor(candidate.rank_weight, candidate.prompts, candidate.platforms))
        for candidate in candidates
        if are_known or classify_candidate(candidate) == "competitor"
    ]
    return tuple(sorted(found, key=lambda suggestion: (-suggestion.score, suggestion.candidate.name)))

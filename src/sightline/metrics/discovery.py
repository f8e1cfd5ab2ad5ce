"""Who else is in the market (metrics 4): a candidate's score from its counts. Suggested, never tracked by itself."""

import math
from collections.abc import Sequence
from typing import Literal

import msgspec

Judgement = Literal["competitor", "source", "too_rare"]

FEWEST_ANSWERS = 3
FEWEST_PROMPTS = 2
FEWEST_PLATFORMS = 2
ENOUGH_ON_ONE_PLATFORM = 5
SOURCE_BELOW = 0.1


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A name found in answers, with what else is known of it; generic heads ("Pros", "Price") are already gone."""

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


class Suggestion(msgspec.Struct, frozen=True):
    candidate: Candidate
    score: float


def score_competitor(rank_weight: float, prompts: int, platforms: int) -> float:
    """Named early counts; named for many questions and on several platforms counts more."""
    return rank_weight * math.log2(1 + prompts) * (1 + platforms) / 2


def judge_candidate(candidate: Candidate) -> Judgement:
    """A site that is cited but hardly named is read, not bought: a source, never a competitor."""
    if candidate.cited and candidate.answers / candidate.cited < SOURCE_BELOW:
        return "source"
    spread = candidate.platforms >= FEWEST_PLATFORMS or candidate.answers >= ENOUGH_ON_ONE_PLATFORM
    frequent = candidate.answers >= FEWEST_ANSWERS and candidate.prompts >= FEWEST_PROMPTS
    return "competitor" if frequent and spread else "too_rare"


def rank_competitors(candidates: Sequence[Candidate]) -> tuple[Suggestion, ...]:
    found = [
        Suggestion(candidate, score_competitor(candidate.rank_weight, candidate.prompts, candidate.platforms))
        for candidate in candidates
        if judge_candidate(candidate) == "competitor"
    ]
    return tuple(sorted(found, key=lambda suggestion: (-suggestion.score, suggestion.candidate.name)))

"""Opportunities (metrics 6): prompts where rivals are named, the brand is not, and the answer can be won."""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from statistics import fmean

import msgspec

DEMAND, GAP, WINNABILITY = 0.3, 0.4, 0.3
MIN_WINNABILITY = 0.2
LOW_EVIDENCE_BELOW = 3
# An unknown factor neither helps nor hurts.
UNKNOWN = 0.5


class PromptEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """The evidence on one unbranded prompt in one country."""

    prompt_id: str
    country: str | None = None
    volume: float | None = None
    valid: int
    gap_answers: int
    """Valid answers that name a rival, tracked or discovered, and not the brand."""
    citations: Mapping[str, int] = msgspec.field(default_factory=dict)
    """Citations by registrable domain."""
    winnable_citations: int = 0
    """Citations of reviews, lists, forums, news and video, not of competitors, encyclopedias or governments."""
    brand_sets: tuple[frozenset[str], ...] = ()
    """The brands that each repeat of the answer names."""
    answer_ids: tuple[str, ...] = ()


class RankedOpportunity(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt where the brand can gain mentions, with the factors of its score."""

    prompt_id: str
    country: str | None
    score: float
    demand: float | None
    """None where no search volume is known."""
    gap: float
    winnability: float
    low_evidence: bool
    answer_ids: tuple[str, ...]


def demand_factor(volume: float, highest: float) -> float:
    """Return D on a log scale, because demand spans powers of ten."""
    return math.log1p(volume) / math.log1p(highest) if highest > 0 else 0.0


def find_openness(citations: Collection[int]) -> float:
    """Return F: one minus the Herfindahl index of the cited domains; 0 if one domain owns the answer."""
    total = sum(citations)
    return 1 - math.fsum((count / total) ** 2 for count in citations) if total else UNKNOWN


def find_variability(brand_sets: Sequence[frozenset[str]]) -> float:
    """Return V: how much the named brands differ between repeats. An answer that changes can be changed."""
    if len(brand_sets) < 2:
        return UNKNOWN
    return 1 - fmean(
        len(one & other) / len(one | other) if one | other else 1.0 for one, other in combinations(brand_sets, 2)
    )


def winnability_factor(winnable: float, openness: float, variability: float) -> float:
    """Return W: never below 0.2, because no answer is closed forever."""
    return MIN_WINNABILITY + (1 - MIN_WINNABILITY) * fmean((winnable, openness, variability))


def score_opportunity(demand: float | None, gap: float, winnability: float) -> float:
    """Return O, a product: without a gap or without demand there is no opportunity.

    Unknown demand is left out: the weights of gap and winnability then add up to one.
    """
    if demand is None:
        known = GAP + WINNABILITY
        return 100 * math.pow(gap, GAP / known) * math.pow(winnability, WINNABILITY / known)
    return 100 * math.pow(demand, DEMAND) * math.pow(gap, GAP) * math.pow(winnability, WINNABILITY)


def rank_opportunities(prompts: Sequence[PromptEvidence]) -> tuple[RankedOpportunity, ...]:
    """Rank the opportunities by score, highest first. Those that score 0 are left out."""
    volumes = [prompt.volume for prompt in prompts if prompt.volume is not None]
    highest = max(volumes, default=0.0)
    found = [_build_opportunity(prompt, highest) for prompt in prompts if prompt.valid]
    listed = [opportunity for opportunity in found if opportunity.score > 0]
    return tuple(sorted(listed, key=lambda row: (-row.score, row.prompt_id, row.country or "")))


def _build_opportunity(prompt: PromptEvidence, highest: float) -> RankedOpportunity:
    demand = None if prompt.volume is None else demand_factor(prompt.volume, highest)
    gap = prompt.gap_answers / prompt.valid
    cited = Counter(prompt.citations).total()
    winnability = winnability_factor(
        prompt.winnable_citations / cited if cited else UNKNOWN,
        find_openness(prompt.citations.values()),
        find_variability(prompt.brand_sets),
    )
    return RankedOpportunity(
        prompt_id=prompt.prompt_id,
        country=prompt.country,
        score=score_opportunity(demand, gap, winnability),
        demand=demand,
        gap=gap,
        winnability=winnability,
        low_evidence=prompt.valid < LOW_EVIDENCE_BELOW,
        answer_ids=prompt.answer_ids,
    )

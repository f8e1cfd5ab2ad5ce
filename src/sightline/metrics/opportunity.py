"""Opportunities (metrics 6): where competitors are named, people ask, and the answer can be won."""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from statistics import fmean, median

import msgspec

from sightline.metrics.observation import Cell, Observation

DEMAND, GAP, WINNABILITY = 0.3, 0.4, 0.3
LEAST_WINNABLE = 0.2
LOW_EVIDENCE_BELOW = 3
# What is not known neither helps nor hurts.
UNKNOWN = 0.5


class PromptEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """One unbranded prompt in one country."""

    prompt_id: str
    country: str | None = None
    volume: float | None = None
    valid: int
    gap_answers: int
    """Valid answers with a tracked competitor and without the brand (`find_gap`)."""
    citations: Mapping[str, int] = msgspec.field(default_factory=dict)
    """Citations by registrable domain."""
    winnable_citations: int = 0
    """Those to reviews, lists, forums, news and video; not to competitors, encyclopaedias or governments."""
    brand_sets: tuple[frozenset[str], ...] = ()
    """The brands that each repeat of the answer names."""
    answer_ids: tuple[str, ...] = ()


class Opportunity(msgspec.Struct, frozen=True, kw_only=True):
    prompt_id: str
    country: str | None
    score: float
    demand: float
    gap: float
    winnability: float
    demand_unknown: bool
    low_evidence: bool
    answer_ids: tuple[str, ...]


def find_gap(
    brand: Sequence[Observation], competitors: Sequence[Sequence[Observation]]
) -> tuple[int, list[Observation]]:
    """The number of valid answers, and those that name a competitor and not the brand."""
    valid = [answer for answer in brand if answer.is_valid]
    theirs: set[Cell] = {answer.cell for readings in competitors for answer in readings if answer.mentioned}
    return len(valid), [answer for answer in valid if not answer.mentioned and answer.cell in theirs]


def weigh_demand(volume: float, highest: float) -> float:
    """D: on a log scale, for demand is spread over powers of ten."""
    return math.log1p(volume) / math.log1p(highest) if highest > 0 else 0.0


def find_openness(citations: Collection[int]) -> float:
    """F: one minus the Herfindahl index of the cited domains; 0 where one domain owns the answer."""
    total = sum(citations)
    return 1 - math.fsum((count / total) ** 2 for count in citations) if total else UNKNOWN


def find_variability(brand_sets: Sequence[frozenset[str]]) -> float:
    """V: how much the brands named differ between repeats; an answer that changes can be changed."""
    if len(brand_sets) < 2:
        return UNKNOWN
    return 1 - fmean(
        len(one & other) / len(one | other) if one | other else 1.0 for one, other in combinations(brand_sets, 2)
    )


def weigh_winnability(winnable: float, openness: float, variability: float) -> float:
    """W: never below .2, for no answer is closed for good."""
    return LEAST_WINNABLE + (1 - LEAST_WINNABLE) * fmean((winnable, openness, variability))


def score_opportunity(demand: float, gap: float, winnability: float) -> float:
    """O: a product, so that an answer without a gap or without demand is no opportunity at all."""
    return 100 * math.pow(demand, DEMAND) * math.pow(gap, GAP) * math.pow(winnability, WINNABILITY)


def rank_opportunities(prompts: Sequence[PromptEvidence]) -> tuple[Opportunity, ...]:
    """Best first, thin evidence last; what scores 0 is not listed."""
    volumes = [prompt.volume for prompt in prompts if prompt.volume is not None]
    highest = max(volumes, default=0.0)
    usual = median(weigh_demand(volume, highest) for volume in volumes) if volumes else UNKNOWN
    found = [_describe(prompt, highest, usual) for prompt in prompts if prompt.valid]
    listed = [opportunity for opportunity in found if opportunity.score > 0]
    return tuple(sorted(listed, key=lambda row: (row.low_evidence, -row.score, row.prompt_id, row.country or "")))


def _describe(prompt: PromptEvidence, highest: float, usual: float) -> Opportunity:
    demand = usual if prompt.volume is None else weigh_demand(prompt.volume, highest)
    gap = prompt.gap_answers / prompt.valid
    cited = Counter(prompt.citations).total()
    winnability = weigh_winnability(
        prompt.winnable_citations / cited if cited else UNKNOWN,
        find_openness(prompt.citations.values()),
        find_variability(prompt.brand_sets),
    )
    return Opportunity(
        prompt_id=prompt.prompt_id,
        country=prompt.country,
        score=score_opportunity(demand, gap, winnability),
        demand=demand,
        gap=gap,
        winnability=winnability,
        demand_unknown=prompt.volume is None,
        low_evidence=prompt.valid < LOW_EVIDENCE_BELOW,
        answer_ids=prompt.answer_ids,
    )

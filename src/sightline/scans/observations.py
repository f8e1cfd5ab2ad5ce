"""From answers to the input of every formula: one observation per tracked brand and planned cell."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.metrics.observation import Observation
from sightline.metrics.panel import Observations
from sightline.scans.analyze_answer import names_brand
from sightline.scans.models import CellKey, ScanAnswer, ScanPlan, ScanPrompt


class ObservedCell(NamedTuple):
    """A planned cell with its answer, or None if it has none."""

    prompt: ScanPrompt
    platform: str
    answer: ScanAnswer | None
    branded: bool
    """Whether the prompt names the measured brand."""
    domains: frozenset[str] = frozenset()
    """The sites that the answer cites, where these are needed."""


def find_branded(plan: ScanPlan) -> frozenset[str]:
    """Return the ids of the prompts that name the measured brand."""
    return _find_branded(plan.brand, plan.prompts)


@lru_cache(maxsize=64)  # every step after a scan asks for the same prompts
def _find_branded(brand: Brand, prompts: tuple[ScanPrompt, ...]) -> frozenset[str]:
    lexicon = Lexicon([brand])
    return frozenset(prompt.id for prompt in prompts if names_brand(prompt.text, lexicon))


def make_observations(
    plan: ScanPlan, answers: Sequence[ScanAnswer], *, branded: frozenset[str] | None = None
) -> tuple[Observations, ...]:
    """Return the observations of each brand of `plan.tracked`, in the order of the plan.

    A cell without an answer, because the scan was stopped, counts as failed, so that every figure includes what is
    missing. An answer to a cell that was not planned is refused.
    """
    by_cell = index_answers(plan, answers)
    if branded is None:
        branded = find_branded(plan)
    # What is the same for every brand is computed once per cell.
    cells = [
        ObservedCell(prompt, platform, answer, prompt.id in branded, _cited_domains(answer))
        for prompt in plan.prompts
        for platform in plan.platforms
        for answer in (by_cell.get((prompt.id, platform, prompt.country)),)
    ]
    return tuple(Observations(observe(plan, index, cell) for cell in cells) for index in range(len(plan.tracked)))


def _cited_domains(answer: ScanAnswer | None) -> frozenset[str]:
    analysis = None if answer is None else answer.analysis
    return frozenset() if analysis is None else frozenset([citation.domain for citation in analysis.citations])


def index_answers(plan: ScanPlan, answers: Sequence[ScanAnswer]) -> Mapping[CellKey, ScanAnswer]:
    planned = {(prompt.id, platform, prompt.country) for prompt in plan.prompts for platform in plan.platforms}
    found = {answer.key: answer for answer in answers}
    if len(found) < len(answers) or not found.keys() <= planned:
        raise ValueError("each planned cell has one answer at most, and no other cell has any")
    return found


def observe(plan: ScanPlan, index: int, cell: ObservedCell, *, detailed: bool = True) -> Observation:
    """Return the observation of one tracked brand in one cell.

    Without `detailed` it holds only what the figures of a scan depend on, so that many answers have equal ones.
    """
    prompt, platform, answer = cell.prompt, cell.platform, cell.answer
    analysis = None if answer is None else answer.analysis
    if answer is None or analysis is None:
        return Observation(
            prompt_id=prompt.id,
            platform=platform,
            country=prompt.country,
            status="no_surface" if answer is not None and answer.status == "no_surface" else "failed",
            answer_id=answer.id if detailed and answer is not None else None,
            branded=cell.branded,
            platform_cites=platform not in plan.uncited,
            surface=answer.provenance.surface if answer is not None and answer.status == "no_surface" else None,
        )
    brand = analysis.brands[index]
    return Observation(
        prompt_id=prompt.id,
        platform=platform,
        country=prompt.country,
        answer_id=answer.id if detailed else None,
        branded=cell.branded,
        platform_cites=platform not in plan.uncited,
        mentioned=brand.mentioned,
        occurrences=len(brand.occurrences),
        rank=brand.rank,
        stance=brand.stance,
        sentiment=brand.sentiment.score if brand.sentiment is not None and (detailed or index == 0) else None,
        unscored=brand.unscored if detailed or index == 0 else None,
        cited=brand.cited,
        cited_urls=frozenset(brand.cited_urls),
        has_sources=bool(analysis.citations) or analysis.unresolved > 0,
        source_urls=len(analysis.citations),
        source_domains=cell.domains,
        surface=answer.provenance.surface,
    )

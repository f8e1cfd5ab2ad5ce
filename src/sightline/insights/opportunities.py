"""Opportunities (metrics 6): one for each unbranded prompt that is still tracked. Pure."""

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from sightline.insights.inputs import OWN_BRAND, InsightInputs, Ownership, to_uuids
from sightline.insights.models import CitedSource, NamedCompetitor, StoredOpportunity
from sightline.metrics.observation import Observation
from sightline.metrics.opportunity import Opportunity, PromptEvidence, find_gap, rank_opportunities
from sightline.metrics.panel import split_by
from sightline.scans.models import ScanAnswer, ScanPrompt
from sightline.scans.schemas.results import SourceType
from sightline.scans.sources import classify_site

WINNABLE: frozenset[SourceType] = frozenset({"review", "list", "forum", "news", "video"})
_MAX_LISTED = 10

Repeats = Mapping[str, Sequence[frozenset[str]]]
"""The brands that each repeat of a prompt named, by prompt id, as "platform: brand"."""


class _NamedBrand(msgspec.Struct, frozen=True):
    name: str
    mentioned: bool


class _Analysis(msgspec.Struct, frozen=True):
    brands: tuple[_NamedBrand, ...]


class _Record(msgspec.Struct, frozen=True):
    """The part of a stored answer with the named brands. A month of answers is read, so the rest is not decoded."""

    analysis: _Analysis | None = msgspec.field(name="reading", default=None)


_record = msgspec.json.Decoder(_Record)


class _Evidence(msgspec.Struct, frozen=True):
    prompt: ScanPrompt
    weighed: PromptEvidence
    competitors: tuple[NamedCompetitor, ...]
    sources: tuple[CitedSource, ...]


def gather_named_brands(
    prompts: Sequence[ScanPrompt], records: Iterable[tuple[int, str, str, bytes]]
) -> dict[str, frozenset[str]]:
    """Gather the brands that a scan named for each prompt, leaving out prompts with a failed answer.

    Platforms are kept apart: two platforms that name different brands are no change from one day to the next.
    """
    found: dict[str, set[str]] = {}
    failed: set[str] = set()
    for index, platform, status, record in records:
        prompt_id = prompts[index].id
        named = found.setdefault(prompt_id, set())
        if status == "failed":
            failed.add(prompt_id)
        elif (analysis := _record.decode(record).analysis) is not None:
            named.update(f"{platform}: {brand.name}" for brand in analysis.brands if brand.mentioned)
    return {prompt_id: frozenset(named) for prompt_id, named in found.items() if prompt_id not in failed}


def find_opportunities(
    inputs: InsightInputs, volumes: Mapping[str, int | None], repeats: Repeats
) -> list[StoredOpportunity]:
    """Return the opportunities of prompts that are still tracked, best first.

    `volumes` has the search volume of each tracked prompt by its id, None where it is unknown.
    """
    by_brand = [
        split_by(observations, lambda observation: observation.prompt_id) for observations in inputs.observations
    ]
    answers = inputs.group_answers_by_prompt()
    types = _find_types(inputs)
    evidence = {
        prompt.id: _gather_evidence(
            inputs,
            prompt,
            [found.get(prompt.id, []) for found in by_brand],
            answers.get(prompt.id, ()),
            types,
            volumes[prompt.id],
            repeats.get(prompt.id, ()),
        )
        for prompt in inputs.plan.prompts
        if prompt.id in volumes and prompt.id not in inputs.branded
    }
    ranked = rank_opportunities([each.weighed for each in evidence.values()])
    return [_to_stored(each, evidence[each.prompt_id]) for each in ranked]


def _gather_evidence(
    inputs: InsightInputs,
    prompt: ScanPrompt,
    observations: Sequence[Sequence[Observation]],
    answers: Sequence[ScanAnswer],
    types: Mapping[str, tuple[str, SourceType]],
    volume: int | None,
    repeats: Sequence[frozenset[str]],
) -> _Evidence:
    valid, gap = find_gap(observations[OWN_BRAND], observations[1:])
    cited = Counter(each.url for answer in answers if answer.analysis for each in answer.analysis.citations)
    domains: Counter[str] = Counter()
    for url, times in cited.items():
        domains[types[url][0]] += times
    kinds = dict(types[url] for url in cited)
    lost = {answer.answer_id for answer in gap}
    named = Counter(
        brand.name
        for brand, theirs in zip(inputs.plan.competitors, observations[1:], strict=True)
        for observation in theirs
        if observation.mentioned and observation.answer_id in lost
    )
    weighed = PromptEvidence(
        prompt_id=prompt.id,
        country=prompt.country,
        volume=volume,
        valid=valid,
        gap_answers=len(gap),
        citations=dict(domains),
        winnable_citations=sum(times for domain, times in domains.items() if kinds[domain] in WINNABLE),
        brand_sets=tuple(repeats),
        answer_ids=tuple(answer.answer_id for answer in gap if answer.answer_id),
    )
    return _Evidence(
        prompt,
        weighed,
        tuple(NamedCompetitor(name, times) for name, times in _most_first(named)),
        tuple(CitedSource(site, kinds[site], times, kinds[site] in WINNABLE) for site, times in _most_first(domains)),
    )


def _most_first(counted: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:_MAX_LISTED]


def _find_types(inputs: InsightInputs) -> Mapping[str, tuple[str, SourceType]]:
    """Map each cited page to its registrable domain and the type of that site, judged by all its cited pages."""
    ownership = Ownership(inputs.plan)
    pages: dict[str, set[str]] = {}
    owners: dict[str, SourceType] = {}
    for answer in inputs.answers:
        for citation in answer.analysis.citations if answer.analysis else ():
            pages.setdefault(citation.domain, set()).add(citation.url)
            if owned := ownership.find_owners(citation):
                owners[citation.domain] = "own" if OWN_BRAND in owned else "competitor"
    kinds = {domain: owners.get(domain) or classify_site(domain, urls) for domain, urls in pages.items()}
    return {url: (domain, kinds[domain]) for domain, urls in pages.items() for url in urls}


def _to_stored(found: Opportunity, evidence: _Evidence) -> StoredOpportunity:
    return StoredOpportunity(
        prompt_id=uuid.UUID(found.prompt_id),
        prompt=evidence.prompt.text,
        language_code=evidence.prompt.language,
        country_iso_2=evidence.prompt.country,
        score=found.score,
        demand=found.demand,
        gap=found.gap,
        winnability=found.winnability,
        demand_unknown=found.demand_unknown,
        low_evidence=found.low_evidence,
        competitors=evidence.competitors,
        sources=evidence.sources,
        answer_ids=to_uuids(found.answer_ids),
    )

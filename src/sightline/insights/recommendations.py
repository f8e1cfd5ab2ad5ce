"""Recommendations (metrics 6): gathers their evidence prompt by prompt and applies the rules in `metrics/`. Pure."""

import uuid
from collections.abc import Mapping, Sequence

import msgspec

from sightline.answers.citations import normalize_url
from sightline.insights.inputs import OWN_BRAND, InsightInputs, Ownership
from sightline.insights.models import Proof, StoredRecommendation
from sightline.metrics.observation import Observation
from sightline.metrics.panel import split_by
from sightline.metrics.recommendations import CitedPage, ClaimFacts, PromptFacts, Recommendation, recommend
from sightline.prompts.identity import normalize_text
from sightline.scans.models import ScanAnswer, ScanPrompt
from sightline.scoreboard.models import decode_facts


def find_recommendations(
    inputs: InsightInputs, claims: Sequence[ClaimFacts], scan_id: uuid.UUID
) -> list[StoredRecommendation]:
    """Return recommendations in the order of the rules, or a single notice if the evidence supports none."""
    found = recommend(_gather_prompts(inputs), group_by_question(inputs), claims)
    scans = _map_answers_to_scans(inputs, scan_id)
    prompts = {prompt.id: prompt for prompt in inputs.plan.prompts}
    return [_to_stored(each, prompts, scans) for each in found]


def group_by_question(inputs: InsightInputs) -> list[Observation]:
    """Return the observations of the brand with one prompt id for the same question in every country.

    A prompt in two countries is two prompts. Countries are compared by the same text in the same language. The answers
    keep their own ids.
    """
    questions = {prompt.id: f"{prompt.language or ''}:{normalize_text(prompt.text)}" for prompt in inputs.plan.prompts}
    return [
        msgspec.structs.replace(observation, prompt_id=questions[observation.prompt_id])
        for observation in inputs.observations[OWN_BRAND]
    ]


def _gather_prompts(inputs: InsightInputs) -> list[PromptFacts]:
    by_brand = [
        split_by(observations, lambda observation: observation.prompt_id) for observations in inputs.observations
    ]
    answers = inputs.group_answers_by_prompt()
    histories = _gather_histories(inputs)
    ownership = Ownership(inputs.plan)
    gaps = inputs.find_gap_answers()
    return [
        PromptFacts(
            prompt_id=prompt.id,
            brand=tuple(by_brand[OWN_BRAND].get(prompt.id, ())),
            competitors=tuple(tuple(found.get(prompt.id, ())) for found in by_brand[1:]),
            pages=_gather_pages(answers.get(prompt.id, ()), ownership, gaps),
            history=tuple(histories.get(prompt.id, ())),
            retrieved_uncited=tuple(
                answer.id for answer in answers.get(prompt.id, ()) if _is_retrieved_uncited(answer, ownership)
            ),
        )
        for prompt in inputs.plan.prompts
    ]


def _gather_histories(inputs: InsightInputs) -> dict[str, list[Observation]]:
    countries = {prompt.id: prompt.country for prompt in inputs.plan.prompts}
    found: dict[str, list[Observation]] = {}
    for prompt_scan in inputs.prompt_scans:
        prompt_id = str(prompt_scan.prompt_id)
        if prompt_id in countries:
            observations = (
                cell.to_observation(prompt_id, countries[prompt_id]) for cell in decode_facts(prompt_scan.cells)
            )
            found.setdefault(prompt_id, []).extend(observations)
    return found


def _gather_pages(answers: Sequence[ScanAnswer], ownership: Ownership, gaps: frozenset[str]) -> tuple[CitedPage, ...]:
    """Gather the pages not owned by the brand, with the answers that cite them and name only competitors."""
    cited_by: dict[str, list[str]] = {}
    competitor_urls: set[str] = set()
    for answer in answers:
        for citation in answer.analysis.citations if answer.analysis and answer.id in gaps else ():
            owners = ownership.find_owners(citation)
            if OWN_BRAND in owners:
                continue
            cited_by.setdefault(citation.url, []).append(answer.id)
            if owners:
                competitor_urls.add(citation.url)
    return tuple(
        CitedPage(url, "competitor" if url in competitor_urls else "third_party", tuple(found))
        for url, found in cited_by.items()
    )


def _is_retrieved_uncited(answer: ScanAnswer, ownership: Ownership) -> bool:
    """Return whether the platform retrieved a page of the brand but cited none."""
    if answer.analysis is None or answer.analysis.brands[OWN_BRAND].cited:
        return False
    pages = (normalize_url(source.url, source.title) for source in answer.retrieved)
    return any(page is not None and OWN_BRAND in ownership.find_owners(page) for page in pages)


def _map_answers_to_scans(inputs: InsightInputs, scan_id: uuid.UUID) -> Mapping[str, uuid.UUID]:
    """Map each answer to its scan, because proofs may come from earlier scans."""
    found = {
        cell.answer_id: prompt_scan.scan_id
        for prompt_scan in inputs.prompt_scans
        for cell in decode_facts(prompt_scan.cells)
    }
    return found | {answer.id: scan_id for answer in inputs.answers}


def _to_stored(
    found: Recommendation, prompts: Mapping[str, ScanPrompt], scans: Mapping[str, uuid.UUID]
) -> StoredRecommendation:
    return StoredRecommendation(
        kind=found.kind,
        subject=found.subject,
        prompt_id=None if found.prompt_id is None else uuid.UUID(found.prompt_id),
        prompt=None if found.prompt_id is None else prompts[found.prompt_id].text,
        pages=found.pages,
        proofs=tuple(Proof(scans[each], uuid.UUID(each)) for each in found.answer_ids if each in scans),
    )

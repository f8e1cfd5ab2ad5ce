"""Weak platforms: those that name the brand significantly less than the others do. Pure."""

from sightline.insights.inputs import OWN_BRAND
from sightline.insights.models import (
    AskedPrompt,
    NamedShare,
    ProposedAction,
)
from sightline.insights.recommendations.evidence import Evidence
from sightline.metrics.recommendations import (
    find_weak_platforms,
)


def find_platforms_to_improve(evidence: Evidence) -> list[ProposedAction]:
    """Find the platforms that name the brand significantly less than the others do for the same prompts."""
    observations = evidence.inputs.observations[OWN_BRAND]
    valid = [each for each in observations if each.is_valid]
    asked = {answer.id: answer.prompt for answer in evidence.inputs.answers}
    found = []
    for weak in find_weak_platforms(observations):
        here = [each.mentioned for each in valid if each.platform == weak.platform]
        others = [each.mentioned for each in valid if each.platform != weak.platform]
        missing = {asked[each].id for each in weak.answer_ids}
        found.append(
            ProposedAction(
                kind="open_door",
                subject=weak.platform,
                site=evidence.inputs.plan.domain or next(iter(evidence.inputs.brand.domains), None),
                prompts=tuple(
                    AskedPrompt(prompt.id, prompt.text)
                    for prompt in evidence.inputs.plan.prompts
                    if prompt.id in missing
                ),
                platforms=(weak.platform,),
                share=NamedShare(sum(here), len(here)),
                other_share=NamedShare(sum(others), len(others)),
                expected=weak.expected,
                answer_ids=weak.answer_ids,
            )
        )
    return found

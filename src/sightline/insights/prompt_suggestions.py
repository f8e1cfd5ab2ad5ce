"""Suggesting new prompts for a tracked domain (metrics 1.12): ranks the candidates. Pure.

Demand, novelty and gap are shares from 0 to 1 [prop]:
- demand = ln(1 + answers whose platform searched or asked it) / ln(1 + the most of any candidate); for a template it is
  unknown, which is .5;
- novelty = 1 - likeness to the nearest prompt that is or was tracked, or was suggested before;
- gap = the share of the answers that led to it which name a competitor and not the brand.

A candidate is off-topic if it shares no content word with any prompt of the scan. It may name a competitor, but never
the brand.
"""

import uuid
from collections.abc import Sequence

from sightline.answers.names import Lexicon
from sightline.insights.inputs import InsightInputs
from sightline.insights.prompt_candidates import DiscoveredPrompt
from sightline.insights.topics import content_words
from sightline.metrics.suggestions import PromptCandidate, find_similarity, prioritize_prompt, rank_suggestions
from sightline.prompts.identity import normalize_text
from sightline.prompts.suggestions.models import NewSuggestion
from sightline.scans.analyze_answer import names_brand

MAX_OPEN_SUGGESTIONS = 20
# Likeness to all known prompts is expensive, so it is computed only for the best candidates by demand and gap.
_MAX_COMPARED = 100


def propose_prompts(
    inputs: InsightInputs, found: Sequence[DiscoveredPrompt], known: Sequence[str], scan_id: uuid.UUID | None
) -> list[NewSuggestion]:
    """Return the best candidates, best first, at most as many as may be open at a time. A file has no `scan_id`."""
    shortlist = _shortlist(inputs, found, known)
    candidates = {each.text: each for each in reversed(shortlist)}
    ranked = rank_suggestions(
        [
            PromptCandidate(
                text=each.text, demand=each.demand, novelty=_measure_novelty(each.text, known), gap=each.gap
            )
            for each in candidates.values()
        ],
        known,
    )
    return [
        _to_found_prompt(candidates[each.candidate.text], each.priority, scan_id)
        for each in ranked[:MAX_OPEN_SUGGESTIONS]
    ]


def _shortlist(
    inputs: InsightInputs, found: Sequence[DiscoveredPrompt], known: Sequence[str]
) -> list[DiscoveredPrompt]:
    identities = {normalize_text(text) for text in known}
    lexicon = Lexicon([inputs.brand])
    subject = frozenset[str]().union(*(content_words(each.text, each.language) for each in inputs.plan.prompts))
    shortlist: list[DiscoveredPrompt] = []
    for each in sorted(found, key=lambda each: (-prioritize_prompt(each.demand, 0, each.gap), each.text)):
        if len(shortlist) == _MAX_COMPARED:
            break
        on_topic = each.origin == "template" or content_words(each.text, each.language) & subject
        if on_topic and normalize_text(each.text) not in identities and not names_brand(each.text, lexicon):
            shortlist.append(each)
    return shortlist


def _measure_novelty(text: str, known: Sequence[str]) -> float:
    return 1 - max((find_similarity(text, other) for other in known), default=0.0)


def _to_found_prompt(found: DiscoveredPrompt, priority: float, scan_id: uuid.UUID | None) -> NewSuggestion:
    return NewSuggestion(
        prompt=found.text,
        language_code=found.language,
        country_iso_2=found.country,
        priority=priority,
        origin=found.origin,
        scan_id=scan_id,
    )

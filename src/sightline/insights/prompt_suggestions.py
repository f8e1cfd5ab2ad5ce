"""Suggesting new prompts for a tracked domain (metrics 1.12): ranks the candidates and chooses a few. Pure.

Demand, novelty and gap are shares from 0 to 1 [prop]:
- demand = ln(1 + answers that led to it) / ln(1 + the most of any candidate of the same origin); for a question that no
  answer led to, it is unknown, which is .5;
- novelty = 1 - likeness to the nearest prompt that is or was tracked, or was suggested before;
- gap = the share of the answers that led to it which name a rival and not the brand.

Likeness is by meaning in English, and by the characters elsewhere. A question that a platform wrote is off-topic if it
shares no content word with any prompt of the scan. A suggestion may name a rival, but never the brand.
"""

import math
import uuid
from collections.abc import Mapping, Sequence

from sightline.answers.market_words import content_words
from sightline.answers.names import Lexicon
from sightline.answers.phrase_encoder import load_encoder, most_alike
from sightline.insights.inputs import InsightInputs
from sightline.insights.prompt_candidates import DiscoveredPrompt
from sightline.metrics.opportunity import UNKNOWN
from sightline.metrics.suggestions import (
    PromptCandidate,
    RankedPrompt,
    choose_varied,
    find_similarity,
    is_near_duplicate,
    prioritize_prompt,
    rank_suggestions,
)
from sightline.prompts.identity import normalize_text
from sightline.prompts.suggestions.models import NewSuggestion
from sightline.scans.analyze_answer import names_brand

MAX_OPEN_SUGGESTIONS = 20
MAX_NEW_SUGGESTIONS = 10
_MAX_TEMPLATES = 5
# Likeness to all known prompts is expensive, so it is computed only for the best candidates by demand and gap.
_MAX_COMPARED = 60
_SAME_WORDING = 0.92  # cosine of two questions
_WRITTEN_BY_PLATFORMS = frozenset({"fan_out", "question"})


def propose_prompts(
    inputs: InsightInputs, found: Sequence[DiscoveredPrompt], known: Sequence[str], scan_id: uuid.UUID | None
) -> list[NewSuggestion]:
    """Return a varied choice of the best candidates, best first. A file has no `scan_id`."""
    weights = _weigh(inputs, found)
    shortlist = _shortlist(inputs, found, weights, known)
    candidates = {each.text: each for each in reversed(shortlist)}
    ranked = rank_suggestions(
        [
            PromptCandidate(
                text=each.text,
                demand=weights[each.text][0],
                novelty=_measure_novelty(each, known),
                gap=weights[each.text][1],
                origin=each.origin,
                template=each.template,
            )
            for each in candidates.values()
        ],
        known,
        is_duplicate=lambda text, others: _is_duplicate(candidates[text], others[: len(known)], others[len(known) :]),
    )
    return [_to_suggestion(candidates[each.candidate.text], each.priority, scan_id) for each in _choose(ranked)]


def _choose(ranked: Sequence[RankedPrompt]) -> list[RankedPrompt]:
    """Return the best questions of platforms or of an editor, and at most five templates."""
    templates = [each for each in ranked if each.candidate.origin == "template"][:_MAX_TEMPLATES]
    written = [each for each in ranked if each.candidate.origin != "template"]
    chosen = choose_varied(written, MAX_NEW_SUGGESTIONS - len(templates))
    return sorted((*chosen, *templates), key=lambda each: -each.priority)


def _weigh(inputs: InsightInputs, found: Sequence[DiscoveredPrompt]) -> Mapping[str, tuple[float, float]]:
    """Return demand and gap of each candidate by its text. Without answers of its own, all answers count."""
    gaps = inputs.find_gap_answers()
    overall = len(gaps) / len(inputs.answers) if inputs.answers else UNKNOWN
    most: dict[str, int] = {}
    for each in found:
        most[each.origin] = max(most.get(each.origin, 0), len(each.answers))
    return {
        each.text: (
            math.log1p(len(each.answers)) / math.log1p(most[each.origin]) if each.answers else UNKNOWN,
            len(each.answers & gaps) / len(each.answers) if each.answers else overall,
        )
        for each in found
    }


def _shortlist(
    inputs: InsightInputs,
    found: Sequence[DiscoveredPrompt],
    weights: Mapping[str, tuple[float, float]],
    known: Sequence[str],
) -> list[DiscoveredPrompt]:
    identities = {normalize_text(text) for text in known}
    lexicon = Lexicon([inputs.brand])
    subject = frozenset[str]().union(*(_list_subjects(each.text) for each in inputs.plan.prompts))

    def by_demand_and_gap(each: DiscoveredPrompt) -> tuple[float, str]:
        demand, gap = weights[each.text]
        return -prioritize_prompt(demand, 0, gap), each.text

    shortlist: list[DiscoveredPrompt] = []
    for each in sorted(found, key=by_demand_and_gap):
        if len(shortlist) == _MAX_COMPARED:
            break
        on_topic = each.origin not in _WRITTEN_BY_PLATFORMS or _list_subjects(each.text) & subject
        if on_topic and normalize_text(each.text) not in identities and not names_brand(each.text, lexicon):
            shortlist.append(each)
    return shortlist


def _list_subjects(text: str) -> frozenset[str]:
    """Return the words that carry the subject of a question: "anvil" and "anvils" are one."""
    return frozenset(word.removesuffix("s") for word in content_words(text))


def _measure_novelty(found: DiscoveredPrompt, known: Sequence[str]) -> float:
    if found.language == "en":
        return 1 - max(0.0, most_alike(found.text, known))
    return 1 - max((find_similarity(found.text, other) for other in known), default=0.0)


def _is_duplicate(found: DiscoveredPrompt, known: Sequence[str], chosen: Sequence[str]) -> bool:
    """Return whether it asks what a known prompt asks, or is worded almost like a chosen suggestion.

    Suggestions of one market differ in a word that matters: the battery, or the sound.
    """
    others = [*known, *chosen]
    if is_near_duplicate(found.text, others):
        return True
    # Templates are known to ask different things, in nearly the same words.
    if found.language != "en" or found.origin == "template":
        return False
    if _is_worded_alike(found, others):
        return True
    # No prompt asks for this, or names these two rivals: the questions are alike only because of the market.
    is_new = found.origin in ("stage", "rivals")
    return not is_new and most_alike(found.text, known) >= load_encoder().calibration.same_prompt


def _is_worded_alike(found: DiscoveredPrompt, others: Sequence[str]) -> bool:
    encoder = load_encoder()
    return bool(others) and float((encoder.embed(others) @ encoder.embed([found.text])[0]).max()) >= _SAME_WORDING


def _to_suggestion(found: DiscoveredPrompt, priority: float, scan_id: uuid.UUID | None) -> NewSuggestion:
    return NewSuggestion(
        prompt=found.text,
        language_code=found.language,
        country_iso_2=found.country,
        priority=priority,
        origin=found.origin,
        origin_subjects=found.subjects,
        origin_answers=len(found.answers) or None,
        scan_id=scan_id,
    )

"""Recommendations (metrics 6): one row for each action, found in the answers of a check or a file. Pure.

A page is in one row only: where a criticism likely comes from it, it is to be corrected; else, where answers that cite
it name rivals and not the brand, the brand should get onto it; else, where it carries the brand, it is to be kept.
"""

import uuid
from collections.abc import Iterable, Sequence

from sightline.insights.inputs import InsightInputs
from sightline.insights.models import (
    NamedShare,
    ProposedAction,
    ProvingAnswer,
    RareClaim,
    StoredRecommendation,
)
from sightline.insights.recommendations.claims import find_recurring_claims
from sightline.insights.recommendations.evidence import Evidence
from sightline.insights.recommendations.kept_pages import find_kept_pages
from sightline.insights.recommendations.listings import asks_for_entry, find_listings, find_sites_with_own_entry
from sightline.insights.recommendations.lost_prompts import find_lost
from sightline.insights.recommendations.unanswered_prompts import find_unanswered_prompts
from sightline.insights.recommendations.weak_platforms import find_platforms_to_improve
from sightline.kit.structs import convert_struct
from sightline.metrics.recommendations import (
    MIN_ANSWERS,
    ClaimFacts,
    Kind,
)
from sightline.scoreboard.models import decode_facts

_ORDER: Sequence[Kind] = ("fix_claim", "win_back", "open_door", "get_listed", "answer_question", "keep")
_MIN_EXPECTED = 0.5  # answers: an action that would likely change less than one is not worth its effort
_MAX_KEPT = 3
_MAX_RARE_CLAIMS = 3


def find_recommendations(inputs: InsightInputs, claims: Sequence[ClaimFacts]) -> list[ProposedAction]:
    """Return one row for each action, largest expected effect first, or a single row that says there is none.

    Actions that would likely change less than one answer are left out.
    """
    evidence = Evidence(inputs)
    fixes = find_recurring_claims(evidence, [claim for claim in claims if claim.recurs])
    taken = {page.url for row in fixes for page in row.pages}
    listings = find_listings(evidence, taken)
    taken |= {page.url for row in listings for page in row.pages}
    kept = sorted(find_kept_pages(evidence, taken), key=_rank)[:_MAX_KEPT]
    known = {row.site for row in kept} | find_sites_with_own_entry(evidence)
    found = [
        *fixes,
        *(row for row in listings if not (asks_for_entry(row) and row.site in known)),
        *find_unanswered_prompts(evidence),
        *kept,
        *find_platforms_to_improve(evidence),
        *find_lost(inputs),
    ]
    worthwhile = [row for row in found if _is_worthwhile(row)]
    return sorted(worthwhile, key=_rank) or [_describe_calm(evidence, claims)]


def _is_worthwhile(row: ProposedAction) -> bool:
    if row.kind == "fix_claim" and len(row.answer_ids) < MIN_ANSWERS:
        return False
    return row.expected is None or row.expected.answers >= _MIN_EXPECTED


def _describe_calm(evidence: Evidence, rare: Iterable[ClaimFacts]) -> ProposedAction:
    """Return the row that says that there is no task, with the criticism that is too rare for one."""
    return ProposedAction(
        kind="nothing_significant",
        share=NamedShare(len(evidence.naming), len(evidence.answers)),
        rare_claims=tuple(RareClaim(claim.descriptor, len(claim.answer_ids)) for claim in rare)[:_MAX_RARE_CLAIMS],
    )


def to_stored(found: Iterable[ProposedAction], inputs: InsightInputs, scan_id: uuid.UUID) -> list[StoredRecommendation]:
    """Return the rows as they are stored, each answer with the check that it belongs to."""
    scans = {
        cell.answer_id: prompt_scan.scan_id
        for prompt_scan in inputs.prompt_scans
        for cell in decode_facts(prompt_scan.cells)
    } | {answer.id: scan_id for answer in inputs.answers}
    return [
        convert_struct(
            StoredRecommendation,
            row,
            proofs=tuple(ProvingAnswer(scans[each], uuid.UUID(each)) for each in row.answer_ids if each in scans),
        )
        for row in found
    ]


def _rank(row: ProposedAction) -> tuple[float, int, int, str]:
    expected = 0.0 if row.expected is None else row.expected.answers
    return (-expected, -len(row.answer_ids), _ORDER.index(row.kind), row.subject or "")

"""Recommendations (metrics 6): one row for each action, found in the answers of a check or a file. Pure.

A page is in one row only: where a criticism likely comes from it, it is to be corrected; else, where answers that cite
it name rivals and not the brand, the brand should get onto it; else, where it carries the brand, it is to be kept.
"""

import uuid
from collections.abc import Iterable, Sequence
from itertools import groupby

from sightline.facts.models import Claim, Fact
from sightline.insights.inputs import OWN_BRAND, InsightInputs
from sightline.insights.models import (
    AskedPrompt,
    NamedShare,
    ProposedAction,
    ProvingAnswer,
    RareClaim,
    StoredRecommendation,
)
from sightline.insights.recommendations.claims import find_corrections, find_recurring_claims
from sightline.insights.recommendations.evidence import Evidence
from sightline.insights.recommendations.kept_pages import find_kept_pages
from sightline.insights.recommendations.listings import asks_for_entry, find_listings, find_sites_with_own_entry
from sightline.insights.recommendations.standing import find_missing_praise, find_rivals_above
from sightline.insights.recommendations.unanswered_prompts import find_unanswered_prompts
from sightline.kit.structs import convert_struct
from sightline.metrics.recommendations import (
    LOST_CHECKS,
    MIN_ANSWERS,
    ClaimFacts,
    Kind,
    PraiseFacts,
    PromptHistory,
    expect_regained,
    find_lost_prompts,
    find_weak_platforms,
)
from sightline.scoreboard.models import CellFacts, PromptScanRow, decode_comparable_facts, decode_facts

_ORDER: Sequence[Kind] = (
    *("correct_fact", "fix_claim", "win_back", "open_door", "get_listed", "answer_question", "keep"),
    *("move_up", "earn_praise"),
)
_MIN_EXPECTED = 0.5  # answers: an action that would likely change less than one is not worth its effort
_MAX_KEPT = 3
_MAX_RARE_CLAIMS = 3


def find_recommendations(
    inputs: InsightInputs,
    claims: Sequence[ClaimFacts],
    praised: Sequence[PraiseFacts] = (),
    said: Sequence[Claim] = (),
    facts: Sequence[Fact] = (),
) -> list[ProposedAction]:
    """Return one row for each action, largest expected effect first, or a single row that says there is none.

    Actions that would likely change less than one answer are left out. Criticism that recurs, rivals above the brand
    and praise that it lacks are facts of their own, whatever acting on them would change.
    """
    evidence = Evidence(inputs)
    corrections = find_corrections(evidence, said, facts)
    fixes = find_recurring_claims(evidence, [claim for claim in claims if claim.recurs])
    taken = {page.url for row in (*corrections, *fixes) for page in row.pages}
    listings = find_listings(evidence, taken)
    taken |= {page.url for row in listings for page in row.pages}
    kept = sorted(find_kept_pages(evidence, taken), key=_rank)[:_MAX_KEPT]
    known = {row.site for row in kept} | find_sites_with_own_entry(evidence)
    found = [
        *corrections,
        *fixes,
        *(row for row in listings if not (asks_for_entry(row) and row.site in known)),
        *find_unanswered_prompts(evidence),
        *kept,
        *find_platforms_to_improve(evidence),
        *find_lost(inputs),
        *find_rivals_above(evidence),
        *find_missing_praise(evidence, praised),
    ]
    worthwhile = [row for row in found if _is_worthwhile(row)]
    # Nothing is significant only if the brand leads, too.
    found = sorted(worthwhile, key=_rank) or find_rivals_above(evidence, by_chance=True)
    return found or [_describe_calm(evidence, claims)]


def _is_worthwhile(row: ProposedAction) -> bool:
    if row.kind == "fix_claim":
        return len(row.answer_ids) >= MIN_ANSWERS
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


_Checks = list[tuple[PromptScanRow, list[CellFacts]]]


def find_lost(inputs: InsightInputs) -> list[ProposedAction]:
    """Return one row for all prompts that are lost; none without a history.

    A prompt is lost if its last two checks miss the brand, more often than its earlier share explains.
    """
    prompts = {prompt.id: prompt for prompt in inputs.plan.prompts if prompt.id not in inputs.branded}
    checks = _list_checks(inputs.prompt_scans)
    histories = [_count(prompt_id, checks[prompt_id]) for prompt_id in prompts if prompt_id in checks]
    lost = find_lost_prompts(histories)
    if not lost:
        return []
    missing = [cell for each in lost for _, cells in checks[each.prompt_id][-LOST_CHECKS:] for cell in cells]
    platforms = {cell.platform for cell in missing}
    return [
        ProposedAction(
            kind="win_back",
            subject=max(_find_last_named(checks[each.prompt_id]) for each in lost),
            prompts=tuple(AskedPrompt(each.prompt_id, prompts[each.prompt_id].text) for each in lost),
            platforms=tuple(platform for platform in inputs.plan.platforms if platform in platforms),
            share=NamedShare(0, len(missing)),
            other_share=NamedShare(sum(each.named for each in lost), sum(each.asked for each in lost)),
            expected=expect_regained(lost),
            answer_ids=tuple(cell.answer_id for cell in missing),
        )
    ]


def _list_checks(prompt_scans: Sequence[PromptScanRow]) -> dict[str, _Checks]:
    """Return the valid answers of each check that asked a prompt, oldest first, by the id of the prompt."""
    ordered = sorted(prompt_scans, key=lambda row: (str(row.prompt_id), row.completed_at))
    found: dict[str, _Checks] = {}
    for prompt_id, group in groupby(ordered, key=lambda row: str(row.prompt_id)):
        rows = list(group)
        comparable = decode_comparable_facts([row.cells for row in rows])
        checks = [
            (row, [cell for cell in cells if cell.status == "ok"]) for row, cells in zip(rows, comparable, strict=True)
        ]
        found[prompt_id] = [(row, cells) for row, cells in checks if cells]
    return found


def _count(prompt_id: str, checks: _Checks) -> PromptHistory:
    earlier = [cell for _, cells in checks[:-LOST_CHECKS] for cell in cells]
    last = [cell for _, cells in checks[-LOST_CHECKS:] for cell in cells]
    is_missed = len(checks) > LOST_CHECKS and not any(cell.mentioned for cell in last)
    return PromptHistory(
        prompt_id=prompt_id,
        named=sum(cell.mentioned for cell in earlier),
        asked=len(earlier),
        missed=len(last) if is_missed else 0,
    )


def _find_last_named(checks: _Checks) -> str:
    """Return the day of the last check that named the brand."""
    return max(row.completed_at.date().isoformat() for row, cells in checks if any(cell.mentioned for cell in cells))


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

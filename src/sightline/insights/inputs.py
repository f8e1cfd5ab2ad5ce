"""The inputs of insights: a Full Check with its answers and their text, and the scans of the month before it."""

import asyncio
import uuid
from collections.abc import Mapping, Sequence

import msgspec

from sightline.answers.citations import SiteOwners
from sightline.answers.models import Brand, Citation
from sightline.db.engine import Database
from sightline.metrics.observation import Observation
from sightline.scans.models import ScanAnswer, ScanPlan
from sightline.scans.observations import find_branded, make_observations
from sightline.scans.running.queries import read_answers
from sightline.scans.running.running_scans import build_plan
from sightline.scans.stored import AnswerRow, ScanRow, to_answer
from sightline.scoreboard.models import PromptScanRow, UncitedPlatforms
from sightline.scoreboard.prompt_statistics.summarize import period_start
from sightline.scoreboard.queries import list_prompt_scans_between

OWN_BRAND = 0
"""The index of the measured brand among the tracked ones."""


class InsightInputs(msgspec.Struct, frozen=True):
    scan: ScanRow
    plan: ScanPlan
    answers: Sequence[ScanAnswer]
    """The valid answers, in the order of the plan."""
    observations: tuple[tuple[Observation, ...], ...]
    """One tuple per brand of `plan.tracked`, the measured brand first."""
    branded: frozenset[str]
    prompt_scans: Sequence[PromptScanRow]
    """The prompt scans of the last thirty days, oldest first, including this scan."""

    @property
    def brand(self) -> Brand:
        return self.plan.brand

    def group_answers_by_prompt(self) -> Mapping[str, list[ScanAnswer]]:
        found: dict[str, list[ScanAnswer]] = {}
        for answer in self.answers:
            found.setdefault(answer.prompt.id, []).append(answer)
        return found

    def find_gap_answers(self) -> frozenset[str]:
        """Return the ids of the valid answers that name a competitor and not the brand."""
        return frozenset(
            observation.answer_id
            for index, observation in enumerate(self.observations[OWN_BRAND])
            if observation.is_valid
            and not observation.mentioned
            and observation.answer_id is not None
            and any(theirs[index].mentioned for theirs in self.observations[1:])
        )


class Ownership:
    """Finds the tracked brands that own a cited page, with a cache, because the same few sites are cited everywhere."""

    def __init__(self, plan: ScanPlan) -> None:
        self._owners = SiteOwners([brand.domains for brand in plan.tracked])
        self._known: dict[tuple[str, str], frozenset[int]] = {}

    def find_owners(self, citation: Citation) -> frozenset[int]:
        site = (citation.host, citation.domain)
        found = self._known.get(site)
        if found is None:
            found = self._known[site] = frozenset(self._owners.of(citation))
        return found


async def read_insight_inputs(db: Database, scan: ScanRow, *, uncited: UncitedPlatforms) -> InsightInputs:
    assert scan.completed_at is not None
    rows = await read_answers(db, scan.workspace_id, scan.id)
    prompt_scans = await list_prompt_scans_between(
        db,
        scan.workspace_id,
        scan.domain_id,
        scan.answers_source,
        since=period_start(scan.completed_at),
        until=scan.completed_at,
    )
    plan = build_plan(scan, uncited[scan.answers_source])
    return await asyncio.to_thread(_build_inputs, scan, plan, rows, prompt_scans)


def _build_inputs(
    scan: ScanRow, plan: ScanPlan, rows: Sequence[AnswerRow], prompt_scans: Sequence[PromptScanRow]
) -> InsightInputs:
    order = {platform: index for index, platform in enumerate(plan.platforms)}
    ordered = sorted(rows, key=lambda row: (row.prompt_index, order[row.platform]))
    answers = [to_answer(row, plan.prompts[row.prompt_index]) for row in ordered]
    branded = find_branded(plan)
    observations = make_observations(plan, answers, branded=branded)
    return InsightInputs(
        scan, plan, [each for each in answers if each.analysis is not None], observations, branded, prompt_scans
    )


def to_uuids(answer_ids: Sequence[str | None]) -> tuple[uuid.UUID, ...]:
    return tuple(uuid.UUID(answer_id) for answer_id in answer_ids if answer_id)

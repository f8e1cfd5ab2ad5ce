"""The answers that two Full Checks have in common, with the names and sites of each. Pure."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from sightline.answers.names import Lexicon
from sightline.answers.tracked_names import tracked_names_of
from sightline.metrics.compare import match_cells
from sightline.metrics.observation import Cell
from sightline.scans.models import ScanAnswer, ScanPlan
from sightline.scans.rivals import map_makers
from sightline.scoreboard.compare import ComparableScan

MIN_FLIPS = 6  # fewer one-way flips are never significant (metrics 3.3)
Facts = Mapping[Cell, frozenset[str]]
"""The names or sites of the answer of each cell."""


class FullCheck(msgspec.Struct, frozen=True, kw_only=True):
    """A completed Full Check with its answers, and as the headline compares it."""

    scan_id: uuid.UUID
    completed_at: datetime
    plan: ScanPlan
    answers: Sequence[ScanAnswer]
    comparable: ComparableScan


class MatchedAnswers(msgspec.Struct, frozen=True):
    """The two answers of all cells that both checks answered, in prompts that count in the headline."""

    cells: Sequence[Cell]
    named_before: Facts
    named_now: Facts
    sites_before: Facts
    sites_now: Facts

    @property
    def sourced_cells(self) -> list[Cell]:
        """Return the cells whose answers have sources in both checks."""
        return [cell for cell in self.cells if cell in self.sites_before and cell in self.sites_now]


def match_answers(before: FullCheck, now: FullCheck) -> MatchedAnswers:
    makers = map_makers([*before.answers, *now.answers])
    tracked = tracked_names_of(Lexicon(now.plan.tracked))
    others = {name: maker for name, maker in makers.items() if not tracked.include(maker)}
    pairs = match_cells(before.comparable.observations, now.comparable.observations)
    return MatchedAnswers(
        [later.cell for _, later in pairs],
        _index_names(before, others),
        _index_names(now, others),
        {earlier.cell: earlier.source_domains for earlier, _ in pairs if earlier.has_sources},
        {later.cell: later.source_domains for _, later in pairs if later.has_sources},
    )


def _index_names(check: FullCheck, others: Mapping[str, str]) -> Facts:
    """Return the tracked and the other brands that each valid answer names."""
    return {
        answer.key: frozenset(
            [
                *(brand.name for brand in answer.analysis.brands if brand.mentioned),
                *(others[each.name] for each in answer.candidates if each.name in others),
            ]
        )
        for answer in check.answers
        if answer.analysis is not None
    }

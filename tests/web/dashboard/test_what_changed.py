"""Which figures the list of changes counts as moved."""

import pytest

from sightline.metrics.figure import Comparison
from sightline.scoreboard.check_changes.schemas import FigureChange
from sightline.web.pages.dashboard.what_changed import has_moved


@pytest.mark.parametrize(
    ("metric", "before", "now", "is_moved"),
    [
        ("market_position", 3, 4, True),  # only prompts that one check lacks make the difference
        ("market_position", 4, 4, False),
        ("ai_mentions", 50, 50, True),  # other answers than before
    ],
)
def test_a_position_moves_if_it_differs_and_other_figures_if_answers_do(metric, before, now, is_moved):
    comparison = Comparison(
        against_scan_id="01a1eac2-3645-7562-a9ac-45d4c647f297",
        trend_only=False,
        reasons=(),
        matched_cells=12,
        gained=1,
        lost=1,
        delta=0,
        low=-8.3,
        high=8.3,
        p=1.0,
        verdict="no_clear_change",
    )
    assert has_moved(FigureChange(metric=metric, before=before, now=now, comparison=comparison)) is is_moved

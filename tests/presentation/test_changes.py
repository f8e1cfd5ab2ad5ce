"""How a change between two scans is written."""

import pytest

from sightline.metrics.figure import Comparison
from sightline.presentation.changes import format_delta

_EXPLAINED = "; p = 0.0640, so not significant (the range and p are calculated differently)"


@pytest.mark.parametrize(
    ("high", "p", "written"),
    [
        (-2.0, 0.041, "\u221213.2 points (\u221224.4 to \u22122.0)"),
        (-2.0, 0.064, f"\u221213.2 points (\u221224.4 to \u22122.0){_EXPLAINED}"),
        (2.0, 0.064, "\u221213.2 points (\u221224.4 to +2.0)"),
    ],
)
def test_a_range_without_0_gives_p_if_the_change_is_not_significant(high, p, written):
    change = Comparison(
        against_scan_id="01a1eac2-3645-7562-a9ac-45d4c647f297",
        trend_only=False,
        reasons=(),
        matched_cells=12,
        gained=1,
        lost=6,
        delta=-13.2,
        low=-24.4,
        high=high,
        p=p,
        verdict="no_clear_change",
    )
    assert format_delta("share_of_voice_pct", change) == written

"""How a change between two scans is written."""

import pytest

from sightline.metrics.figure import Comparison
from sightline.presentation.changes import format_delta


@pytest.mark.parametrize(
    ("high", "verdict", "written"),
    [
        (-2.0, "down", "\u221213.2 points (\u221224.4 to \u22122.0)"),
        (-2.0, "no_clear_change", "\u221213.2 points (\u221224.4 to \u22122.0); p = 0.0640, calculated separately"),
        (2.0, "no_clear_change", "\u221213.2 points (\u221224.4 to +2.0)"),
    ],
)
def test_a_range_without_0_gives_p_if_the_change_is_not_significant(high, verdict, written):
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
        p=0.064,
        verdict=verdict,
    )
    assert format_delta("share_of_voice_pct", change) == written

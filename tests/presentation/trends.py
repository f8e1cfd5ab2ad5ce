"""Trends of made-up figures."""

from sightline.metrics.figure import Figure
from sightline.presentation.charts.trend_chart import CompetitorLine, DatedFigure, Trend


def figure(value, low=None, high=None, n=40):
    return Figure(
        value=value, low=low, high=high, n=n, numerator=None, denominator=None, early_reading=False, incomplete=False
    )


def build_trend(weeks=3, **changes):
    days = [f"2026-{1 + day // 28:02}-{1 + day % 28:02}T09:30:00Z" for day in range(weeks * 7)]
    facts = {
        "full": [DatedFigure(at, figure(46.3, 39.1, 53.2)) for at in days[::7]],
        "daily": [DatedFigure(at, figure(44.0)) for at in days],
        "competitors": [
            CompetitorLine(f"Rival {n}", n, tuple((at, 30.0 + n) for at in days[::7])) for n in range(1, 6)
        ],
    }
    return Trend(brand="Acme", unit="", is_rank=False, **(facts | changes))

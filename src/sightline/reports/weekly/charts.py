"""The charts of a weekly report: Visibility Score and coverage over time, by platform, and Share of Voice."""

from markupsafe import Markup

from sightline.presentation.charts.bar_charts import build_share_of_voice_chart
from sightline.presentation.charts.interval_charts import build_visibility_chart
from sightline.presentation.charts.spec import Spec, drop_touch_layers
from sightline.presentation.charts.svg import render_svg
from sightline.presentation.charts.trend_chart import DatedFigure, Trend, TrendLayout, build_trend_chart
from sightline.presentation.language import gettext, translatable
from sightline.reports.chart_texts import describe_chart, title_chart
from sightline.reports.scan_report import list_platform_figures
from sightline.reports.weekly.models import ReportDocument

_TREND_TITLES = {
    "visibility_score": translatable("Visibility Score, 0 to 100"),
    "brand_coverage_pct": translatable("Answers that name %(brand)s, %%"),
}
_MIN_FULL_CHECKS = 2  # one point is not a trend


def render_charts(document: ReportDocument, *, font: str | None = None) -> dict[str, Markup]:
    """Return the charts by name, without those that would be empty."""
    brand, specs = document.brand, dict[str, tuple[Spec, str, str]]()
    if sum(point.scope == "full_check" for point in document.trend) >= _MIN_FULL_CHECKS:
        description = gettext(
            "A point with its range for these prompts for each Full Check; Daily Checks as a light line."
        )
        specs["visibility_trend"] = (
            build_report_trend(document, "visibility_score"),
            gettext("Visibility Score of %(brand)s over time", brand=brand),
            description,
        )
        specs["coverage_trend"] = (
            build_report_trend(document, "brand_coverage_pct"),
            gettext("Share of answers that name %(brand)s, over time", brand=brand),
            description,
        )
    if any(row.visibility_score.value is not None for row in document.platforms):
        specs["platforms"] = (
            build_visibility_chart(list_platform_figures(document.platforms, "visibility_score")),
            title_chart("visibility", brand),
            describe_chart("visibility"),
        )
    if any(row.share_of_voice_pct is not None for row in document.competitors):
        specs["share"] = (
            build_share_of_voice_chart(document.competitors),
            title_chart("share", brand),
            describe_chart("share"),
        )
    return {name: render_svg(_set_font(spec, font), name, *texts) for name, (spec, *texts) in specs.items()}


def build_report_trend(document: ReportDocument, metric: str) -> Spec:
    """Build the trend chart of one metric on a fixed scale, so that the charts of a report compare by eye."""
    figures: dict[str, list[DatedFigure]] = {"full_check": [], "daily_check": []}
    for point in document.trend:
        if point.scope in figures:
            figures[point.scope].append(DatedFigure(point.completed_at, getattr(point, metric)))
    trend = Trend(brand=document.brand, full=figures["full_check"], daily=figures["daily_check"])
    layout = TrendLayout(
        width=304,
        height=168,
        max_ticks=5,
        has_names=False,
        percent_title=gettext(_TREND_TITLES[metric], brand=document.brand),
    )
    return drop_touch_layers(build_trend_chart(trend, layout))


def _set_font(spec: Spec, font: str | None) -> Spec:
    return spec if font is None else {**spec, "config": {**spec["config"], "font": font}}

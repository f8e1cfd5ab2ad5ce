"""A weekly report in its forms: its pages are rendered in English when it is written, everything else on demand."""

import unicodedata
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import msgspec
import typst
from markupsafe import Markup

from sightline.presentation.charts.bar_charts import build_share_of_voice_chart
from sightline.presentation.charts.interval_charts import build_visibility_chart
from sightline.presentation.charts.spec import Spec, drop_touch_layers
from sightline.presentation.charts.svg import render_svg
from sightline.presentation.charts.trend_chart import DatedFigure, Trend, TrendLayout, build_trend_chart
from sightline.presentation.dates import in_time_zone
from sightline.presentation.direction_controls import show_direction_controls
from sightline.presentation.language import DEFAULT_LANGUAGE, current_locale, gettext, in_language, translatable
from sightline.reports.chart_texts import describe_chart, title_chart
from sightline.reports.scan_report import list_platform_figures
from sightline.reports.weekly.html import render_html
from sightline.reports.weekly.labels import build_labels
from sightline.reports.weekly.models import NoticeFacts, ReportDocument
from sightline.reports.weekly.queries import Form
from sightline.reports.weekly.translate import translate_document
from sightline.reports.weekly.view import View, build_view

# Reports do not change, and each of their forms takes about a second to render.
_RENDERED_KEPT = 16


class _StoredFacts(msgspec.Struct):
    notice_facts: NoticeFacts | None = None


def has_facts(document: bytes) -> bool:
    """Return whether a stored document has the facts from which every form can be rendered, in any language."""
    return msgspec.json.decode(document, type=_StoredFacts).notice_facts is not None


def render_pages(document: ReportDocument) -> tuple[str, str]:
    """Return the page and the page with the appendix, in the chosen language and time zone."""
    charts = render_charts(document)
    return (
        render_html(document, build_view(document), charts),
        render_html(document, build_view(document, with_appendix=True), charts, with_appendix=True),
    )


@lru_cache(maxsize=_RENDERED_KEPT)
def render_form(stored: bytes, form: Form, language: str, zone: str) -> str | bytes:
    """Render one form of a stored document in a language and time zone."""
    with in_language(language), in_time_zone(zone):
        document = msgspec.json.decode(stored, type=ReportDocument)
        if language != DEFAULT_LANGUAGE:
            document = translate_document(document)
        with_appendix = form.startswith("appendix")
        view = build_view(document, with_appendix=with_appendix)
        if form.endswith("html"):
            return render_html(document, view, render_charts(document), with_appendix=with_appendix)
        made_at = datetime.fromisoformat(document.period_end)
        return render_pdf(view, render_charts(document, font=FONT), made_at=made_at, with_appendix=with_appendix)


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


FONT = "Libertinus Serif"
# Sets a text alone. PDF/A refuses a character without a glyph, where a plain PDF would show an empty box.
_PROBE = f'#set text(font: "{FONT}")\n#sys.inputs.text'.encode()


def render_pdf(view: View, charts: Mapping[str, str], *, made_at: datetime, with_appendix: bool = False) -> bytes:
    """Typeset the report. `charts` are SVG that use `FONT`."""
    data = {
        "view": view,
        "labels": build_labels(view["brand"]),
        "language": current_locale(),
        "charts": {name: str(svg) for name, svg in charts.items()},
        "missing": list_missing_scripts(view),
        "font": FONT,
        "with_appendix": with_appendix,
    }
    inputs = {"report": show_direction_controls(msgspec.json.encode(data).decode())}
    pdf: bytes = typst.compile(read_template(), format="pdf", sys_inputs=inputs, timestamp=int(made_at.timestamp()))
    return pdf


def list_missing_scripts(view: View) -> list[str]:
    """Return the names of the scripts that the report uses and no font of this machine covers."""
    by_script: dict[str, set[str]] = {}
    for char in {char for text in _iterate_texts(view) for char in text if ord(char) > 0x24F and not char.isspace()}:
        by_script.setdefault(_find_script(char), set()).add(char)
    return sorted(script for script, chars in by_script.items() if not _has_glyphs("".join(sorted(chars))))


def _has_glyphs(chars: str) -> bool:
    try:
        typst.compile(_PROBE, format="pdf", pdf_standards=["a-2b"], sys_inputs={"text": chars})
    except typst.TypstError:
        return False
    return True


def _find_script(char: str) -> str:
    """Return the script of a character: the first word of the name of a letter, or `symbols` for anything else."""
    if unicodedata.category(char)[0] not in "LMN":
        return "symbols"
    word = unicodedata.name(char, "").partition(" ")[0].partition("-")[0]
    return {"CJK": "Chinese characters", "": "unnamed letters"}.get(word, word.capitalize())


def _iterate_texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield show_direction_controls(value)
    elif isinstance(value, dict):
        for each in value.values():
            yield from _iterate_texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _iterate_texts(each)


@cache
def read_template() -> bytes:
    return files("sightline.reports").joinpath("templates", "weekly.typ").read_bytes()

"""The tables of a report's appendix, which readers ask for: every figure behind the page, and the quoted answers."""

from typing import Any

from sightline.metrics.figure import Figure
from sightline.metrics.registry import REGISTRY
from sightline.platforms.names import platform_name
from sightline.presentation.changes import COMPARISON_RULE, RANKING_RULE, VERDICT_RULE, format_verdict
from sightline.presentation.dates import format_datetime
from sightline.presentation.language import gettext, pgettext
from sightline.presentation.numbers import NOT_MEASURED, add_unit, format_number, format_percent
from sightline.presentation.phrases import METRIC_NAMES, country_name
from sightline.presentation.ranges import (
    TWO_RANGES,
    format_interval,
    format_market_range,
    format_position,
    format_position_range,
    format_range,
)
from sightline.presentation.source_types import name_site_type
from sightline.reports.weekly.models import HeadlineLine, ReportDocument
from sightline.reports.weekly.phrases import list_notices
from sightline.scans.schemas.results import CompetitorResult, Headline

_RANKED = ("share_of_voice_pct", "market_position")
_TABLE_METRICS = ("visibility_score", "brand_coverage_pct", "ai_mentions", "citation_count", *_RANKED)
Row = list[str]


def build_appendix(document: ReportDocument, *, names_maker: bool = True) -> dict[str, Any]:
    """Return the tables, each with a title, columns and rows of texts, and what explains them."""
    platforms = [(platform_name(row.platform), row) for row in document.platforms]
    countries = [(country_name(row.country), row) for row in document.countries]
    if [row.country for row in document.countries] == [None]:  # every prompt was asked without a market
        countries = []
    tables = [
        _tabulate_headline(document),
        _tabulate_parts(gettext("By platform"), gettext("Platform"), platforms),
        _tabulate_parts(gettext("By country"), gettext("Country"), countries),
        _tabulate_brands(document),
        _tabulate_sources(document),
    ]
    return {
        "title": gettext("Appendix"),
        "tables": [table for table in tables if table["rows"]],
        "notices": list_notices(document),
        "proofs_title": gettext("Quoted answers"),
        "proofs_note": gettext("Quotes are word for word. Members of the workspace can open the full answers."),
        "read_answer": gettext("Read the full answer"),
        "proofs": [
            {
                "source": f"{platform_name(proof.platform)} \u00b7 {proof.prompt}",
                "before": proof.before,
                "marked": proof.marked,
                "after": proof.after,
                "url": proof.url,
            }
            for proof in document.proofs
        ],
        "method_title": gettext("How to read this report"),
        "method": _describe_method(),
        "versions": _describe_versions(document, names_maker=names_maker),
    }


def _build_table(title: str, columns: Row, rows: list[Row], own: list[int] | None = None) -> dict[str, Any]:
    """Return a table. The first cells of its rows are names, which are not translated."""
    return {"title": title, "columns": columns, "rows": rows, "own": own or [], "has_names": True}


def _tabulate_headline(document: ReportDocument) -> dict[str, Any]:
    columns = [
        gettext("Figure"),
        gettext("Value"),
        gettext("For these prompts"),
        gettext("For questions like these"),
        gettext("Previous Full Check"),
        gettext("Change"),
    ]
    rows = [_list_headline_cells(line) for line in document.headline]
    return _build_table(gettext("Key figures"), columns, rows) | {"has_names": False}


def _list_headline_cells(line: HeadlineLine) -> Row:
    figure, unit = line.figure, "%" if line.key.endswith("_pct") else ""
    change, market = figure.comparison, format_market_range(figure)
    is_rank = line.key == "market_position"
    return [
        gettext(METRIC_NAMES[line.key]),
        format_position(figure)
        if is_rank
        else add_unit(format_number(figure.value), unit * (figure.value is not None)),
        format_position_range(figure) if is_rank else format_interval(figure, unit),
        add_unit(market, unit) if market else "",
        NOT_MEASURED if line.before is None else _format_value(line.before, unit),
        "" if change is None else format_verdict(change),
    ]


def _format_value(figure: Figure, unit: str) -> str:
    return NOT_MEASURED if figure.value is None else add_unit(format_number(figure.value), unit)


def _tabulate_parts(title: str, first: str, parts: list[tuple[str, Any]]) -> dict[str, Any]:
    columns = [first, gettext("Answers"), *(gettext(METRIC_NAMES[key]) for key in _TABLE_METRICS)]
    return _build_table(title, columns, [[name, *_list_cells(row, row.valid, row.planned)] for name, row in parts])


def _list_cells(row: Headline, valid: int, planned: int) -> Row:
    """Return the cells of a platform or country: answers, then each metric with its range."""
    return [
        gettext("%(valid)s of %(planned)s", valid=format_number(valid), planned=format_number(planned)),
        _join(format_number(row.visibility_score.value), format_interval(row.visibility_score)),
        _join(format_percent(row.brand_coverage_pct.value), format_interval(row.brand_coverage_pct, "%")),
        format_number(row.ai_mentions.value),
        format_number(row.citation_count.value),
        _join(format_percent(row.share_of_voice_pct.value), format_interval(row.share_of_voice_pct, "%")),
        _join(format_position(row.market_position), format_position_range(row.market_position)),
    ]


def _join(value: str, interval: str) -> str:
    return f"{value} ({interval})" if interval else value


def _tabulate_brands(document: ReportDocument) -> dict[str, Any]:
    columns = [
        gettext("Brand"),
        gettext("Position"),
        gettext("Visibility Score"),
        gettext("AI Mentions"),
        gettext("Share of Voice"),
    ]
    own = [place for place, row in enumerate(document.competitors) if row.is_own]
    return _build_table(
        gettext("Tracked brands"), columns, [_list_brand_cells(row) for row in document.competitors], own
    )


def _list_brand_cells(row: CompetitorResult) -> Row:
    is_certain = row.position_low == row.position_high
    position = gettext("Not ranked") if row.position is None else format_number(row.position)
    interval = "" if row.position is None or is_certain else format_range(row.position_low, row.position_high)
    return [
        row.name,
        _join(position, interval),
        _join(format_number(row.score.value), format_interval(row.score)),
        format_number(row.mentions),
        format_percent(row.share_of_voice_pct),
    ]


def _tabulate_sources(document: ReportDocument) -> dict[str, Any]:
    title = gettext("Cited sites")
    if document.sources_total > len(document.sources):
        title = gettext(
            "The %(shown)s most cited of %(total)s sites",
            shown=len(document.sources),
            total=format_number(document.sources_total),
        )
    columns = [gettext("Site"), gettext("Type"), gettext("Answers")]
    rows = [[row.domain, name_site_type(row.type), format_number(row.answers)] for row in document.sources]
    return _build_table(title, columns, rows, [place for place, row in enumerate(document.sources) if row.is_own])


def _describe_method() -> str:
    """Explain the main figure, the ranges, the verdicts, the dash and which answers count."""
    score = REGISTRY["visibility_score"]
    dash = gettext("A dash means that there is no value. 0 is a measured value.")
    valid = gettext("Only AI answers with at least 20 characters of text are counted.")
    checks = gettext("A Full Check runs all prompts once a week. On the other days, a Daily Check may run fewer.")
    explained = f"{gettext(score.name)}: {gettext(score.explanation)}"
    rules = (TWO_RANGES, VERDICT_RULE, RANKING_RULE, COMPARISON_RULE)
    return " ".join((explained, checks, *map(gettext, rules), dash, valid))


def _describe_versions(document: ReportDocument, *, names_maker: bool) -> str:
    method = document.method
    maker = f"Sightline {method.sightline_version}, " if names_maker else ""
    text = maker + gettext(
        "metrics version %(metrics)s, extractor version %(extractor)s, answers: %(source)s, check %(check)s",
        metrics=method.metrics_version,
        extractor=method.extractor_version,
        source=pgettext("answers", "sandbox") if document.answers_source == "sandbox" else document.answers_source,
        check=document.scan_id,
    )
    return f"{gettext('Full Check of %(date)s', date=format_datetime(document.period_end))}. {text}"

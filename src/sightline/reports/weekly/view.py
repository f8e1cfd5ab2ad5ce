"""A report in words, ready to be set: every text that stands on the page and in the PDF, the same in both.

Templates only arrange these texts; what they hold is never markup.
"""

import uuid
from datetime import datetime
from typing import Any

from sightline.answers.plain_text import strip_markdown
from sightline.kit.counting import count
from sightline.metrics.figure import round_value
from sightline.platforms.names import platform_name
from sightline.presentation.dates import format_date, format_datetime, format_period
from sightline.presentation.metric_cards import build_metric_card
from sightline.presentation.numbers import format_number
from sightline.presentation.phrases import SANDBOX, SANDBOX_WHY, country_name
from sightline.reports.weekly.models import HeadlineLine, Moved, ReportDocument
from sightline.reports.weekly.phrases import describe_scope
from sightline.reports.weekly.tables import list_columns, list_countries, say_sources, show_competitor, show_source

View = dict[str, Any]

_ALERTS = {"confirmed": "open", "resolved": "over"}
METHOD = (
    "A range is the 95 % interval: what the same questions, asked again, would likely give. A change counts as Up or "
    "Down only when a paired test of the answers that were asked both times holds (p below 0.05) and it is at least 3 "
    "answers and 5 points; anything else is No clear change. A dash means not measured; 0 means measured and absent."
)


def make_view(document: ReportDocument) -> View:
    end = datetime.fromisoformat(document.period_end)
    start = datetime.fromisoformat(document.period_start)
    return {
        "title": document.title,
        "brand": document.brand,
        "domain": document.domain,
        "period": format_date(end) if document.is_first else format_period(start, end),
        "stamp": f"Full Check of {format_datetime(end)}",
        "size": f"{count(document.method.prompts, 'prompt')} on {count(document.method.platforms, 'platform')}, "
        f"{document.method.valid:,} of {count(document.method.planned, 'answer')} valid",
        "is_first": document.is_first,
        "sandbox": [SANDBOX, SANDBOX_WHY] if document.answers_source == "sandbox" else None,
        "summary": document.summary,
        "notices": [[notice.title, notice.text] for notice in document.notices],
        "cards": [_build_card(line, document) for line in document.headline],
        "moved": _moved(document),
        "platforms": [
            [platform_name(row.platform), *list_columns(row, row.valid, row.planned)] for row in document.platforms
        ],
        "countries": list_countries(document),
        "competitors": [show_competitor(row) for row in document.competitors],
        "sentiment": _sentiment(document),
        "themes": _themes(document),
        "themes_note": _say_no_themes(document),
        "sources": [show_source(row) for row in document.sources],
        "sources_note": say_sources(document),
        "tasks": _tasks(document),
        "opportunities": _opportunities(document),
        "alerts": _alerts(document),
        "proofs": _proofs(document),
        "method": METHOD,
        "versions": _versions(document),
    }


def _build_card(line: HeadlineLine, document: ReportDocument) -> View:
    figure = line.figure
    return build_metric_card(line.key, figure, figure.comparison, before=line.before, is_first=document.is_first)


def _versions(document: ReportDocument) -> str:
    method = document.method
    return (
        f"Sightline {method.sightline_version}, metrics version {method.metrics_version}, extractor version "
        f"{method.extractor_version}, answers: {document.answers_source}, check {document.scan_id}"
    )


def _sentiment(document: ReportDocument) -> str:
    found = document.sentiment
    if found is None:
        return ""
    if found.low_data:
        return f"Not measured: {count(found.responses_analyzed, 'answer')} could be scored, and it takes 3."
    mixed = " (mixed)" if found.mixed else ""
    said = (
        f"{format_number(found.score)} of 100, {found.label}{mixed}: {found.positive} positive, {found.neutral} "
        f"neutral and {found.negative} negative of {count(found.responses_analyzed, 'scored answer')}."
    )
    if found.unscored:
        said += f" {found.unscored} could not be scored and {'counts' if found.unscored == 1 else 'count'} for nothing."
    return said


def _say_no_themes(document: ReportDocument) -> str:
    if document.themes:
        return ""
    if not document.themed:
        return "Brand Themes are part of the Professional and Agency plans."
    return f"No theme: nothing is said of {document.brand} in at least 3 answers on at least 2 platforms."


def _themes(document: ReportDocument) -> list[View]:
    return [
        {
            "name": each.descriptor,
            "chips": ["sets you apart" if each.distinctive else "shared with competitors"]
            + ([each.polarity] if each.polarity else []),
            "count": count(each.answers, "answer"),
            "quote": strip_markdown(each.quote),
            "links": _links(document, each.answer_ids),
        }
        for each in document.themes
    ]


def _tasks(document: ReportDocument) -> list[View]:
    return [
        {
            "action": each.action,
            "reason": each.reason,
            "prompt": each.prompt or "",
            "pages": list(each.pages),
            "count": count(each.answers, "answer") if each.answers else "",
            "links": _links(document, each.answer_ids),
        }
        for each in document.tasks
    ]


def _opportunities(document: ReportDocument) -> list[View]:
    return [
        {
            "prompt": each.prompt,
            "market": "" if each.country is None else country_name(each.country),
            "score": format_number(round_value(each.score)),
            "chips": ["low evidence"] * each.low_evidence,
            "links": _links(document, each.answer_ids),
        }
        for each in document.opportunities
    ]


def _alerts(document: ReportDocument) -> list[str]:
    return [
        f"{each.type.replace('_', ' ').capitalize()} {describe_scope(each.scope)}, first seen on "
        f"{format_date(each.watched_at)} ({_ALERTS.get(each.state, each.state)})"
        for each in document.alerts
    ]


def _moved(document: ReportDocument) -> list[View]:
    groups = (("Named now, not last time", document.appeared), ("Named last time, not now", document.disappeared))
    return [
        {
            "title": f"{title}: {count(way.cells, 'answer')}",
            "note": f"The first {len(way.first)} of them." if way.cells > len(way.first) else "",
            "rows": [_moved_row(document, each) for each in way.first],
        }
        for title, way in groups
        if way.cells
    ]


def _moved_row(document: ReportDocument, moved: Moved) -> View:
    where = platform_name(moved.platform) + ("" if moved.country is None else f", {country_name(moved.country)}")
    ids = () if moved.answer_id is None else (moved.answer_id,)
    return {"prompt": moved.prompt, "where": where, "links": _links(document, ids)}


def _links(document: ReportDocument, answer_ids: tuple[uuid.UUID, ...]) -> list[View]:
    """To the passages at the end of the report, by number."""
    numbers = {proof.answer_id: number for number, proof in enumerate(document.proofs, 1)}
    return [{"number": numbers[one], "id": f"a{numbers[one]}"} for one in answer_ids if one in numbers]


def _proofs(document: ReportDocument) -> list[View]:
    return [
        {
            "id": f"a{number}",
            "number": number,
            "prompt": proof.prompt,
            "platform": platform_name(proof.platform),
            "before": proof.before,
            "marked": proof.marked,
            "after": proof.after,
            "url": proof.url,
        }
        for number, proof in enumerate(document.proofs, 1)
    ]

"""The texts of a weekly report, the same for the HTML page and the PDF.

Templates only arrange these texts; none of them is ever markup.
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
from sightline.presentation.phrases import SANDBOX, SANDBOX_WHY, country_name, describe_unread_themes, describe_unscored
from sightline.presentation.ranges import TWO_RANGES
from sightline.reports.weekly.models import HeadlineLine, MovedCell, ReportDocument
from sightline.reports.weekly.phrases import describe_alert
from sightline.reports.weekly.short_view import build_short_view
from sightline.reports.weekly.tables import (
    build_competitor_row,
    build_country_rows,
    build_metric_columns,
    build_source_row,
    describe_sources,
)
from sightline.scoreboard.check_changes.sentences import describe_winners

View = dict[str, Any]

_MAX_WINNERS = 8
_ALERT_STATES = {"confirmed": "open", "resolved": "over"}
METHOD_NOTE = (
    f"{TWO_RANGES} A change counts as Up or Down only when a paired test of the answers that were asked both times "
    "holds (p below 0.05) and it is at least 3 answers and 5 points; anything else is No clear change. A dash means "
    "not measured; 0 means measured and absent."
)


def build_view(document: ReportDocument) -> View:
    """Build every text of the report, by its place in the templates."""
    end = datetime.fromisoformat(document.period_end)
    start = datetime.fromisoformat(document.period_start)
    view = {
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
        "moved": _list_moved(document),
        "platforms": [
            [platform_name(row.platform), *build_metric_columns(row, row.valid, row.planned)]
            for row in document.platforms
        ],
        "countries": build_country_rows(document),
        "competitors": [build_competitor_row(row) for row in document.competitors],
        "sentiment": _describe_sentiment(document),
        "themes": _list_themes(document),
        "themes_note": _describe_missing_themes(document),
        "sources": [build_source_row(row) for row in document.sources],
        "sources_note": describe_sources(document),
        "tasks": _list_tasks(document),
        "tasks_note": _describe_more_tasks(document),
        "effects": [
            {
                "action": each.action,
                "summary": each.summary,
                "note": f"Done on {format_date(each.done_at)}, for {count(each.prompts, 'prompt')}.",
            }
            for each in document.effects
        ],
        "opportunities": _list_opportunities(document),
        "alerts": _list_alerts(document),
        "proofs": _list_proofs(document),
        "method": METHOD_NOTE,
        "versions": _describe_versions(document),
    }
    total = len(document.tasks) if document.tasks_total is None else document.tasks_total
    return view | {"short": build_short_view(view, document.tasks, total)}


def _build_card(line: HeadlineLine, document: ReportDocument) -> View:
    figure = line.figure
    return build_metric_card(line.key, figure, figure.comparison, before=line.before, is_first=document.is_first)


def _describe_versions(document: ReportDocument) -> str:
    method = document.method
    return (
        f"Sightline {method.sightline_version}, metrics version {method.metrics_version}, extractor version "
        f"{method.extractor_version}, answers: {document.answers_source}, check {document.scan_id}"
    )


def _describe_sentiment(document: ReportDocument) -> str:
    found = document.sentiment
    if found is None:
        return ""
    unscored = describe_unscored(found.unscored, found.unscored_reasons)
    if found.low_data:
        text = f"Not measured: {count(found.responses_analyzed, 'answer')} could be scored, and it takes 3."
        return f"{text} {unscored}".rstrip()
    mixed = " (mixed)" if found.mixed else ""
    text = (
        f"{format_number(found.score)} of 100, {found.label}{mixed}: {found.positive} positive, {found.neutral} "
        f"neutral and {found.negative} negative of {count(found.responses_analyzed, 'scored answer')}."
    )
    return f"{text} {unscored}".rstrip()


def _describe_missing_themes(document: ReportDocument) -> str:
    if not document.themed:
        return "Brand Themes are part of the Professional and Agency plans."
    unread = describe_unread_themes(document.unread_themes)
    if document.themes:
        return unread
    none = f"No theme: nothing is praised or criticized about {document.brand} in at least 3 answers."
    return f"{none} {unread}".rstrip()


def _list_themes(document: ReportDocument) -> list[View]:
    return [
        {
            "name": each.descriptor,
            "chips": ["sets you apart" if each.distinctive else "said of others, too"]
            + ([each.polarity] if each.polarity else []),
            "count": ". ".join(filter(None, (count(each.answers, "answer"), each.change))),
            "quotes": [strip_markdown(quote) for quote in each.quotes or (each.quote,) if quote],
            "links": _list_links(document, each.answer_ids),
            "place": place,
        }
        for place, each in enumerate(document.themes)
    ]


def _list_tasks(document: ReportDocument) -> list[View]:
    return [
        {
            "action": each.action,
            "reason": each.reason,
            "prompt": each.prompt or "",
            "effect": " ".join(filter(None, (each.effect, f"Effort: {each.effort}." if each.effort else ""))),
            "steps": list(each.steps),
            "quotes": [strip_markdown(quote) for quote in each.quotes],
            "pages": list(each.pages),
            "links": _list_links(document, each.answer_ids),
            "place": place,
        }
        for place, each in enumerate(document.tasks)
    ]


def _describe_more_tasks(document: ReportDocument) -> str:
    more = (document.tasks_total or 0) - len(document.tasks)
    return f"{count(more, 'more recommendation')} with a smaller expected effect in the app." if more > 0 else ""


def _list_opportunities(document: ReportDocument) -> list[View]:
    return [
        {
            "prompt": each.prompt,
            "market": "" if each.country is None else country_name(each.country),
            "score": format_number(round_value(each.score)),
            "chips": ["low evidence"] * each.low_evidence,
            "links": _list_links(document, each.answer_ids),
        }
        for each in document.opportunities
    ]


def _list_alerts(document: ReportDocument) -> list[str]:
    return [
        f"{describe_alert(each.type, each.scope)}, first seen on "
        f"{format_date(each.watched_at)} ({_ALERT_STATES.get(each.state, each.state)})"
        for each in document.alerts
    ]


def _list_moved(document: ReportDocument) -> list[View]:
    groups = (
        ("Named now, not last time", document.appeared, "gained"),
        ("Named last time, not now", document.disappeared, "lost"),
    )
    moved = [
        {
            "change": change,
            "number": movement.cells,
            "title": f"{title}: {count(movement.cells, 'answer')}",
            "note": f"The first {len(movement.first)} of them." if movement.cells > len(movement.first) else "",
            "rows": [_build_moved_row(document, each) for each in movement.first],
        }
        for title, movement, change in groups
        if movement.cells
    ]
    if document.winners:
        rows = [
            {"prompt": each.prompt, "where": describe_winners(each), "links": []}
            for each in document.winners[:_MAX_WINNERS]
        ]
        note = f"The first {_MAX_WINNERS} of them." if len(document.winners) > _MAX_WINNERS else ""
        title = f"Another brand is named most: {count(len(document.winners), 'prompt')}"
        moved.append({"change": "", "number": len(document.winners), "title": title, "note": note, "rows": rows})
    return moved


def _build_moved_row(document: ReportDocument, moved: MovedCell) -> View:
    where = platform_name(moved.platform) + ("" if moved.country is None else f", {country_name(moved.country)}")
    ids = () if moved.answer_id is None else (moved.answer_id,)
    return {"prompt": moved.prompt, "where": where, "links": _list_links(document, ids)}


def _list_links(document: ReportDocument, answer_ids: tuple[uuid.UUID, ...]) -> list[View]:
    """Return links to the passages at the end of the report, by number."""
    numbers = {proof.answer_id: number for number, proof in enumerate(document.proofs, 1)}
    return [{"number": numbers[one], "id": f"a{numbers[one]}"} for one in answer_ids if one in numbers]


def _list_proofs(document: ReportDocument) -> list[View]:
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

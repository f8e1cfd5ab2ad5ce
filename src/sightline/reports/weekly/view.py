"""The texts of a weekly report, the same for the HTML page and the PDF.

Templates only arrange these texts; none of them is ever markup.
"""

import uuid
from datetime import datetime
from typing import Any

from sightline.answers.plain_text import strip_markdown
from sightline.insights.findings.sentences import TIER_NAMES, TIER_ODDS
from sightline.kit.rounding import round_half_away
from sightline.metrics.figure import round_value
from sightline.platforms.names import platform_name
from sightline.presentation.dates import format_date, format_datetime, format_period
from sightline.presentation.language import gettext, ngettext, pgettext, translatable
from sightline.presentation.metric_cards import build_metric_card
from sightline.presentation.numbers import format_number, format_percent
from sightline.presentation.phrases import (
    SANDBOX,
    SANDBOX_WHY,
    count_answers,
    count_platforms,
    count_prompts,
    country_name,
    describe_unread_themes,
    describe_unscored,
)
from sightline.presentation.ranges import format_interval, format_position, format_position_range, format_range
from sightline.presentation.source_types import name_site_type
from sightline.reports.sentiment import (
    count_negative,
    count_neutral,
    count_positive,
    count_scored_answers,
    describe_low_data,
    name_sentiment,
)
from sightline.reports.weekly.models import HeadlineLine, MovedCell, ReportDocument, ThemeLine
from sightline.reports.weekly.short_view import build_short_view
from sightline.scans.schemas.results import CompetitorResult, Headline, SourceResult

View = dict[str, Any]

_EFFORTS = {
    "low": translatable("Effort: low."),
    "medium": translatable("Effort: medium."),
    "high": translatable("Effort: high."),
}


def build_view(document: ReportDocument, *, with_appendix: bool = False) -> View:
    """Build every text of the report, by its place in the templates."""
    end = datetime.fromisoformat(document.period_end)
    start = datetime.fromisoformat(document.period_start)
    view = {
        "title": document.title,
        "brand": document.brand,
        "domain": document.domain,
        "period": format_date(end) if document.is_first else format_period(start, end),
        "stamp": gettext("Full Check of %(date)s", date=format_datetime(end)),
        "size": ngettext(
            "%(prompts)s on %(platforms)s; %(valid)s of %(requests)s request got a valid answer",
            "%(prompts)s on %(platforms)s; %(valid)s of %(requests)s requests got a valid answer",
            document.method.planned,
            prompts=count_prompts(document.method.prompts),
            platforms=count_platforms(document.method.platforms),
            valid=format_number(document.method.valid),
            requests=format_number(document.method.planned),
        ),
        "is_first": document.is_first,
        "sandbox": [gettext(SANDBOX), gettext(SANDBOX_WHY)] if document.answers_source == "sandbox" else None,
        "summary": document.summary,
        "notices": [[notice.title, notice.text] for notice in document.notices],
        "cards": [_build_card(line, document) for line in document.headline],
        "findings": [
            {"text": each.text, "tier": "" if each.kind == "source" else gettext(TIER_NAMES[each.tier])}
            for each in document.findings
        ],
        "odds": gettext(TIER_ODDS) if any(each.tier == "watch" for each in document.findings) else "",
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
                "note": ngettext(
                    "Done on %(date)s, for %(number)s prompt.",
                    "Done on %(date)s, for %(number)s prompts.",
                    each.prompts,
                    date=format_date(each.done_at),
                    number=format_number(each.prompts),
                ),
            }
            for each in document.effects
        ],
        "opportunities": _list_opportunities(document),
        "proofs": _list_proofs(document),
        "versions": _describe_versions(document),
    }
    total = len(document.tasks) if document.tasks_total is None else document.tasks_total
    return view | {"short": build_short_view(view, document.tasks, total, with_appendix=with_appendix)}


def _build_card(line: HeadlineLine, document: ReportDocument) -> View:
    figure = line.figure
    return build_metric_card(
        line.key,
        figure,
        figure.comparison,
        brand=document.brand,
        answers=document.figure("brand_coverage_pct").n,
        before=line.before,
        is_first=document.is_first,
    )


def _describe_versions(document: ReportDocument) -> str:
    method = document.method
    return gettext(
        "Sightline %(version)s, metrics version %(metrics)s, extractor version %(extractor)s, answers: %(source)s, "
        "check %(check)s",
        version=method.sightline_version,
        metrics=method.metrics_version,
        extractor=method.extractor_version,
        source=pgettext("answers", "sandbox") if document.answers_source == "sandbox" else document.answers_source,
        check=document.scan_id,
    )


def _describe_sentiment(document: ReportDocument) -> str:
    found = document.sentiment
    if found is None:
        return ""
    unscored = describe_unscored(document.brand, found.unscored, found.unscored_reasons)
    if found.low_data:
        return f"{describe_low_data(found.responses_analyzed)} {unscored}".rstrip()
    text = gettext(
        "Median %(score)s of 100, %(label)s: %(positive)s, %(neutral)s and %(negative)s of %(answers)s.",
        score=format_number(found.score),
        label=name_sentiment(found.label or "neutral", mixed=found.mixed),
        positive=count_positive(found.positive),
        neutral=count_neutral(found.neutral),
        negative=count_negative(found.negative),
        answers=count_scored_answers(found.responses_analyzed),
    )
    return f"{text} {unscored}".rstrip()


def _describe_missing_themes(document: ReportDocument) -> str:
    if not document.themed:
        return gettext("Brand Themes are part of the Professional and Agency plans.")
    unread = describe_unread_themes(document.unread_themes)
    if document.edited_by:
        edited = gettext("Edited by %(editor)s.", editor=document.edited_by)
        unread = f"{edited} {unread}".rstrip()
    if document.themes:
        return unread
    none = gettext(
        "No themes: no praise or criticism of %(brand)s appears in at least 3 answers.", brand=document.brand
    )
    return f"{none} {unread}".rstrip()


def _count_theme(theme: ThemeLine, brand: str) -> str:
    return gettext(
        "%(answers)s, %(share)s of those that name %(brand)s",
        answers=count_answers(theme.answers),
        share=format_percent(round_half_away(theme.share)),
        brand=brand,
    )


def _list_themes(document: ReportDocument) -> list[View]:
    return [
        {
            "name": each.descriptor,
            "chips": [gettext("sets you apart") if each.distinctive else gettext("shared with competitors")]
            + ([name_sentiment(each.polarity)] if each.polarity else []),
            "count": ". ".join(filter(None, (_count_theme(each, document.brand), each.change))),
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
            "effect": " ".join(filter(None, (each.effect, gettext(_EFFORTS[each.effort]) if each.effort else ""))),
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
    if more <= 0:
        return ""
    return ngettext(
        "%(number)s more recommendation with a smaller expected effect in the app.",
        "%(number)s more recommendations with a smaller expected effect in the app.",
        more,
        number=format_number(more),
    )


def _list_opportunities(document: ReportDocument) -> list[View]:
    return [
        {
            "prompt": each.prompt,
            "market": "" if each.country is None else country_name(each.country),
            "score": format_number(round_value(each.score)),
            "chips": [gettext("low evidence")] * each.low_evidence,
            "links": _list_links(document, each.answer_ids),
        }
        for each in document.opportunities
    ]


def _list_moved(document: ReportDocument) -> list[View]:
    groups = (
        (gettext("Answers that now name %(brand)s", brand=document.brand), document.appeared, "gained"),
        (gettext("Answers that no longer name %(brand)s", brand=document.brand), document.disappeared, "lost"),
    )
    return [
        {
            "change": change,
            "number": movement.cells,
            "title": title,
            "count": format_number(movement.cells),
            "note": _describe_first(len(movement.first), movement.cells),
            "rows": [_build_moved_row(document, each) for each in movement.first],
        }
        for title, movement, change in groups
        if movement.cells
    ]


def _describe_first(shown: int, total: int) -> str:
    return gettext("The first %(number)s, in the order of the prompts:", number=shown) if total > shown else ""


def _build_moved_row(document: ReportDocument, moved: MovedCell) -> View:
    where = platform_name(moved.platform) + ("" if moved.country is None else f", {country_name(moved.country)}")
    ids = () if moved.answer_id is None else (moved.answer_id,)
    return {"prompt": moved.prompt, "where": where, "links": _list_links(document, ids)}


def _list_links(document: ReportDocument, answer_ids: tuple[uuid.UUID, ...]) -> list[View]:
    """Return links to the passages at the end of the report, by number."""
    numbers = {proof.answer_id: number for number, proof in enumerate(document.proofs, 1)}
    return [
        {"text": gettext("Answer %(number)s", number=numbers[one]), "id": f"a{numbers[one]}"}
        for one in answer_ids
        if one in numbers
    ]


def _list_proofs(document: ReportDocument) -> list[View]:
    return [
        {
            "id": f"a{number}",
            "title": gettext("Answer %(number)s", number=number),
            "prompt": proof.prompt,
            "platform": platform_name(proof.platform),
            "before": proof.before,
            "marked": proof.marked,
            "after": proof.after,
            "url": proof.url,
        }
        for number, proof in enumerate(document.proofs, 1)
    ]


def build_source_row(row: SourceResult) -> dict[str, Any]:
    return {
        "domain": row.domain,
        "kind": name_site_type(row.type),
        "answers": format_number(row.answers),
        "counted": row.answers,
        "own": row.is_own,
    }


def build_metric_columns(row: Headline, valid: int, planned: int) -> list[list[str]]:
    """Return pairs of value and range, in the order of the columns: answers, then the metrics of the headline."""
    return [
        [gettext("%(valid)s of %(planned)s", valid=format_number(valid), planned=format_number(planned)), ""],
        [format_number(row.visibility_score.value), format_interval(row.visibility_score)],
        [format_percent(row.brand_coverage_pct.value), format_interval(row.brand_coverage_pct, "%")],
        [format_number(row.ai_mentions.value), ""],
        [format_number(row.citation_count.value), ""],
        [format_percent(row.share_of_voice_pct.value), format_interval(row.share_of_voice_pct, "%")],
        [format_position(row.market_position), format_position_range(row.market_position)],
    ]


def build_country_rows(document: ReportDocument) -> list[list[Any]]:
    """Return a row for each country; none where every prompt was asked without a market."""
    if [row.country for row in document.countries] == [None]:
        return []
    return [
        [country_name(row.country), *build_metric_columns(row, row.valid, row.planned)] for row in document.countries
    ]


def build_competitor_row(row: CompetitorResult) -> dict[str, Any]:
    position = gettext("Not ranked") if row.position is None else format_number(row.position)
    is_certain = row.position_low == row.position_high
    return {
        "name": row.name,
        "full_name": row.name,
        "own": row.is_own,
        "tied": row.tied,
        "position": position,
        "positions": "" if row.position is None or is_certain else format_range(row.position_low, row.position_high),
        "score": format_number(row.score.value),
        "score_range": format_interval(row.score),
        "mentions": format_number(row.mentions),
        "counted": row.mentions,
        "share": format_percent(row.share_of_voice_pct),
    }


def describe_sources(document: ReportDocument) -> str:
    if not document.sources:
        return gettext("No answer cites a source.")
    if document.sources_total > len(document.sources):
        return gettext(
            "The %(shown)s most cited of %(total)s sites.",
            shown=len(document.sources),
            total=format_number(document.sources_total),
        )
    return gettext("All cited sites.")

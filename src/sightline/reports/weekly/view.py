"""The texts of a weekly report, the same for the page, the PDF and the e-mail.

Templates only arrange these texts; none of them is ever markup.
"""

from datetime import datetime
from typing import Any

import msgspec

from sightline.insights.findings.league import League, LeagueRow, build_league
from sightline.insights.findings.sentences import TIER_ODDS
from sightline.insights.recommendations.actions import describe_action
from sightline.kit.rounding import round_half_away
from sightline.metrics.effect import EffectStatus
from sightline.metrics.good_for import judge_figure
from sightline.metrics.registry import REGISTRY
from sightline.platforms.names import editor_name, platform_name
from sightline.presentation.charts.small_charts import draw_slope
from sightline.presentation.dates import format_date, format_period, format_short_date
from sightline.presentation.effects import format_expected
from sightline.presentation.language import gettext, ngettext, pgettext, translatable
from sightline.presentation.numbers import format_number, format_percent
from sightline.presentation.palette import LIGHT, TONES
from sightline.presentation.phrases import (
    SANDBOX,
    SANDBOX_WHY,
    count_answers,
    count_platforms,
    count_prompts,
)
from sightline.presentation.ranges import GRADES
from sightline.reports.weekly.charts import list_pins
from sightline.reports.weekly.models import MAX_TASKS, EffectLine, ReportDocument, ReportRow
from sightline.reports.weekly.phrases import list_notices
from sightline.reports.weekly.translate import list_stored_findings, write_verdict
from sightline.scoreboard.answer_list.filter import AnswerFilter

View = dict[str, Any]

_MAX_EFFECTS = 2
_EFFECT_WORDS: dict[EffectStatus, str] = {
    "up": translatable("It worked"),
    "down": translatable("It did not work"),
    "no_clear_effect": translatable("No clear effect"),
    "too_early": translatable("Too early to tell"),
    "not_enough_history": translatable("Not enough history"),
}


def build_view(document: ReportDocument, row: ReportRow) -> View:
    """Build every text of the page, by its place in the templates."""
    start, end = (datetime.fromisoformat(each) for each in (document.period_start, document.period_end))
    league = _find_league(document)
    return {
        "title": document.title,
        "brand": document.brand,
        "period": format_date(end) if document.is_first else format_period(start, end),
        "sandbox": [gettext(SANDBOX), gettext(SANDBOX_WHY)] if document.answers_source == "sandbox" else None,
        "note": row.note or "",
        "verdict": write_verdict(document),
        "league": [_build_league_row(document, row) for row in league.rows],
        "top": league.top,
        "odds": gettext(TIER_ODDS) if any(each.tier == "watch" for each in document.findings) else "",
        "effects": [_build_effect(each, document.brand) for each in document.effects[:_MAX_EFFECTS] if each.facts],
        "quote": _build_quote(document),
        "tasks": _list_tasks(document, row.owners),
        "basis": _describe_basis(document),
        "answers_url": document.answers_url or "",
        "labels": _build_labels(document, league),
    }


def _build_labels(document: ReportDocument, league: League) -> dict[str, str]:
    first, last = (
        datetime.fromisoformat(each)
        for each in ((document.trend[0].completed_at, document.trend[-1].completed_at) if document.trend else [])
    )
    weeks = round((last - first).days / 7)
    return {
        "league": gettext("Who is named"),
        "league_note": gettext("Visibility Score, %(ranges)s", ranges=league.ranges),
        "trend": ngettext("Over %(num)s week", "Over %(num)s weeks", max(1, weeks)),
        "trend_note": gettext("pins: what we did, and changes of a model") if list_pins(document) else "",
        "effects": gettext("What we did \u2192 what happened"),
        "quote": gettext("In their words"),
        "tasks": gettext("Next"),
        "no_tasks": gettext("No finding is clear enough to act on this week."),
        "owner": pgettext("of an action", "Owner"),
        "evidence": gettext("See the answers"),
    }


def _find_league(document: ReportDocument) -> League:
    """Return the brands by Visibility Score, with what the findings say about each."""
    quiet = "" if document.changes is None else gettext("no clear change")
    findings = list_stored_findings(document)
    return build_league(document.competitors, "visibility_score", findings, quiet=quiet, own_quiet=quiet)


def _build_league_row(document: ReportDocument, row: LeagueRow) -> View:
    verdict, tone = row.verdict, ""
    if row.chip is not None:
        verdict, tone = row.chip.words, row.chip.tone
        if tone == "watch":
            verdict = gettext("worth watching: %(change)s", change=verdict)
    wanted = AnswerFilter(check=str(document.scan_id), counted="headline")
    named = {"brand": "named"} if row.tone == "own" else {"competitor": row.name}
    return {
        "name": row.name,
        "place": row.place,
        "value": row.value,
        "range": row.range,
        "drawing": row.drawing,
        "tone": row.tone,
        "verdict": verdict,
        "verdict_tone": tone,
        "url": _find_url(document, msgspec.structs.replace(wanted, **named)),
    }


def _build_effect(line: EffectLine, brand: str) -> View:
    assert line.facts is not None
    found, treated = line.facts.effect, line.facts.effect.treated
    before, after = (None, None) if treated is None else (_round(treated.before), _round(treated.after))
    return {
        "action": describe_action(line.facts.action, line.facts.answers, brand).action,
        "date": format_short_date(line.done_at),
        "shares": ""
        if before is None or after is None
        else gettext(
            "%(brand)s named in %(before)s \u2192 %(after)s of these answers.",
            brand=brand,
            before=format_percent(before),
            after=format_percent(after),
        ),
        "drawing": ""
        if before is None or after is None
        else draw_slope(before, after, TONES.get(found.status, (LIGHT.other,))[0]),
        "verdict": gettext(_EFFECT_WORDS[found.status]),
        "tone": found.status if found.status in ("up", "down") else "",
    }


def _round(share: float) -> int:
    return int(round_half_away(share, 0))


def _build_quote(document: ReportDocument) -> View | None:
    quote = document.quote
    if quote is None:
        return None
    proof = next((each for each in document.proofs if each.answer_id == quote.answer_id), None)
    return {
        "parts": [[part.text, part.is_brand] for part in quote.parts],
        "source": f"{platform_name(quote.platform)}, {format_short_date(quote.answered_at)}",
        "url": "" if proof is None else proof.url,
    }


def list_actions(document: ReportDocument) -> list[str]:
    """Return the titles of the next actions."""
    return [
        describe_action(task.facts, task.answers, document.brand).action
        for task in document.tasks[:MAX_TASKS]
        if task.facts is not None
    ]


def _list_tasks(document: ReportDocument, owners: list[str]) -> list[View]:
    facts = [task.facts for task in document.tasks[:MAX_TASKS] if task.facts is not None]
    return [
        {
            "action": list_actions(document)[place],
            "expected": ""
            if (effect := found.expected) is None
            else format_expected(found.kind, effect.low, effect.high),
            "owner": owners[place] if place < len(owners) else "",
            "url": _find_url(document, AnswerFilter(evidence=f"report:{document.scan_id}:task:{place}")),
        }
        for place, found in enumerate(facts)
    ]


def _find_url(document: ReportDocument, wanted: AnswerFilter) -> str:
    """Return the address of a list of answers; empty in a report from before it had addresses."""
    return "" if document.answers_url is None else document.answers_url.partition("?")[0] + wanted.to_query()


def _describe_basis(document: ReportDocument) -> str:
    """Say in a line what the report is based on, and how far it can be trusted."""
    method = document.method
    basis = gettext(
        "%(answers)s, %(platforms)s, %(prompts)s.",
        answers=count_answers(method.valid),
        platforms=count_platforms(method.platforms),
        prompts=count_prompts(method.prompts),
    )
    good = judge_figure(REGISTRY["brand_coverage_pct"], document.figure("brand_coverage_pct"))
    titles = [gettext(GRADES[good.grade])] if good else []
    limits = "".join(f"{title}. " for title in [*titles, *(title for title, _ in list_notices(document))]).rstrip()
    editor = document.edited_by and gettext("Edited by %(editor)s.", editor=editor_name(document.edited_by))
    return " ".join(filter(None, (basis, limits, editor, _describe_site(document))))


def _describe_site(document: ReportDocument) -> str:
    """Return a sentence about the latest site review, if there was one."""
    review = document.site_review
    if review is None:
        return ""
    number = review.broken or review.others
    words = {"day": format_date(datetime.fromisoformat(review.completed_at)), "number": format_number(number)}
    if review.broken:
        return ngettext(
            "Site review of %(day)s: %(number)s fault on pages that answers cite.",
            "Site review of %(day)s: %(number)s faults on pages that answers cite.",
            number,
            **words,
        )
    return ngettext(
        "Site review of %(day)s: no cited page is broken, %(number)s other finding.",
        "Site review of %(day)s: no cited page is broken, %(number)s other findings.",
        number,
        **words,
    )

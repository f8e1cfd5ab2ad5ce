"""Writing the texts of a stored report again in the chosen language, from the facts that are stored next to them. Pure.

Reports from before these facts were kept are in English only.
"""

from datetime import datetime

import msgspec

from sightline.insights.findings.find import list_findings
from sightline.insights.findings.read import summarize_story, tell_story
from sightline.insights.recommendations.actions import describe_action
from sightline.metrics.figure import Figure
from sightline.presentation.effects import describe_effect
from sightline.presentation.phrases import describe_standing, describe_theme_change
from sightline.reports.weekly.models import EffectLine, ReportDocument, ReportTask, ThemeLine
from sightline.reports.weekly.phrases import build_summary, build_title, list_notices

_replace = msgspec.structs.replace


class _Standing(msgspec.Struct, frozen=True):
    brand_coverage_pct: Figure
    market_position: Figure


def translate_document(document: ReportDocument) -> ReportDocument:
    """Return the report with its texts in the chosen language; unchanged if the facts are missing."""
    facts, method = document.notice_facts, document.method
    if facts is None:
        return document
    start, end = (datetime.fromisoformat(each) for each in (document.period_start, document.period_end))
    total = document.tasks_total
    found = list(document.findings) or list_findings(document.changes, brand=document.brand)
    story = tell_story(document.changes, found, document.brand)
    standing = _Standing(document.figure("brand_coverage_pct"), document.figure("market_position"))
    return _replace(
        document,
        title=build_title(document.brand, start, end, is_first=document.is_first),
        summary=build_summary(
            describe_standing(document.brand, standing, has_ranking=bool(document.competitors)),
            summarize_story(story),
            is_first=document.is_first,
            is_measured=bool(method.valid),
            tasks=len(document.tasks) if total is None else total,
        ),
        findings=tuple(story.findings),
        notices=list_notices(document.brand, facts, method.valid, method.planned, document.platforms),
        themes=tuple(map(_translate_theme, document.themes)),
        tasks=tuple(_translate_task(each, document.brand) for each in document.tasks),
        effects=tuple(_translate_effect(each, document.brand) for each in document.effects),
    )


def _translate_theme(theme: ThemeLine) -> ThemeLine:
    if theme.change_verdict is None or theme.share_before is None:
        return theme
    return _replace(theme, change=describe_theme_change(theme.share_before, theme.change_verdict))


def _translate_task(task: ReportTask, brand: str) -> ReportTask:
    if task.facts is None:
        return task
    texts = describe_action(task.facts, task.answers, brand)
    return _replace(task, action=texts.action, reason=texts.why, effect=texts.effect, steps=texts.steps)


def _translate_effect(line: EffectLine, brand: str) -> EffectLine:
    facts = line.facts
    if facts is None:
        return line
    done_at = datetime.fromisoformat(line.done_at)
    summary = describe_effect(facts.effect, facts.checks, done_at=done_at, overlapping=facts.overlapping)
    return _replace(line, action=describe_action(facts.action, facts.answers, brand).action, summary=summary)

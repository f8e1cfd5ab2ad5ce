"""Writing the texts of a stored report in the chosen language, from the facts that are stored next to them. Pure.

Reports from before these facts were kept are in English only.
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from sightline.insights.findings.find import list_findings
from sightline.insights.findings.read import Story, summarize_story, tell_story
from sightline.insights.findings.schemas import Finding
from sightline.insights.findings.verdict import describe_verdict
from sightline.metrics.figure import Figure
from sightline.presentation.phrases import describe_standing
from sightline.reports.weekly.models import ReportDocument
from sightline.reports.weekly.phrases import build_summary, build_title


class _Standing(msgspec.Struct, frozen=True):
    brand_coverage_pct: Figure
    market_position: Figure


def translate_document(document: ReportDocument) -> ReportDocument:
    """Return the report with its title and summary in the chosen language; unchanged if the facts are missing."""
    if document.notice_facts is None:
        return document
    start, end = (datetime.fromisoformat(each) for each in (document.period_start, document.period_end))
    total = document.tasks_total
    return msgspec.structs.replace(
        document,
        title=build_title(document.brand, start, end, is_first=document.is_first),
        summary=build_summary(
            describe_standing(document.brand, _read_standing(document), has_ranking=bool(document.competitors)),
            summarize_story(_tell(document)),
            is_first=document.is_first,
            is_measured=bool(document.method.valid),
            tasks=len(document.tasks) if total is None else total,
        ),
    )


def write_verdict(document: ReportDocument) -> list[str]:
    """Return the verdict of a report, in at most two sentences."""
    return describe_verdict(_tell(document).findings, document.changes, document.brand, _read_standing(document))


def _tell(document: ReportDocument) -> Story:
    return tell_story(document.changes, list(list_stored_findings(document)), document.brand)


def list_stored_findings(document: ReportDocument) -> Sequence[Finding]:
    """Return the findings of a report; those of one from before they were stored are found again."""
    return document.findings or list_findings(document.changes, brand=document.brand)


def _read_standing(document: ReportDocument) -> _Standing:
    return _Standing(document.figure("brand_coverage_pct"), document.figure("market_position"))

"""An alert as a finding, and its summary. The API has the summary in English, pages in the reader's language.

What changed is written by the same function as every finding, so that an alert and a finding cannot contradict each
other.
"""

from sightline.insights.alerts.models import DIRECTIONS, AlertRow, Evidence
from sightline.insights.alerts.scopes import parse_scope
from sightline.insights.findings.schemas import Finding, FindingKind
from sightline.insights.findings.sentences import describe_change
from sightline.kit.clock import to_iso
from sightline.presentation.language import gettext
from sightline.presentation.numbers import format_number


def build_alert_finding(row: AlertRow, evidence: Evidence, prompt: str | None = None) -> Finding:
    """Return an alert as a finding that is worth watching.

    It counts what decided: the previous Daily Check, or the earlier ones if only they show the change.
    """
    scope, before, now = parse_scope(row.scope), evidence.before, evidence.now
    kind: FindingKind = scope.kind if scope.kind != "overall" else "competitor" if scope.competitor else "brand"
    if evidence.history is not None and "previous_daily" not in evidence.rules:
        before, now = evidence.history.before, evidence.history.now
    # Confirmed alerts of earlier releases count the check that confirmed them.
    day = row.confirmed_at if evidence.scan_id is None else None
    return Finding(
        kind=kind,
        tier="watch",
        direction=DIRECTIONS[row.type],
        competitor=scope.competitor,
        platform=scope.platform,
        country_iso_2=scope.country,
        prompt_id=scope.prompt_id,
        prompt=prompt,
        before=before.named,
        before_answers=before.answers,
        now=now.named,
        now_answers=now.answers,
        period="daily_checks",
        since=to_iso(day or row.watched_at),
        p=round(evidence.p, 4),
        alert_id=row.id,
        alerted_at=to_iso(row.watched_at),
    )


def summarize_alert(row: AlertRow, evidence: Evidence, brand: str) -> str:
    """Report the change, the Daily Check that confirmed it, and whether the whole platform changed."""
    sentences = [describe_change(build_alert_finding(row, evidence), brand)]
    if evidence.confirmation is not None:
        found = evidence.confirmation.now
        sentences.append(
            gettext(
                "A later Daily Check confirmed it, with %(named)s of %(answers)s answers.",
                named=format_number(found.named),
                answers=format_number(found.answers),
            )
        )
    if row.hushed == "platform_wide":
        sentences.append(gettext("The whole platform changed, not only %(brand)s.", brand=brand))
    return " ".join(sentences)

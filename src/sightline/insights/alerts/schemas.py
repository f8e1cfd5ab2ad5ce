"""Schema of an alert in the Data API, in webhooks and in e-mails."""

import uuid
from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.accounts.models import LIVEMODE_MEANING
from sightline.insights.alerts.models import (
    AlertRow,
    AlertType,
    Confirmation,
    History,
    Rule,
    Share,
    decode_evidence,
)
from sightline.insights.alerts.reported_change import read_history, read_reported_change
from sightline.insights.alerts.scopes import Scope, parse_scope
from sightline.insights.alerts.states import AlertState
from sightline.insights.alerts.summary import summarize_alert
from sightline.insights.models import ProvingAnswer
from sightline.kit.clock import Timestamp, to_iso, to_iso_or_none
from sightline.kit.examples import TRACKED_DOMAIN_ID, WORKSPACE_ID, Example
from sightline.kit.rounding import round_half_away
from sightline.metrics.alert_lifecycle import SuppressionReason
from sightline.metrics.compare import Verdict
from sightline.metrics.intervals import wilson_interval


class NamedShare(msgspec.Struct, frozen=True, kw_only=True):
    """The share of answers that name the brand, or the competitor of the alert. Only `before` has an interval."""

    value: Annotated[float, Meta(description="Share of answers that name the brand or competitor, in percent.")]
    named: Annotated[int, Meta(description="Number of answers that name the brand or competitor.")]
    answers: Annotated[int, Meta(description="Number of answers in total.")]
    low: Annotated[float | None, Meta(description="Lower end of the 95% interval. Only `before` has an interval.")] = (
        None
    )
    high: Annotated[float | None, Meta(description="Upper end of the 95% interval. Only `before` has an interval.")] = (
        None
    )


class AlertHistory(msgspec.Struct, frozen=True, kw_only=True):
    """A longer history than the previous Daily Check. It only decides whether there is an alert."""

    daily_checks: Annotated[int, Meta(description="Number of earlier Daily Checks with answers to compare with.")]
    before: Annotated[NamedShare, Meta(description="Answers in these Daily Checks.")]
    now: Annotated[
        NamedShare,
        Meta(
            description="The Daily Check that is compared with them. For a `cell` alert, the answers since the change."
        ),
    ]


class AlertConfirmation(msgspec.Struct, frozen=True, kw_only=True):
    """The Daily Check that confirmed the change, compared with the last one before the change."""

    scan_id: Annotated[uuid.UUID, Meta(description="The Daily Check that confirmed the change.")]
    before: Annotated[
        NamedShare,
        Meta(description="The Daily Check in `against_scan_id`, in the cells that also have a valid answer now."),
    ]
    now: Annotated[NamedShare, Meta(description="The Daily Check that confirmed the change, in the same cells.")]
    delta: Annotated[float, Meta(description="Change in percentage points over these cells.")]
    lost: Annotated[
        int, Meta(description="Number of cells whose answers named the brand or competitor before and do not now.")
    ]
    gained: Annotated[
        int, Meta(description="Number of cells whose answers name the brand or competitor now and did not before.")
    ]
    rules: Annotated[tuple[Rule, ...], Meta(description="Tests that confirmed the change.")]
    p: Annotated[
        float, Meta(description="Probability that chance causes a change at least this large, by these tests.")
    ]


class Alert(msgspec.Struct, frozen=True, kw_only=True):
    """A drop or gain of the brand between Daily Checks, or a competitor's rise, and its state."""

    id: Annotated[uuid.UUID, Meta(description="Id of the alert.")]
    domain_id: Annotated[uuid.UUID, Meta(description="Tracked domain.")]
    type: Annotated[
        AlertType,
        Meta(
            description="`coverage_drop`: fewer answers name the brand. `coverage_gain`: more answers name the brand. "
            "`competitor_rise`: more answers name a competitor. `cell_lost`: the answers of a cell (one prompt on one "
            "platform) no longer name the brand. `cell_gained`: the answers of a cell have begun to name the brand."
        ),
    ]
    scope: Annotated[Scope, Meta(description="`overall`, `platform`, `country` or `cell`.")]
    platform: Annotated[str | None, Meta(description="Platform of a `platform` or `cell` alert. Null otherwise.")]
    country_iso_2: Annotated[
        str | None,
        Meta(
            description="Country of a `country` alert. Null if the alert is about prompts without a country, and for "
            "other alerts."
        ),
    ]
    prompt_id: Annotated[uuid.UUID | None, Meta(description="Prompt of a `cell` alert. Null otherwise.")]
    competitor: Annotated[
        str | None, Meta(description="Name of the competitor of a `competitor_rise`. Null otherwise.")
    ]
    state: Annotated[
        AlertState,
        Meta(
            description="`watch`: seen once. `confirmed`: the next Daily Check agrees. `lapsed`: it does not. "
            "`resolved`: back to the previous level, or no longer measured."
        ),
    ]
    hushed: Annotated[
        SuppressionReason | None,
        Meta(
            description="Why nobody was notified of a confirmed alert: `platform_wide` (many brands changed on the "
            "platform), `muted` (a member muted such alerts) or `cool_down` (a notification about the same change was "
            "sent in the last seven days). Null for all other alerts, and in the event "
            "`alert.raised`."
        ),
    ]
    summary: Annotated[str, Meta(description="The alert in one sentence.")]
    before: Annotated[
        NamedShare,
        Meta(description="The previous Daily Check: the last one before the change, in the same cells as `now`."),
    ]
    now: Annotated[
        NamedShare,
        Meta(
            description="The Daily Check that first showed the change. Both have only cells with a valid answer in "
            "both checks."
        ),
    ]
    delta: Annotated[
        float,
        Meta(
            description="Change in percentage points over the matched cells, which have a valid answer in both checks."
        ),
    ]
    matched_cells: Annotated[int, Meta(description="Number of cells with a valid answer in both checks.")]
    lost: Annotated[
        int, Meta(description="Number of cells whose answers named the brand or competitor before and do not now.")
    ]
    gained: Annotated[
        int, Meta(description="Number of cells whose answers name the brand or competitor now and did not before.")
    ]
    rules: Annotated[
        tuple[Rule, ...],
        Meta(
            description="Tests that found the change: `previous_daily` (compared with the previous Daily Check), "
            "`last_dailies` (compared with several earlier Daily Checks) or `cell` (one prompt on one platform, "
            "compared with its earlier Daily Checks). The last two decide by `history`."
        ),
    ]
    p: Annotated[
        float,
        Meta(
            description="Probability that chance and the platform's usual day-to-day changes cause a change at "
            "least this large. If several tests found the change, the smallest probability."
        ),
    ]
    verdict: Annotated[
        Verdict,
        Meta(
            description="Result of comparing only `before` with `now`: `up` or `down` if the difference is "
            "significant, otherwise `no_clear_change`. Whether there is an alert depends on the tests in `rules`, so "
            "`verdict` can be `no_clear_change`."
        ),
    ]
    history: Annotated[
        AlertHistory | None,
        Meta(
            description="The longer history by which `last_dailies` or `cell` decided that this is an alert. Null if "
            "only the previous Daily Check decided."
        ),
    ]
    confirmation: Annotated[
        AlertConfirmation | None,
        Meta(
            description="The later Daily Check that confirmed the change. Null until then, and for a `cell` alert, "
            "whose later answers are in `history`."
        ),
    ]
    scan_id: Annotated[uuid.UUID, Meta(description="The Daily Check that last changed the state of the alert.")]
    now_scan_id: Annotated[uuid.UUID, Meta(description="The Daily Check in `now`.")]
    against_scan_id: Annotated[
        uuid.UUID, Meta(description="The Daily Check in `before`, which the change is measured against.")
    ]
    answer_ids: Annotated[tuple[uuid.UUID, ...], Meta(description="Answers of the cells that changed, now and before.")]
    answers: Annotated[tuple[ProvingAnswer, ...], Meta(description="The same answers, each with its check.")]
    watched_at: Annotated[
        Timestamp, Meta(description="Completion time of the Daily Check that first showed the change.")
    ]
    confirmed_at: Annotated[
        Timestamp | None,
        Meta(description="Completion time of the Daily Check that confirmed the alert. Null if not confirmed."),
    ]
    resolved_at: Annotated[
        Timestamp | None,
        Meta(description="Completion time of the Daily Check that resolved the alert. Null if not resolved."),
    ]
    notified_at: Annotated[
        Timestamp | None,
        Meta(description="When the e-mails and webhook events about this alert were queued. Null if there are none."),
    ]
    updated_at: Annotated[Timestamp, Meta(description="When the state last changed.")]


class AlertRaisedData(Alert, frozen=True, kw_only=True):
    """Data of the event `alert.raised`."""

    workspace_id: Annotated[uuid.UUID, Meta(description="Workspace of the tracked domain.")]
    livemode: Annotated[bool, Meta(description=LIVEMODE_MEANING)]


def to_alert(row: AlertRow, brand: str) -> Alert:
    evidence = decode_evidence(row.evidence)
    scope, reported = parse_scope(row.scope), read_reported_change(row, evidence)
    return Alert(
        id=row.id,
        domain_id=row.domain_id,
        type=row.type,
        scope=scope.kind,
        platform=scope.platform,
        country_iso_2=scope.country,
        prompt_id=scope.prompt_id,
        competitor=scope.competitor,
        state=row.state,
        hushed=row.hushed,
        summary=summarize_alert(row, evidence, brand),
        before=_to_named_share(reported.before, is_measured_again=True),
        now=_to_named_share(reported.now),
        delta=round_half_away(reported.delta),
        matched_cells=reported.before.answers,
        lost=reported.lost,
        gained=reported.gained,
        rules=evidence.rules,
        p=round_half_away(evidence.p, 4),
        verdict=reported.verdict,
        history=_to_history(read_history(row, evidence)),
        confirmation=_to_confirmation(evidence.confirmation),
        scan_id=row.scan_id,
        now_scan_id=reported.scan_id,
        against_scan_id=evidence.against_scan_id,
        answer_ids=tuple(proof.answer_id for proof in evidence.proofs),
        answers=evidence.proofs,
        watched_at=to_iso(row.watched_at),
        confirmed_at=to_iso_or_none(row.confirmed_at),
        resolved_at=to_iso_or_none(row.resolved_at),
        notified_at=to_iso_or_none(row.notified_at),
        updated_at=to_iso(row.updated_at),
    )


def to_alert_raised(alert: Alert, workspace_id: uuid.UUID, *, livemode: bool) -> AlertRaisedData:
    return AlertRaisedData(**msgspec.structs.asdict(alert), workspace_id=workspace_id, livemode=livemode)


def _to_history(history: History | None) -> AlertHistory | None:
    if history is None:
        return None
    before = _to_named_share(history.before, is_measured_again=True)
    return AlertHistory(daily_checks=history.daily_checks, before=before, now=_to_named_share(history.now))


def _to_confirmation(found: Confirmation | None) -> AlertConfirmation | None:
    if found is None:
        return None
    return AlertConfirmation(
        scan_id=found.scan_id,
        before=_to_named_share(found.before, is_measured_again=True),
        now=_to_named_share(found.now),
        delta=round_half_away(found.delta),
        lost=found.lost,
        gained=found.gained,
        rules=found.rules,
        p=round_half_away(found.p, 4),
    )


def _to_named_share(share: Share, *, is_measured_again: bool = False) -> NamedShare:
    """Return the share; what later answers are compared with has its interval."""
    found = wilson_interval(share.named, share.answers) if is_measured_again else None
    low, high = (None, None) if found is None else (_percent(found.low), _percent(found.high))
    return NamedShare(value=_percent(share.value), named=share.named, answers=share.answers, low=low, high=high)


def _percent(share: float) -> float:
    return round_half_away(round(100 * share, 9))


# Examples

_DAILY_ID = uuid.UUID("01991494-6a07-7c53-9f1e-8b2d40c7e5a6")
_CONFIRMING_ID = uuid.UUID("019919ba-8d1f-7e02-b6c4-3f70a95d18c2")
_BEFORE_ID = uuid.UUID("01990f72-88d4-7b0f-8c36-e91a57d204fb")
_NOW_ANSWER = uuid.UUID("01991494-7310-7d28-a4b5-06f3c8e19d74")
_OLD_ANSWER = uuid.UUID("01990f72-9c5e-7a41-b8d7-25e0f6943c1b")
_ALERT = Alert(
    id=uuid.UUID("01991496-0b7c-7f19-9d64-a8e35c20f1b7"),
    domain_id=TRACKED_DOMAIN_ID,
    type="coverage_drop",
    scope="platform",
    platform="chatgpt",
    country_iso_2=None,
    prompt_id=None,
    competitor=None,
    state=AlertState.CONFIRMED,
    hushed=None,
    summary="On ChatGPT, Acme was named in 8 of 35 Daily Check answers on 14 Nov, down from 15. A later Daily Check "
    "confirmed it, with 7 of 35 answers.",
    before=NamedShare(value=42.9, named=15, answers=35, low=28.0, high=59.1),
    now=NamedShare(value=22.9, named=8, answers=35),
    delta=-20.0,
    matched_cells=35,
    lost=8,
    gained=1,
    rules=("previous_daily",),
    p=0.0391,
    verdict="down",
    history=None,
    confirmation=AlertConfirmation(
        scan_id=_CONFIRMING_ID,
        before=NamedShare(value=42.9, named=15, answers=35, low=28.0, high=59.1),
        now=NamedShare(value=20.0, named=7, answers=35),
        delta=-22.9,
        lost=9,
        gained=1,
        rules=("previous_daily",),
        p=0.0215,
    ),
    scan_id=_CONFIRMING_ID,
    now_scan_id=_DAILY_ID,
    against_scan_id=_BEFORE_ID,
    answer_ids=(_NOW_ANSWER, _OLD_ANSWER),
    answers=(ProvingAnswer(_DAILY_ID, _NOW_ANSWER), ProvingAnswer(_BEFORE_ID, _OLD_ANSWER)),
    watched_at="2026-11-16T09:31:08.114902+00:00",
    confirmed_at="2026-11-17T09:31:22.640318+00:00",
    resolved_at=None,
    notified_at="2026-11-17T09:31:24.207716+00:00",
    updated_at="2026-11-17T09:31:24.207716+00:00",
)

EXAMPLES = {
    "list_alerts": Example([_ALERT]),
}

EVENT_EXAMPLES = {
    "alert.raised": (
        _ALERT.updated_at,
        AlertRaisedData(**msgspec.structs.asdict(_ALERT), workspace_id=WORKSPACE_ID, livemode=True),
    )
}

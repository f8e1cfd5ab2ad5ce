"""Schema of an alert in the Data API, in webhooks and in e-mails."""

import uuid
from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.accounts.models import LIVEMODE_MEANING
from sightline.insights.alerts.models import AlertRow, AlertType, Rule, Share, decode_evidence
from sightline.insights.alerts.scopes import Scope, parse_scope
from sightline.insights.alerts.states import AlertState
from sightline.insights.alerts.summary import summarize_alert
from sightline.insights.proving_answers import ProvingAnswer, to_proving_answers
from sightline.kit.clock import Timestamp, to_iso, to_iso_or_none
from sightline.kit.rounding import round_half_away
from sightline.metrics.alert_lifecycle import SuppressionReason
from sightline.metrics.compare import Verdict


class NamedShare(msgspec.Struct, frozen=True, kw_only=True):
    """The share of answers that name the brand, or the competitor of the alert. Only the baseline has an interval."""

    value: Annotated[float, Meta(description="Share of answers that name the brand or competitor, in percent.")]
    named: Annotated[int, Meta(description="Number of answers that name the brand or competitor.")]
    answers: Annotated[int, Meta(description="Number of answers in total.")]
    low: Annotated[float | None, Meta(description="Lower end of the 95% interval. Only `before` has an interval.")] = (
        None
    )
    high: Annotated[float | None, Meta(description="Upper end of the 95% interval. Only `before` has an interval.")] = (
        None
    )


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
        Meta(
            description="Baseline: the Daily Check before the change. For a `cell` alert, the earlier answers to "
            "the prompt on the platform."
        ),
    ]
    now: Annotated[
        NamedShare,
        Meta(
            description="The Daily Check that confirmed the change. Until the alert is confirmed, the Daily Check that "
            "first showed the change. For a `cell` alert, the answers since the change."
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
            description="Tests that found the change: `previous_daily` (compared with the Daily Check before), "
            "`last_dailies` (compared with several earlier Daily Checks) or `cell` (one prompt on "
            "one platform)."
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
    scan_id: Annotated[uuid.UUID, Meta(description="The Daily Check that last changed the state of the alert.")]
    against_scan_id: Annotated[uuid.UUID, Meta(description="The Daily Check that the change is measured against.")]
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


def to_alert(row: AlertRow) -> Alert:
    evidence = decode_evidence(row.evidence)
    scope = parse_scope(row.scope)
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
        summary=summarize_alert(row, evidence),
        before=_to_named_share(evidence.before, _percent(evidence.low), _percent(evidence.high)),
        now=_to_named_share(evidence.now),
        delta=round_half_away(evidence.delta),
        matched_cells=evidence.matched_cells,
        lost=evidence.lost,
        gained=evidence.gained,
        rules=evidence.rules,
        p=round_half_away(evidence.p, 4),
        verdict=evidence.verdict,
        scan_id=row.scan_id,
        against_scan_id=evidence.against_scan_id,
        answer_ids=tuple(proof.answer_id for proof in evidence.proofs),
        answers=to_proving_answers(evidence.proofs),
        watched_at=to_iso(row.watched_at),
        confirmed_at=to_iso_or_none(row.confirmed_at),
        resolved_at=to_iso_or_none(row.resolved_at),
        notified_at=to_iso_or_none(row.notified_at),
        updated_at=to_iso(row.updated_at),
    )


def to_alert_raised(alert: Alert, workspace_id: uuid.UUID, *, livemode: bool) -> AlertRaisedData:
    return AlertRaisedData(**msgspec.structs.asdict(alert), workspace_id=workspace_id, livemode=livemode)


def _to_named_share(share: Share, low: float | None = None, high: float | None = None) -> NamedShare:
    return NamedShare(value=_percent(share.value), named=share.named, answers=share.answers, low=low, high=high)


def _percent(share: float) -> float:
    return round_half_away(round(100 * share, 9))

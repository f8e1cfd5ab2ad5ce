"""An alert as it leaves the house: in the Data API, in webhooks and in letters."""

import uuid
from typing import Literal

import msgspec

from sightline.insights.alerts.models import AlertRow, AlertType, Evidence, Rule, Share, decode_evidence
from sightline.insights.alerts.states import AlertState
from sightline.insights.schemas import ProvingAnswer, to_proving_answers
from sightline.kit.clock import Timestamp, to_iso, to_iso_or_none
from sightline.kit.counting import count
from sightline.kit.ids import parse_id
from sightline.kit.rounding import round_half_away
from sightline.metrics.alert_steps import Hush
from sightline.metrics.compare import Verdict
from sightline.platforms.catalog import PLATFORMS

_NAMES = {platform.key: platform.name for platform in PLATFORMS}

Scope = Literal["overall", "platform", "country", "cell"]


class NamedShare(msgspec.Struct, frozen=True, kw_only=True):
    """The share of answers that name the brand, in percent; only the baseline has an interval."""

    value: float
    named: int
    answers: int
    low: float | None = None
    high: float | None = None


class Alert(msgspec.Struct, frozen=True, kw_only=True):
    """A fall of the brand from one Daily Check to the next, and what became of it."""

    id: uuid.UUID
    domain_id: uuid.UUID
    type: AlertType
    scope: Scope
    platform: str | None
    country_iso_2: str | None
    prompt_id: uuid.UUID | None
    state: AlertState
    hushed: Hush | None
    summary: str
    before: NamedShare
    now: NamedShare
    delta: float
    matched_cells: int
    lost: int
    gained: int
    rules: tuple[Rule, ...]
    p: float
    verdict: Verdict
    scan_id: uuid.UUID
    against_scan_id: uuid.UUID
    answer_ids: tuple[uuid.UUID, ...]
    answers: tuple[ProvingAnswer, ...]
    watched_at: Timestamp
    confirmed_at: Timestamp | None
    resolved_at: Timestamp | None
    notified_at: Timestamp | None
    updated_at: Timestamp


def to_alert(row: AlertRow) -> Alert:
    evidence = decode_evidence(row.evidence)
    scope, platform, country, prompt_id = parse_scope(row.scope)
    return Alert(
        id=row.id,
        domain_id=row.domain_id,
        type=row.type,
        scope=scope,
        platform=platform,
        country_iso_2=country,
        prompt_id=prompt_id,
        state=row.state,
        hushed=row.hushed,
        summary=_say(row, evidence, platform),
        before=_show_share(evidence.before, _percent(evidence.low), _percent(evidence.high)),
        now=_show_share(evidence.now),
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


def format_scope(alert: Alert) -> str:
    """As it is stored: the other way round."""
    if alert.scope == "platform":
        return f"platform:{alert.platform}"
    if alert.scope == "country":
        return f"country:{alert.country_iso_2 or 'global'}"
    return f"cell:{alert.prompt_id}:{alert.platform}" if alert.scope == "cell" else "overall"


def parse_scope(text: str) -> tuple[Scope, str | None, str | None, uuid.UUID | None]:
    kind, _, rest = text.partition(":")
    if kind == "platform":
        return "platform", rest, None, None
    if kind == "country":
        return "country", None, None if rest == "global" else rest, None
    if kind == "cell":
        prompt_id, _, platform = rest.partition(":")
        return "cell", platform, None, parse_id(prompt_id)
    return "overall", None, None, None


def _say(row: AlertRow, evidence: Evidence, platform: str | None) -> str:
    before, now = evidence.before, evidence.now
    place = f"On {_NAMES.get(platform, platform)}" if platform else "Overall"
    if row.scope.startswith("country:"):
        country = row.scope.partition(":")[2]
        place = "In the Global market" if country == "global" else f"In {country}"
    chance = f"p {evidence.p:.4f}" if evidence.p >= 0.0001 else "p below 0.0001"
    # Against one Daily Check alone it may look like chance; then it is the days before that speak.
    unexpected = "" if "previous_daily" in evidence.rules else "; fewer than the last Daily Checks let expect"
    if row.type == "cell_lost":
        said = (
            f"{place}, a prompt that named the brand in {before.named} of {count(before.answers, 'Daily Check')} "
            f"has not named it in the last {now.answers} ({chance})."
        )
    else:
        said = (
            f"{place}, {now.named} of {count(now.answers, 'answer')} name the brand, after {before.named} of "
            f"{before.answers} ({round_half_away(evidence.delta):+.1f} points{unexpected}, {chance})."
        )
    return f"{said} A platform-wide change, not you." if row.hushed == "platform_wide" else said


def _show_share(share: Share, low: float | None = None, high: float | None = None) -> NamedShare:
    return NamedShare(value=_percent(share.value), named=share.named, answers=share.answers, low=low, high=high)


def _percent(share: float) -> float:
    return round_half_away(round(100 * share, 9))

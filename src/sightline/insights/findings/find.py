"""Which findings there are, and their order: the one place that decides what is worth saying. Pure.

An event is told once. A subject has one finding: that of the surest tier, and an alert about the same change is part of
it. A change of the whole brand that most of its answers have on one platform, or for one prompt, is told there.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from sightline.insights.alerts.models import DIRECTIONS, AlertRow, decode_evidence
from sightline.insights.alerts.reported_change import read_reported_change
from sightline.insights.alerts.scopes import parse_scope
from sightline.insights.alerts.states import AlertState
from sightline.insights.findings.schemas import Finding, FindingKind
from sightline.insights.recommendations.actions import describe_action
from sightline.insights.recommendations.done_actions import DoneAction
from sightline.kit.clock import to_iso
from sightline.metrics.period_change import DAYS, Tier
from sightline.scoreboard.check_changes.schemas import CheckChanges, CountChange, PeriodResult

_TIERS: tuple[Tier, ...] = ("clear", "watch", "rest")
_PERIODS = tuple(DAYS)
_MOVERS = 3
_MAX_SOURCES = 2
_MOST = 2 / 3  # of a change of the brand, on one platform or for one prompt


def list_findings(
    changes: CheckChanges | None,
    *,
    brand: str,
    alerts: Sequence[AlertRow] = (),
    actions: Sequence[DoneAction] = (),
    prompts: Mapping[str, str] | None = None,
) -> list[Finding]:
    """Return the findings, the most important first. `prompts` are the texts of prompts by id.

    `alerts` are the confirmed ones that are open or were confirmed since the previous Full Check.
    """
    texts = prompts or {}
    changed = [] if changes is None else _list_changes(changes, brand, texts)
    moved = [each for _, each in sorted(changed, key=lambda each: -abs(each[0])) if each.period == "last_check"]
    told = _tell_alerts(_drop_parts(_choose_periods(changed)), alerts, texts)
    told.sort(key=_rank)
    telling = [each for each in told if each.tier != "rest" or each.model]
    effects = [finding for action in actions if (finding := _tell_action(action, brand)) is not None]
    clear = [each for each in telling if each.tier == "clear"]
    other = [each for each in telling if each.tier != "clear"]
    known = {each.subject for each in telling}
    movers = [each for each in moved[:_MOVERS] if each.tier == "rest" and each.before != each.now]
    rest = [each for each in movers if each.subject not in known]
    return [*clear, *effects, *other, *_tell_sources(changes), *rest]


def _rank(finding: Finding) -> tuple[int, bool, bool, float]:
    """Return the place in the order: surer first, the brand before rivals, and the whole before its parts."""
    is_rival, is_part = finding.competitor is not None, finding.kind != "brand"
    return (_TIERS.index(finding.tier), is_rival, is_part, 1.0 if finding.p is None else finding.p)


def _list_changes(changes: CheckChanges, brand: str, prompts: Mapping[str, str]) -> list[tuple[float, Finding]]:
    """Return every change over every period, with the number of answers of a check by which it moved."""
    models = {each.platform: each.now for each in changes.models}
    if not changes.periods:
        return [(each.delta * each.total / 100, _tell_older(each, changes)) for each in _list_older(changes)]
    return [(each.net, _tell_change(each, brand, prompts, models, changes)) for each in changes.periods]


def _tell_change(
    result: PeriodResult, brand: str, prompts: Mapping[str, str], models: Mapping[str, str], changes: CheckChanges
) -> Finding:
    kind: FindingKind = result.subject
    if kind == "brand" and result.name != brand:
        kind = "competitor"
    return Finding(
        kind=kind,
        tier=result.tier,
        direction="down" if result.net < 0 else "up",
        competitor=result.name if kind == "competitor" else None,
        platform=result.name if kind == "platform" else None,
        prompt_id=uuid.UUID(result.name) if kind == "prompt" else None,
        prompt=prompts.get(result.name) if kind == "prompt" else None,
        before=result.before,
        before_answers=result.before_answers,
        now=result.now,
        now_answers=result.now_answers,
        period=result.period,
        since=result.since,
        p=result.p,
        model=models.get(result.name) if kind == "platform" else None,
        reasons=changes.reasons if result.period == "last_check" else (),
    )


def _list_older(changes: CheckChanges) -> list[CountChange]:
    """Return the changes of a check that was compared before there were tiers."""
    return [
        each for each in (*changes.established, *changes.unclear) if each.kind not in ("lead", "source") and each.total
    ]


def _tell_older(change: CountChange, changes: CheckChanges) -> Finding:
    kinds: Mapping[str, FindingKind] = {"coverage": "brand", "competitor": "competitor", "platform": "platform"}
    kind = kinds.get(change.kind, "prompt")
    return Finding(
        kind=kind,
        tier="rest" if change.verdict == "no_clear_change" else "watch",
        direction="down" if change.delta < 0 else "up",
        competitor=change.subject if kind == "competitor" else None,
        platform=change.subject if kind == "platform" else None,
        prompt_id=change.prompt_id,
        prompt=change.subject if kind == "prompt" else None,
        before=change.before,
        before_answers=change.total,
        now=change.now,
        now_answers=change.total,
        period="last_check",
        since=changes.since,
        p=change.p,
        reasons=changes.reasons,
    )


def _choose_periods(changed: Iterable[tuple[float, Finding]]) -> list[tuple[float, Finding]]:
    """Return one change of each subject: the surest, and of equally sure ones that of the shortest period."""
    found: dict[tuple[object, ...], tuple[float, Finding]] = {}
    for net, each in changed:
        known = found.get(each.subject)
        if known is None or _prefer(each) < _prefer(known[1]):
            found[each.subject] = (net, each)
    return list(found.values())


def _prefer(finding: Finding) -> tuple[int, int]:
    return (_TIERS.index(finding.tier), _PERIODS.index(finding.period))


def _drop_parts(changed: Sequence[tuple[float, Finding]]) -> list[Finding]:
    """Tell a change of the brand once: where most of it happened, or as a whole."""
    whole = next((each for each in changed if each[1].kind == "brand"), None)
    if whole is None or whole[1].tier == "rest":
        return [each for _, each in changed]
    parts = [
        (net, each)
        for net, each in changed
        if each.kind in ("platform", "prompt") and each.direction == whole[1].direction and each.tier != "rest"
    ]
    told = [
        each
        for net, each in parts
        if _TIERS.index(each.tier) < _TIERS.index(whole[1].tier)
        or (each.tier == whole[1].tier and abs(net) >= _MOST * abs(whole[0]))
    ]
    dropped = [whole[1]] if told else [each for _, each in parts if each.model is None]
    return [each for _, each in changed if each not in dropped]


def _tell_alerts(changed: list[Finding], alerts: Sequence[AlertRow], prompts: Mapping[str, str]) -> list[Finding]:
    """Add each alert to the change that it is about; without one, it is a finding of its own."""
    found = list(changed)
    for alert in sorted(alerts, key=lambda each: each.watched_at):
        told = _tell_alert(alert, prompts)
        place = next((place for place, each in enumerate(found) if each.subject == told.subject), None)
        if place is None:
            found.append(told)
        elif found[place].tier == "rest":
            found[place] = told
        elif found[place].direction == told.direction:
            found[place] = msgspec.structs.replace(found[place], alert_id=alert.id, alerted_at=told.since)
    return found


def _tell_alert(alert: AlertRow, prompts: Mapping[str, str]) -> Finding:
    scope, evidence = parse_scope(alert.scope), decode_evidence(alert.evidence)
    change = read_reported_change(alert, evidence)
    before, now = (evidence.before, evidence.now) if scope.kind == "cell" else (change.before, change.now)
    kind: FindingKind = "brand" if scope.kind == "overall" else scope.kind
    return Finding(
        kind="competitor" if scope.competitor else kind,
        tier="watch",
        direction=DIRECTIONS[alert.type],
        competitor=scope.competitor,
        platform=scope.platform,
        country_iso_2=scope.country,
        prompt_id=scope.prompt_id,
        prompt=prompts.get(str(scope.prompt_id)),
        before=before.named,
        before_answers=before.answers,
        now=now.named,
        now_answers=now.answers,
        period="daily_checks",
        since=to_iso(alert.watched_at),
        p=round(evidence.p, 4),
        alert_id=alert.id,
        alerted_at=to_iso(alert.watched_at),
    )


def is_told(alert: AlertRow, since: str | None) -> bool:
    """Return whether an alert is a finding: confirmed, not muted, and open or newer than the previous Full Check."""
    if alert.confirmed_at is None or alert.hushed in ("muted", "platform_wide"):
        return False
    return alert.state is AlertState.CONFIRMED or (since is not None and to_iso(alert.confirmed_at) > since)


def _tell_action(action: DoneAction, brand: str) -> Finding | None:
    effect = action.effect.effect
    if effect.status not in ("up", "down") or effect.points is None:
        return None
    return Finding(
        kind="action",
        tier="clear",
        direction="up" if effect.status == "up" else "down",
        action=describe_action(action.found, len(action.found.proofs), brand).action,
        points=round(effect.points, 1),
        period="action",
        since=to_iso(action.mark.done_at),
    )


def _tell_sources(changes: CheckChanges | None) -> list[Finding]:
    """Return the lost and the new source that most answers cite."""
    if changes is None:
        return []
    found = sorted(changes.sources, key=lambda each: (each.change == "new", -each.answers))
    chosen = [next((each for each in found if each.change == change), None) for change in ("lost", "new")]
    return [
        Finding(
            kind="source",
            tier="rest",
            direction="up" if each.change == "new" else "down",
            platform=each.platform,
            site=each.site,
            before=0 if each.change == "new" else each.answers,
            before_answers=each.total,
            now=each.answers if each.change == "new" else 0,
            now_answers=each.total,
            period="last_check",
            since=changes.since,
        )
        for each in chosen
        if each is not None
    ][:_MAX_SOURCES]

"""Which findings there are, and their order: the one place that decides what is worth saying. Pure.

An event is told once. A subject has one finding: that of the surest tier, and an alert about the same change is part of
it. A change of the whole brand that most of its answers have on one platform, or for one prompt, is told there.
"""

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from sightline.insights.alerts.models import AlertRow, Evidence, decode_evidence
from sightline.insights.alerts.scopes import parse_scope
from sightline.insights.alerts.states import AlertState
from sightline.insights.alerts.summary import build_alert_finding
from sightline.insights.findings.schemas import Finding, FindingKind
from sightline.insights.recommendations.actions import describe_action
from sightline.insights.recommendations.done_actions import DoneAction
from sightline.kit.clock import to_iso
from sightline.metrics.alerts import CLEAR_BELOW, SHARED_CLEAR_BELOW, select_discoveries
from sightline.metrics.compare import compare_flips, is_large
from sightline.metrics.period_change import DAYS, Tier
from sightline.scoreboard.check_changes.schemas import CheckChanges, CountChange, PeriodResult

_TIERS: tuple[Tier, ...] = ("clear", "watch", "rest")
_PERIODS = tuple(DAYS)
_MOVERS = 3
_MAX_SOURCES = 2
_MOST = 2 / 3  # of a change of the brand, on one platform or for one prompt
_PARTS: tuple[FindingKind, ...] = ("platform", "country", "prompt", "cell")


class FactChange(NamedTuple):
    """In how many of the cells that both Full Checks answered a fact was stated wrongly, before and now."""

    fact: str
    before: int
    now: int
    gained: int
    lost: int
    cells: int
    since: str


class _Change(NamedTuple):
    """A finding, with the share of the answers that changed and the number of answers of one check."""

    finding: Finding
    share: float
    cells: float

    @property
    def net(self) -> float:
        """Return the number of answers of a check by which it moved."""
        return self.share * self.cells


def list_findings(
    changes: CheckChanges | None,
    *,
    brand: str,
    alerts: Sequence[AlertRow] = (),
    actions: Sequence[DoneAction] = (),
    prompts: Mapping[str, str] | None = None,
    facts: Sequence[FactChange] = (),
) -> list[Finding]:
    """Return the findings, the most important first. `prompts` are the texts of prompts by id.

    `alerts` are the confirmed ones that are open or were confirmed since the previous Full Check.
    """
    texts = prompts or {}
    changed = [] if changes is None else _list_changes(changes, brand, texts)
    told = _drop_parts(_tell_alerts(changed, changes, alerts, texts))
    told.sort(key=_rank)
    telling = [each for each in told if each.tier != "rest" or each.model]
    effects = [finding for action in actions if (finding := _tell_action(action, brand)) is not None]
    clear = [each for each in telling if each.tier == "clear"]
    other = [each for each in telling if each.tier != "clear"]
    known = {each.subject for each in telling}
    largest = sorted(changed, key=lambda each: -abs(each.net))
    moved = [each.finding for each in largest if each.finding.period == "last_check"][:_MOVERS]
    rest = [each for each in moved if each.tier == "rest" and each.before != each.now and each.subject not in known]
    wrong = list(_tell_facts(facts))
    clear += [each for each in wrong if each.tier == "clear"]
    other += [each for each in wrong if each.tier == "watch"]
    return [*clear, *effects, *other, *_tell_sources(changes), *rest]


def _tell_facts(changed: Sequence[FactChange]) -> Iterator[Finding]:
    """Yield the facts that significantly more answers than before state wrongly, or fewer.

    Several facts are tested at once, so only discoveries among them are told.
    """
    tested = [(each, compare_flips(each.lost, each.gained, each.cells)) for each in changed if each.cells]
    proven = select_discoveries([change.p for _, change in tested])
    for (each, change), is_proven in zip(tested, proven, strict=True):
        if change.verdict == "no_clear_change" or not is_proven:
            continue
        yield Finding(
            kind="fact",
            tier="clear" if change.p < SHARED_CLEAR_BELOW else "watch",
            direction="up" if change.gained > change.lost else "down",
            fact=each.fact,
            before=each.before,
            before_answers=each.cells,
            now=each.now,
            now_answers=each.cells,
            period="last_check",
            since=each.since,
            p=round(change.p, 4),
        )


def _rank(finding: Finding) -> tuple[int, bool, bool, float]:
    """Return the place in the order: surer first, the brand before rivals, and the whole before its parts."""
    is_rival, is_part = finding.competitor is not None, finding.kind != "brand"
    return (_TIERS.index(finding.tier), is_rival, is_part, 1.0 if finding.p is None else finding.p)


def _list_changes(changes: CheckChanges, brand: str, prompts: Mapping[str, str]) -> list[_Change]:
    """Return every change over every period."""
    models = {each.platform: each.now for each in changes.models}
    if not changes.periods:
        return [_Change(_tell_older(each, changes), each.delta / 100, each.total) for each in _list_older(changes)]
    return [
        _Change(_tell_change(each, brand, prompts, models, changes), each.share, each.cells) for each in changes.periods
    ]


def _tell_change(
    result: PeriodResult, brand: str, prompts: Mapping[str, str], models: Mapping[str, str], changes: CheckChanges
) -> Finding:
    kind: FindingKind = result.subject
    if kind == "brand" and result.name != brand:
        kind = "competitor"
    return Finding(
        kind=kind,
        tier=result.tier,
        direction="down" if result.share < 0 else "up",
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


def _tell_alerts(
    changed: Sequence[_Change], changes: CheckChanges | None, alerts: Sequence[AlertRow], prompts: Mapping[str, str]
) -> list[_Change]:
    """Return one change of each subject, with the alert about it; an alert without one is a finding of its own.

    A sure alert makes its change clear: right away, or once a later Full Check shows the same change.
    """
    found = {each.finding.subject: each for each in _choose_surest(changed)}
    for alert in sorted(alerts, key=lambda each: each.watched_at, reverse=True):
        evidence = decode_evidence(alert.evidence)
        told = build_alert_finding(alert, evidence, prompts.get(str(parse_scope(alert.scope).prompt_id)))
        p = _find_alert_p(alert, evidence)
        same = [
            each for each in changed if (each.finding.subject, each.finding.direction) == (told.subject, told.direction)
        ]
        shared = [each for each in same if is_large(each.share, each.cells)]
        known = found.get(told.subject)
        is_later = changes is not None and told.since < changes.until
        if is_later and shared and p < SHARED_CLEAR_BELOW:
            found[told.subject] = _add_alert(min(shared, key=_prefer), told, tier="clear")
        elif known is not None and known.finding.tier != "rest":
            if known.finding.direction == told.direction:
                found[told.subject] = _add_alert(known, told, tier=known.finding.tier)
        else:
            is_new = changes is None or told.since > changes.since
            is_denied = is_later and known is not None and known.finding.direction != told.direction
            is_clear = p < CLEAR_BELOW and is_new and not is_denied
            model = known.finding.model if known is not None and is_new else None
            told = msgspec.structs.replace(told, tier="clear" if is_clear else "watch", model=model)
            found[told.subject] = _Change(told, evidence.delta / 100, evidence.matched_cells)
    return list(found.values())


def _find_alert_p(alert: AlertRow, evidence: Evidence) -> float:
    """Return the larger p of the two Daily Checks of an open alert; 1 for others, and for a single cell."""
    if alert.state is not AlertState.CONFIRMED or evidence.confirmation is None:
        return 1.0
    return max(evidence.p, evidence.confirmation.p)


def _add_alert(change: _Change, told: Finding, *, tier: Tier) -> _Change:
    finding = change.finding
    p = told.p if finding.p is None or (told.p is not None and told.p < finding.p) else finding.p
    return change._replace(
        finding=msgspec.structs.replace(finding, tier=tier, p=p, alert_id=told.alert_id, alerted_at=told.alerted_at)
    )


def _choose_surest(changed: Iterable[_Change]) -> list[_Change]:
    """Return one change of each subject: the surest, and of equally sure ones that of the shortest period."""
    found: dict[tuple[object, ...], _Change] = {}
    for each in sorted(changed, key=_prefer):
        found.setdefault(each.finding.subject, each)
    return list(found.values())


def _prefer(change: _Change) -> tuple[int, int]:
    return (_TIERS.index(change.finding.tier), _PERIODS.index(change.finding.period))


def _drop_parts(changed: Sequence[_Change]) -> list[Finding]:
    """Tell a change of a brand once: where most of it happened, or as a whole."""
    told = [each for each in changed if each.finding.tier != "rest"]
    dropped: list[Finding] = []
    for each in told:
        whole = each.finding
        if whole.kind not in ("brand", "competitor"):
            continue
        parts = [
            part
            for part in told
            if part.finding.kind in _PARTS
            and (part.finding.competitor, part.finding.direction) == (whole.competitor, whole.direction)
        ]
        is_told_there = any(
            _TIERS.index(part.finding.tier) < _TIERS.index(whole.tier)
            or (part.finding.tier == whole.tier and abs(part.net) >= _MOST * abs(each.net))
            for part in parts
        )
        dropped += [whole] if is_told_there else [part.finding for part in parts if part.finding.model is None]
    return [each.finding for each in changed if each.finding not in dropped]


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

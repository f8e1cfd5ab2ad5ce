"""The rows of insights in the flat tables of `tables/`, built when an insight is stored. Pure.

A row lacks what all rows share, such as the check, and what people and later checks change: the state of an alert, and
whether an action was done.
"""

import uuid

import msgspec

from sightline.insights.alerts.models import AlertRow, decode_evidence
from sightline.insights.alerts.reported_change import read_reported_change
from sightline.insights.alerts.scopes import parse_scope
from sightline.insights.models import StoredRecommendation, StoredTheme


class ThemeTableRow(msgspec.Struct, frozen=True, kw_only=True):
    place: int
    theme: str
    kind: str
    answers: int
    share_pct: float
    share_low_pct: float | None
    share_high_pct: float | None
    polarity_label: str | None
    positive: int | None
    neutral: int | None
    negative: int | None


class RecommendationTableRow(msgspec.Struct, frozen=True, kw_only=True):
    place: int
    key: str
    kind: str
    subject: str | None
    site: str | None
    platforms: str | None
    prompts: int
    answers: int
    expected_answers: float | None
    expected_low: float | None
    expected_high: float | None
    mark_keys: tuple[str, ...]
    """Not a column: the keys of the marks that say when the action was done. The first one that exists counts."""


class AlertTableRow(msgspec.Struct, frozen=True, kw_only=True):
    type: str
    scope: str
    platform: str | None
    country: str | None
    prompt_id: uuid.UUID | None
    competitor: str | None
    named_before: int
    answers_before: int
    named_now: int
    answers_now: int
    delta_points: float
    p: float
    verdict: str


def build_ranked_row(place: int, found: StoredTheme | StoredRecommendation) -> ThemeTableRow | RecommendationTableRow:
    """Build the row of a theme or a recommendation. Places count from 0 in the database and from 1 in the table."""
    return _build_theme(place, found) if isinstance(found, StoredTheme) else _build_recommendation(place, found)


def _build_theme(place: int, theme: StoredTheme) -> ThemeTableRow:
    return ThemeTableRow(
        place=place + 1,
        theme=theme.descriptor,
        kind=theme.kind,
        answers=theme.answers,
        share_pct=theme.share,
        share_low_pct=theme.share_low,
        share_high_pct=theme.share_high,
        polarity_label=theme.polarity_label,
        positive=theme.positive,
        neutral=theme.neutral,
        negative=theme.negative,
    )


def _build_recommendation(place: int, found: StoredRecommendation) -> RecommendationTableRow:
    expected = found.expected
    return RecommendationTableRow(
        place=place + 1,
        key=found.key,
        kind=found.kind,
        subject=found.subject,
        site=found.site,
        platforms=",".join(found.platforms) or None,
        prompts=len(found.prompts),
        answers=len(found.proofs),
        expected_answers=None if expected is None else expected.answers,
        expected_low=None if expected is None else expected.low,
        expected_high=None if expected is None else expected.high,
        mark_keys=found.mark_keys,
    )


def build_alert_row(alert: AlertRow) -> AlertTableRow:
    evidence, scope = decode_evidence(alert.evidence), parse_scope(alert.scope)
    change = read_reported_change(alert, evidence)
    return AlertTableRow(
        type=alert.type,
        scope=scope.kind,
        platform=scope.platform,
        country=scope.country,
        prompt_id=scope.prompt_id,
        competitor=scope.competitor,
        named_before=change.before.named,
        answers_before=change.before.answers,
        named_now=change.now.named,
        answers_now=change.now.answers,
        delta_points=change.delta,
        p=evidence.p,
        verdict=change.verdict,
    )

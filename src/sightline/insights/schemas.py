"""Themes, recommendations and opportunities as they leave the house. Figures are rounded here, and nowhere before."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from sightline.insights.models import (
    CitedSource,
    NamedCompetitor,
    OpportunityRow,
    Proof,
    RankedRow,
    StoredOpportunity,
    StoredRecommendation,
    StoredTheme,
)
from sightline.kit.clock import Timestamp, to_iso
from sightline.kit.rounding import round_half_away, round_half_away_or_none
from sightline.metrics.recommendations import Kind
from sightline.metrics.sentiment import Label
from sightline.metrics.themes import Kind as ThemeKind
from sightline.scans.schemas.scan import Scan
from sightline.scoreboard.schemas import Board, TrendPoint

_ACTIONS: Mapping[Kind, str] = {
    "get_listed": "Get listed or reviewed on this page: answers to the prompt cite it, and name competitors.",
    "publish_page": "Publish or upgrade a page for this question: answers cite a competitor's page, and none of yours.",
    "make_citable": "Make your own page citable: answers name you for this prompt, and hardly ever cite you.",
    "name_the_claim": "Put the name beside the claim: answers cite your page without naming you.",
    "tighten_page": "Tighten the page to the question: platforms look at it for this prompt, and do not cite it.",
    "fix_source": "Fix the source: these pages stand behind answers that say this of you.",
    "platform_access": "Look after this platform: its crawler's access to your site, and its index. You are named less "
    "there than elsewhere for the same questions.",
    "local_page": "Offer a page in the local language, and win reviews there. You are named less in this country than "
    "elsewhere for the same questions.",
    "entity_basics": "See to the basics: profiles and encyclopaedic entries that say who you are. Platforms answer "
    "that they do not know you.",
    "nothing_significant": "Nothing significant: the answers of this check carry no task.",
}


class ProvingAnswer(msgspec.Struct, frozen=True):
    """An answer that proves it. Read it with `GET /scans/{scan_id}/answers/{answer_id}`."""

    scan_id: uuid.UUID
    answer_id: uuid.UUID


class Theme(msgspec.Struct, frozen=True, kw_only=True):
    """What answers say of the brand, in one to three words, with a verbatim quote."""

    id: uuid.UUID
    scan_id: uuid.UUID
    descriptor: str
    kind: ThemeKind
    answers: int
    share_pct: float
    log_odds: float
    z: float
    polarity: float | None
    polarity_label: Label | None
    quote: str
    answer_ids: tuple[uuid.UUID, ...]


class Recommendation(msgspec.Struct, frozen=True, kw_only=True):
    """What to do, and the answers that prove it."""

    id: uuid.UUID
    scan_id: uuid.UUID
    kind: Kind
    action: str
    subject: str | None
    prompt_id: uuid.UUID | None
    prompt: str | None
    pages: tuple[str, ...]
    answer_ids: tuple[uuid.UUID, ...]
    answers: tuple[ProvingAnswer, ...]


class Opportunity(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt for which competitors are named, people ask, and the answer can be won."""

    id: uuid.UUID
    prompt_id: uuid.UUID
    prompt: str
    language_code: str | None
    country_iso_2: str | None
    opportunity_score: float
    demand: float
    gap: float
    winnability: float
    demand_unknown: bool
    low_evidence: bool
    competitors: tuple[NamedCompetitor, ...]
    sources: tuple[CitedSource, ...]
    answer_ids: tuple[uuid.UUID, ...]
    updated_at: Timestamp


_theme = msgspec.json.Decoder(StoredTheme)
_recommendation = msgspec.json.Decoder(StoredRecommendation)
_opportunity = msgspec.json.Decoder(StoredOpportunity)


def to_proving_answers(proofs: Sequence[Proof]) -> tuple[ProvingAnswer, ...]:
    return tuple(ProvingAnswer(proof.scan_id, proof.answer_id) for proof in proofs)


def to_theme(row: RankedRow) -> Theme:
    found = _theme.decode(row.found)
    return Theme(
        id=row.id,
        scan_id=row.scan_id,
        descriptor=found.descriptor,
        kind=found.kind,
        answers=found.answers,
        share_pct=round_half_away(round(found.share, 9)),
        log_odds=round_half_away(found.log_odds, 3),
        z=round_half_away(found.z, 2),
        polarity=round_half_away_or_none(found.polarity),
        polarity_label=found.polarity_label,
        quote=found.quote,
        answer_ids=found.answer_ids,
    )


def to_recommendation(row: RankedRow) -> Recommendation:
    found = _recommendation.decode(row.found)
    return Recommendation(
        id=row.id,
        scan_id=row.scan_id,
        kind=found.kind,
        action=_ACTIONS[found.kind],
        subject=found.subject,
        prompt_id=found.prompt_id,
        prompt=found.prompt,
        pages=found.pages,
        answer_ids=tuple(proof.answer_id for proof in found.proofs),
        answers=to_proving_answers(found.proofs),
    )


def to_opportunity(row: OpportunityRow) -> Opportunity:
    found = _opportunity.decode(row.opportunity)
    return Opportunity(
        id=row.id,
        prompt_id=found.prompt_id,
        prompt=found.prompt,
        language_code=found.language_code,
        country_iso_2=found.country_iso_2,
        opportunity_score=round_half_away(round(found.score, 9)),
        demand=round_half_away(found.demand, 3),
        gap=round_half_away(found.gap, 3),
        winnability=round_half_away(found.winnability, 3),
        demand_unknown=found.demand_unknown,
        low_evidence=found.low_evidence,
        competitors=found.competitors,
        sources=found.sources,
        answer_ids=found.answer_ids,
        updated_at=to_iso(row.updated_at),
    )


class Analytics(Board, frozen=True, kw_only=True):
    """Where a brand stands: by the latest known answers (`scoreboard`), or by one check alone (`scan`)."""

    source: Literal["scoreboard", "scan"]
    domain_id: uuid.UUID
    scan: Scan | None
    as_of: Timestamp | None
    themes: tuple[Theme, ...]
    trend: tuple[TrendPoint, ...]

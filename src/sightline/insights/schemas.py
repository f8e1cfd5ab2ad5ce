"""Themes, recommendations and opportunities as they leave the house. Figures are rounded here, and nowhere before."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

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
    """An answer that proves a finding. Read it with `GET /scans/{scan_id}/answers/{answer_id}`."""

    scan_id: Annotated[uuid.UUID, Meta(description="Check that the answer belongs to.")]
    answer_id: Annotated[uuid.UUID, Meta(description="Id of the answer.")]


class Theme(msgspec.Struct, frozen=True, kw_only=True):
    """What answers say about the brand, in one to three words, with a verbatim quote."""

    id: Annotated[uuid.UUID, Meta(description="Id of the theme.")]
    scan_id: Annotated[uuid.UUID, Meta(description="Full Check that the theme was found in.")]
    descriptor: Annotated[str, Meta(description="One to three words, with synonyms merged.")]
    kind: Annotated[
        ThemeKind,
        Meta(
            description="`distinctive`: sets the brand apart from its competitors. `shared`: said about them as well."
        ),
    ]
    answers: Annotated[int, Meta(description="Number of answers that say it about the brand.")]
    share_pct: Annotated[
        float, Meta(description="Share of these answers in all answers that name the brand, in percent.")
    ]
    log_odds: Annotated[float, Meta(description="Log-odds compared with the answers about competitors.")]
    z: Annotated[float, Meta(description="How certain that difference is. `distinctive` themes have 1.96 or more.")]
    polarity: Annotated[
        float | None,
        Meta(description="Median sentiment of the clauses, 0 to 100, 50 is neutral. Null if none was scored."),
    ]
    polarity_label: Annotated[
        Label | None, Meta(description="`positive`, `neutral` or `negative`. Null if none was scored.")
    ]
    quote: Annotated[str, Meta(description="One of the clauses, verbatim.")]
    answer_ids: Annotated[tuple[uuid.UUID, ...], Meta(description="Answers that say it. Read them with `scan_id`.")]


class Recommendation(msgspec.Struct, frozen=True, kw_only=True):
    """What to do after a Full Check, and the answers that prove it."""

    id: Annotated[uuid.UUID, Meta(description="Id of the recommendation.")]
    scan_id: Annotated[uuid.UUID, Meta(description="Full Check that the recommendation is based on.")]
    kind: Annotated[
        Kind, Meta(description="Rule that the recommendation follows from. `nothing_significant` if no rule applies.")
    ]
    action: Annotated[str, Meta(description="What to do.")]
    subject: Annotated[str | None, Meta(description="What it is about: a page, a platform, a country or a theme.")]
    prompt_id: Annotated[
        uuid.UUID | None, Meta(description="Id of the prompt that it concerns. Null if it concerns no single prompt.")
    ]
    prompt: Annotated[str | None, Meta(description="Text of that prompt.")]
    pages: Annotated[tuple[str, ...], Meta(description="Pages that the recommendation is based on.")]
    answer_ids: Annotated[tuple[uuid.UUID, ...], Meta(description="Answers that prove it.")]
    answers: Annotated[
        tuple[ProvingAnswer, ...],
        Meta(description="The same answers, each with its check. Some of them may belong to earlier checks."),
    ]


class Opportunity(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt that people ask, for which competitors are named, and whose answer can be won."""

    id: Annotated[uuid.UUID, Meta(description="Id of the opportunity.")]
    prompt_id: Annotated[uuid.UUID, Meta(description="Id of the prompt.")]
    prompt: Annotated[str, Meta(description="Text of the prompt.")]
    language_code: Annotated[
        str | None, Meta(description="Language of the prompt. Null for history from before languages were recorded.")
    ]
    country_iso_2: Annotated[str | None, Meta(description="Market of the prompt. Null for Global.")]
    opportunity_score: Annotated[
        float, Meta(description="Score from 0 to 100 that combines demand, gap and winnability.")
    ]
    demand: Annotated[
        float, Meta(description="How often the prompt is asked, 0 to 1, relative to the most asked prompt.")
    ]
    gap: Annotated[float, Meta(description="Share of valid answers that name a competitor and not the brand, 0 to 1.")]
    winnability: Annotated[
        float,
        Meta(
            description="How open the answer is, 0 to 1, judged by the cited sites and by how much the answer changes."
        ),
    ]
    demand_unknown: Annotated[
        bool, Meta(description="Whether no search volume is known. The median demand is used instead.")
    ]
    low_evidence: Annotated[bool, Meta(description="Whether there are fewer than three valid answers.")]
    competitors: Annotated[
        tuple[NamedCompetitor, ...], Meta(description="Competitors that the answers of the gap name.")
    ]
    sources: Annotated[tuple[CitedSource, ...], Meta(description="Sites that the answers cite, most cited first.")]
    answer_ids: Annotated[tuple[uuid.UUID, ...], Meta(description="Answers that name a competitor and not the brand.")]
    updated_at: Annotated[Timestamp, Meta(description="When the opportunity was last computed.")]


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
    """The position of a brand: by the latest known answers (`scoreboard`), or by one check alone (`scan`)."""

    source: Annotated[
        Literal["scoreboard", "scan"],
        Meta(description="`scoreboard`: the latest known answers. `scan`: one check alone."),
    ]
    domain_id: Annotated[uuid.UUID, Meta(description="Tracked domain.")]
    scan: Annotated[
        Scan | None,
        Meta(
            description="Requested check; for a scoreboard, the Full Check that it is based on. Null before the "
            "first check."
        ),
    ]
    as_of: Annotated[
        Timestamp | None,
        Meta(description="When the latest check that it includes completed. Null before the first check."),
    ]
    themes: Annotated[
        tuple[Theme, ...],
        Meta(description="Brand Themes of the Full Check that is shown. Empty for other checks and other plans."),
    ]
    trend: Annotated[
        tuple[TrendPoint, ...], Meta(description="One point for each check of the last year, oldest first.")
    ]

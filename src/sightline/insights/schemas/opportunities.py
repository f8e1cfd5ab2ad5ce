"""Opportunities: prompts for which answers name other brands but not yours."""

import uuid
from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.insights.models import (
    OLDER_VERSION,
    BestRival,
    CitedSource,
    DecidingPage,
    NamedCompetitor,
    OpportunityRow,
    StoredOpportunity,
)
from sightline.kit.clock import Timestamp, to_iso
from sightline.kit.examples import CHECK_ANSWER_ID, CHECK_ID, CHECKED_PROMPT, CHECKED_PROMPT_ID, Example
from sightline.kit.rounding import round_half_away, round_half_away_or_none
from sightline.kit.structs import convert_struct


class Opportunity(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt for which answers name other brands but not yours."""

    id: Annotated[uuid.UUID, Meta(description="Id of the opportunity.")]
    scan_id: Annotated[uuid.UUID, Meta(description="Full Check that the opportunity was found in.")]
    prompt_id: Annotated[uuid.UUID, Meta(description="Id of the prompt.")]
    prompt: Annotated[str, Meta(description="Text of the prompt.")]
    language_code: Annotated[
        str | None, Meta(description="Language of the prompt. Null for prompts from before languages were recorded.")
    ]
    country_iso_2: Annotated[str | None, Meta(description="Country of the prompt. Null if none is set.")]
    opportunity_score: Annotated[
        float,
        Meta(
            description="Score from 0 to 100 that combines demand, gap and winnability. Demand is left out where it "
            "is unknown."
        ),
    ]
    demand: Annotated[
        float | None,
        Meta(
            description="How often the prompt is asked, 0 to 1, relative to the most asked prompt. Null if "
            "`ai_search_volume` of the prompt is unknown."
        ),
    ]
    gap: Annotated[float, Meta(description="Share of valid answers that name other brands but not yours, 0 to 1.")]
    winnability: Annotated[
        float,
        Meta(
            description="How easily a brand can get into the answers, 0 to 1. It is higher if more of the citations "
            "lead to sites where a brand can get itself mentioned, if the citations are spread over more sites, and if "
            "the answers name different brands from check to check."
        ),
    ]
    demand_unknown: Annotated[bool, Meta(description="Whether `ai_search_volume` of the prompt is unknown.")]
    low_evidence: Annotated[bool, Meta(description="Whether there are fewer than three valid answers.")]
    competitors: Annotated[
        tuple[NamedCompetitor, ...],
        Meta(
            description="Competitors, tracked or discovered, named in answers that do not name the brand, most named "
            "first."
        ),
    ]
    sources: Annotated[
        tuple[CitedSource, ...],
        Meta(description="Sites that the answers to the prompt cite, most cited first; at most ten."),
    ]
    answer_ids: Annotated[
        tuple[uuid.UUID, ...],
        Meta(description="Answers that name other brands but not yours. They belong to the check `scan_id`."),
    ]
    updated_at: Annotated[Timestamp, Meta(description="When the opportunity was last computed.")]
    valid_answers: Annotated[
        int | None, Meta(description=f"Number of valid answers to the prompt. Null if {OLDER_VERSION}.")
    ] = None
    gap_answers: Annotated[
        int | None,
        Meta(description=f"Number of answers that name other brands but not yours. Null if {OLDER_VERSION}."),
    ] = None
    citations: Annotated[
        int | None, Meta(description=f"Number of citations in the answers to the prompt. Null if {OLDER_VERSION}.")
    ] = None
    winnable_citations: Annotated[
        int | None,
        Meta(
            description=f"Number of citations of sites where a brand can get itself mentioned. Null if {OLDER_VERSION}."
        ),
    ] = None
    pages: Annotated[
        tuple[DecidingPage, ...],
        Meta(description="Pages that the answers to the prompt cite most often, at most 5."),
    ] = ()
    best_rival: Annotated[
        BestRival | None,
        Meta(description=f"Competitor that is named in the most answers to the prompt. Null if {OLDER_VERSION}."),
    ] = None


_decoder = msgspec.json.Decoder(StoredOpportunity)


def to_opportunity(row: OpportunityRow) -> Opportunity:
    stored = _decoder.decode(row.opportunity)
    return convert_struct(
        Opportunity,
        stored,
        id=row.id,
        scan_id=row.scan_id,
        opportunity_score=round_half_away(round(stored.score, 9)),
        demand=None if stored.demand is None or stored.demand_unknown else round_half_away(stored.demand, 3),
        gap=round_half_away(stored.gap, 3),
        winnability=round_half_away(stored.winnability, 3),
        updated_at=to_iso(row.updated_at),
        best_rival=_round_rival(stored.best_rival),
    )


def _round_rival(rival: BestRival | None) -> BestRival | None:
    return rival and msgspec.structs.replace(rival, mean_place=round_half_away_or_none(rival.mean_place))


# Examples

_OPPORTUNITY = Opportunity(
    id=uuid.UUID("01990f71-46d9-7a5c-b3e1-0f82c74d6915"),
    scan_id=CHECK_ID,
    prompt_id=CHECKED_PROMPT_ID,
    prompt=CHECKED_PROMPT,
    language_code="en",
    country_iso_2=None,
    opportunity_score=66.5,
    demand=0.829,
    gap=0.571,
    winnability=0.653,
    demand_unknown=False,
    low_evidence=False,
    competitors=(NamedCompetitor("Globex", 4, (CHECK_ANSWER_ID,)),),
    sources=(CitedSource("g2.com", "review", 5, winnable=True, answer_ids=(CHECK_ANSWER_ID,)),),
    answer_ids=(CHECK_ANSWER_ID,),
    updated_at="2026-11-14T09:32:47.018554+00:00",
    valid_answers=7,
    gap_answers=4,
    citations=12,
    winnable_citations=5,
    pages=(
        DecidingPage(
            "g2.com/categories/anvils",
            "The best anvils",
            "g2.com",
            "review",
            5,
            winnable=True,
            answer_ids=(CHECK_ANSWER_ID,),
        ),
    ),
    best_rival=BestRival(
        name="Globex", answers=5, mean_place=1.4, pages=("globex.com/anvils",), answer_ids=(CHECK_ANSWER_ID,)
    ),
)

EXAMPLES = {
    "list_opportunities": Example([_OPPORTUNITY]),
}

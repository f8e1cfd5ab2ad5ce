"""Schemas of analytics, themes and opportunities in the Data API. Figures are rounded only here."""

import uuid
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from sightline.insights.models import (
    OLDER_VERSION,
    BestRival,
    CitedSource,
    DecidingPage,
    NamedCompetitor,
    OpportunityRow,
    RankedRow,
    StoredOpportunity,
    StoredTheme,
    UnreadReason,
)
from sightline.kit.clock import Timestamp, to_iso
from sightline.kit.rounding import round_half_away, round_half_away_or_none
from sightline.metrics.sentiment import Label
from sightline.metrics.themes import ChangeVerdict
from sightline.metrics.themes import Kind as ThemeKind
from sightline.scans.schemas.scan import Scan
from sightline.scoreboard.schemas import Board, TrendPoint


class ThemeQuote(msgspec.Struct, frozen=True):
    """A sentence or list item of an answer, verbatim. The brand is its subject."""

    answer_id: Annotated[
        uuid.UUID, Meta(description="Answer that contains the sentence. It belongs to the check `scan_id`.")
    ]
    text: Annotated[str, Meta(description="The sentence, with its Markdown.")]


class ThemeShareChange(msgspec.Struct, frozen=True):
    """How the share of a theme has changed since the previous Full Check."""

    previous_share_pct: Annotated[float, Meta(description="Share in the previous Full Check, in percent.")]
    verdict: Annotated[
        ChangeVerdict,
        Meta(
            description="`up`, `down`, `no_clear_change`, or `new` if no answer of the previous Full Check mentioned "
            "the theme. Only prompts and platforms whose answers name the brand in both checks are "
            "compared. The test is corrected for the number of themes."
        ),
    ]


class Theme(msgspec.Struct, frozen=True, kw_only=True):
    """An aspect of the brand that answers mention, with the sentences that mention it."""

    id: Annotated[uuid.UUID, Meta(description="Id of the theme.")]
    scan_id: Annotated[uuid.UUID, Meta(description="Full Check that the theme was found in.")]
    descriptor: Annotated[
        str,
        Meta(
            description="The aspect of the brand, such as `ease of use`. Different words for the same aspect are "
            "merged into one theme."
        ),
    ]
    kind: Annotated[
        ThemeKind,
        Meta(
            description="`distinctive`: answers mention it significantly more often for the brand than for all "
            "competitors together, corrected for the number of themes. `shared`: any other theme."
        ),
    ]
    answers: Annotated[int, Meta(description="Number of answers that mention it for the brand.")]
    share_pct: Annotated[float, Meta(description="These answers as a percentage of all answers that name the brand.")]
    share_low_pct: Annotated[
        float | None,
        Meta(
            description="Lower end of the 95% range of `share_pct` for these prompts. Null if an "
            "older version of Sightline found the theme."
        ),
    ]
    share_high_pct: Annotated[
        float | None,
        Meta(
            description="Upper end of the 95% range of `share_pct` for these prompts. Null if an "
            "older version of Sightline found the theme."
        ),
    ]
    prompts: Annotated[
        int | None,
        Meta(
            description="Number of prompts that these answers belong to. Null if an "
            "older version of Sightline found the theme."
        ),
    ]
    platforms: Annotated[
        int | None,
        Meta(
            description="Number of platforms that these answers come from. Null if an "
            "older version of Sightline found the theme."
        ),
    ]
    few_answers: Annotated[
        bool, Meta(description="Whether fewer than ten answers name the brand. Themes may then still change a lot.")
    ]
    log_odds: Annotated[
        float,
        Meta(description="Log odds ratio of the theme: answers about the brand against answers about competitors."),
    ]
    z: Annotated[
        float,
        Meta(
            description="z-score of `log_odds`, before the correction for the number of themes. Every `distinctive` "
            "theme has at least 1.96. Because of the correction, a `shared` theme can have 1.96 or more, too."
        ),
    ]
    polarity: Annotated[
        float | None, Meta(description="0 if all answers criticize it, 100 if all praise it. Null if none was scored.")
    ]
    polarity_label: Annotated[
        Label | None,
        Meta(
            description="`neutral` if more than half of the answers are neutral. Otherwise, only answers that praise "
            "or criticize the aspect count: `positive` if at least two thirds of them praise it, `negative` if at "
            "least two thirds of them criticize it, and `neutral` if they are divided. Null if none was scored."
        ),
    ]
    positive: Annotated[
        int | None,
        Meta(description="Number of answers that praise it. Null if an older version of Sightline found the theme."),
    ]
    neutral: Annotated[
        int | None,
        Meta(
            description="Number of answers that do neither, or both equally. Null if an "
            "older version of Sightline found the theme."
        ),
    ]
    negative: Annotated[
        int | None,
        Meta(description="Number of answers that criticize it. Null if an older version of Sightline found the theme."),
    ]
    quote: Annotated[
        str,
        Meta(description="The first of `quotes`. Themes found by an older version of Sightline have only this quote."),
    ]
    quotes: Annotated[tuple[ThemeQuote, ...], Meta(description="Up to three sentences that mention it.")]
    change: Annotated[
        ThemeShareChange | None,
        Meta(
            description="Change since the previous Full Check. Null if there is no previous Full Check, or if no "
            "prompt has an answer that names the brand on the same platform in both Full Checks."
        ),
    ]
    answer_ids: Annotated[
        tuple[uuid.UUID, ...], Meta(description="Answers that mention it. They belong to the check `scan_id`.")
    ]
    opinions: Annotated[
        tuple[Label, ...],
        Meta(
            description="Opinion of each answer in `answer_ids` about the aspect, in the same order. Empty if "
            "an older version of Sightline found the theme."
        ),
    ] = ()


class UnreadLanguage(msgspec.Struct, frozen=True):
    """A language for which themes are not available."""

    language_code: Annotated[str, Meta(description="Two-letter code of the language.")]
    answers: Annotated[
        int, Meta(description="Number of answers in that language that name the brand and were not read.")
    ]
    reason: Annotated[
        UnreadReason,
        Meta(
            description="`no_word_lists`: Sightline has no word lists for the language, and no AI model is set up to "
            "read it. `judge_failed`: an AI model is set up to read it, and it failed. `judge_limit`: there were more "
            "answers than the AI model may read in one Full Check."
        ),
    ]


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
    topic: Annotated[
        str | None,
        Meta(
            description="Topic that the prompt shares with other prompts. Null if it shares none, or if "
            f"{OLDER_VERSION}."
        ),
    ] = None
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


class Analytics(Board, frozen=True, kw_only=True):
    """The figures of a brand, from the latest valid answers (`scoreboard`) or from one check alone (`scan`)."""

    source: Annotated[
        Literal["scoreboard", "scan"],
        Meta(description="`scoreboard`: the latest valid answers. `scan`: one check alone."),
    ]
    domain_id: Annotated[uuid.UUID, Meta(description="Tracked domain.")]
    scan: Annotated[
        Scan | None,
        Meta(
            description="Requested check. For the scoreboard: the latest Full Check, whose prompts and platforms "
            "count in the figures. Before the first Full Check, it is the latest check. Null before the first check."
        ),
    ]
    as_of: Annotated[
        Timestamp | None,
        Meta(description="When the latest check in these figures completed. Null before the first check."),
    ]
    themes: Annotated[
        tuple[Theme, ...],
        Meta(
            description="Brand Themes of the latest Full Check: aspects of the brand that its answers mention. Empty "
            "if `scan` is any other check. Only the Professional and Agency plans include them."
        ),
    ]
    unread_themes: Annotated[
        tuple[UnreadLanguage, ...],
        Meta(description="Languages for which themes are not available, most answers first."),
    ]
    trend: Annotated[
        tuple[TrendPoint, ...], Meta(description="One point for each check of the last year, oldest first.")
    ]


_theme_decoder = msgspec.json.Decoder(StoredTheme)
_opportunity_decoder = msgspec.json.Decoder(StoredOpportunity)


def to_theme(row: RankedRow) -> Theme:
    stored = _theme_decoder.decode(row.found)
    return Theme(
        id=row.id,
        scan_id=row.scan_id,
        descriptor=stored.descriptor,
        kind=stored.kind,
        answers=stored.answers,
        share_pct=round_half_away(round(stored.share, 9)),
        log_odds=round_half_away(stored.log_odds, 3),
        z=round_half_away(stored.z, 2),
        polarity=round_half_away_or_none(stored.polarity),
        polarity_label=stored.polarity_label,
        share_low_pct=round_half_away_or_none(stored.share_low),
        share_high_pct=round_half_away_or_none(stored.share_high),
        prompts=stored.prompts,
        platforms=stored.platforms,
        few_answers=stored.few_answers,
        positive=stored.positive,
        neutral=stored.neutral,
        negative=stored.negative,
        quote=stored.quotes[0].text if stored.quotes else stored.quote,
        quotes=tuple(ThemeQuote(each.answer_id, each.text) for each in stored.quotes),
        change=None
        if stored.change is None
        else ThemeShareChange(round_half_away(round(stored.change.share, 9)), stored.change.verdict),
        answer_ids=stored.answer_ids,
        opinions=stored.opinions,
    )


def to_opportunity(row: OpportunityRow) -> Opportunity:
    stored = _opportunity_decoder.decode(row.opportunity)
    return Opportunity(
        id=row.id,
        scan_id=row.scan_id,
        prompt_id=stored.prompt_id,
        prompt=stored.prompt,
        language_code=stored.language_code,
        country_iso_2=stored.country_iso_2,
        opportunity_score=round_half_away(round(stored.score, 9)),
        demand=None if stored.demand is None or stored.demand_unknown else round_half_away(stored.demand, 3),
        gap=round_half_away(stored.gap, 3),
        winnability=round_half_away(stored.winnability, 3),
        demand_unknown=stored.demand_unknown,
        low_evidence=stored.low_evidence,
        competitors=stored.competitors,
        sources=stored.sources,
        answer_ids=stored.answer_ids,
        updated_at=to_iso(row.updated_at),
        topic=stored.topic,
        valid_answers=stored.valid_answers,
        gap_answers=stored.gap_answers,
        citations=stored.citations,
        winnable_citations=stored.winnable_citations,
        pages=stored.pages,
        best_rival=_round_rival(stored.best_rival),
    )


def _round_rival(rival: BestRival | None) -> BestRival | None:
    return rival and msgspec.structs.replace(rival, mean_place=round_half_away_or_none(rival.mean_place))

"""Themes, and the languages for which they are not available."""

import uuid
from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.insights.models import RankedRow, StoredTheme, ThemeQuote, UnreadReason
from sightline.kit.examples import CHECK_ANSWER_ID, CHECK_ID, Example
from sightline.kit.rounding import round_half_away, round_half_away_or_none
from sightline.kit.structs import convert_struct
from sightline.metrics.sentiment import Label
from sightline.metrics.themes import ChangeVerdict
from sightline.metrics.themes import Kind as ThemeKind


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
    theme_key: Annotated[
        str | None,
        Meta(
            description="Key of the theme in the domain's codebook, such as `t3`: the same in every Full Check, also "
            "after it was renamed. Null for a theme that rules found."
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
        Meta(description="`no_word_lists`: rules find themes in English answers only, and the themes were not edited."),
    ] = "no_word_lists"


_decoder = msgspec.json.Decoder(StoredTheme)


def to_theme(row: RankedRow) -> Theme:
    stored = _decoder.decode(row.found)
    return convert_struct(
        Theme,
        stored,
        id=row.id,
        scan_id=row.scan_id,
        share_pct=round_half_away(round(stored.share, 9)),
        log_odds=round_half_away(stored.log_odds, 3),
        z=round_half_away(stored.z, 2),
        polarity=round_half_away_or_none(stored.polarity),
        share_low_pct=round_half_away_or_none(stored.share_low),
        share_high_pct=round_half_away_or_none(stored.share_high),
        quote=stored.quotes[0].text if stored.quotes else stored.quote,
        change=None
        if stored.change is None
        else ThemeShareChange(round_half_away(round(stored.change.share, 9)), stored.change.verdict),
    )


# Examples

_THEME = Theme(
    id=uuid.UUID("01990f71-3e86-7c0a-8b5f-d714e9026ac3"),
    scan_id=CHECK_ID,
    descriptor="ease of use",
    theme_key="t3",
    kind="distinctive",
    answers=12,
    share_pct=4.0,
    log_odds=1.97,
    z=3.74,
    share_low_pct=2.3,
    share_high_pct=6.9,
    prompts=7,
    platforms=4,
    few_answers=False,
    polarity=95.8,
    polarity_label="positive",
    positive=11,
    neutral=1,
    negative=0,
    quote="Acme is easy to use, even for beginners.",
    quotes=(ThemeQuote(CHECK_ANSWER_ID, "Acme is easy to use, even for beginners."),),
    change=ThemeShareChange(3.1, "no_clear_change"),
    answer_ids=(CHECK_ANSWER_ID,),
    opinions=("positive",),
)

EXAMPLES = {
    "list_themes": Example([_THEME]),
}

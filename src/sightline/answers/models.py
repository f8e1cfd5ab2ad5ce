"""The brands that an answer is searched for, and what was found."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Stance = Literal["neutral", "contrast", "discouraged", "unknown"]
SITE_TYPE_MEANING = (
    "Kind of site: `review`, `list` (lists and comparisons), `forum`, `news`, `video`, `encyclopaedia`, "
    "`government`, `shop`, `own`, `competitor` or `other`."
)
STANCE_MEANING = (
    '`contrast` (others are contrasted with the brand, as in "unlike Acme" or "better than Acme"), '
    "`discouraged` (the answer advises against the brand), "
    "`unknown` (the answer only says that it does not know the brand) or `neutral` (any other mention, including "
    "praise)."
)
ANSWER_STANCE_MEANING = (
    f"How the answer presents the brand: {STANCE_MEANING} Null if the answer does not contain the name."
)
MENTIONED_MEANING = (
    "Whether the answer names the brand. A derived word such as `Acme-like` counts. False if the answer only says that "
    "it does not know the brand."
)
RankSource = Literal["verdict", "ordered", "bullet", "table", "first_mention"]
Label = Literal["positive", "neutral", "negative"]
UnscoredReason = Literal["language", "doubt", "no_opinion"]
"""Why a named brand has no sentiment although one was asked for: no scorer reads the language, the scorer is not sure
enough, or the brand is named only in passing, as in "Acme-like" or in a list of names, and nothing is said of it."""


class Brand(msgspec.Struct, frozen=True):
    """A brand to search for: the measured one or a competitor. `products` name the brand by what it sells.

    `exclusions` are phrases that contain one of its names and mean something else. `market_words` are what answers on
    its market speak of: in an answer that has none of them, an ordinary word is not the brand.
    """

    name: str
    aliases: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    category_words: tuple[str, ...] = ()
    products: tuple[str, ...] = ()
    exclusions: tuple[str, ...] = ()
    market_words: tuple[str, ...] = ()


class Occurrence(msgspec.Struct, frozen=True):
    """One place in an answer that names a brand. `start` and `end` are offsets in the text of the answer."""

    start: Annotated[
        int, Meta(description="Offset of the first character in the text, counted from 0 in Unicode code points.")
    ]
    end: Annotated[int, Meta(description="Offset after the last character, counted like `start`.")]
    text: Annotated[str, Meta(description="Words in the text that name the brand.")]
    stance: Annotated[Stance, Meta(description=f"How this place presents the brand: {STANCE_MEANING}")]
    derived: Annotated[
        bool, Meta(description="Whether the words are only derived from the name, such as `Acme-like`.")
    ] = False  # names the brand but recommends something else
    product: Annotated[
        str | None, Meta(description="Product that follows the name, such as `Mini X200`. Null if none does.")
    ] = None


class Citation(msgspec.Struct, frozen=True):
    """A page that the answer cites, normalized. `domain` is its registrable domain."""

    url: Annotated[
        str, Meta(description="Normalized address of the page, without scheme, `www.` and tracking parameters.")
    ]
    host: Annotated[str, Meta(description="Host of the page.")]
    domain: Annotated[str, Meta(description="Registrable domain of the page.")]


class Sentiment(msgspec.Struct, frozen=True):
    """How an answer speaks of a brand, 0 to 100 with 50 neutral.

    None in its place means that no scorer was sure enough.
    """

    score: float
    label: Label
    scorer: str | None = None
    """The scorer and its version: `model 2`, `judge 1`."""


class BrandAnalysis(msgspec.Struct, frozen=True, kw_only=True):
    """What one answer says of one brand."""

    name: str
    mentioned: bool
    occurrences: tuple[Occurrence, ...] = ()
    stance: Stance | None = None
    rank: int | None = None
    cited_urls: tuple[str, ...] = ()
    sentiment: Sentiment | None = None
    unscored: UnscoredReason | None = None
    """None if there is a sentiment, if none was asked for, or in an answer of an earlier version."""

    @property
    def cited(self) -> bool:
        return bool(self.cited_urls)


class AnswerAnalysis(msgspec.Struct, frozen=True, kw_only=True):
    """What one answer says of all brands that it was searched for, in their order."""

    brands: tuple[BrandAnalysis, ...]
    citations: tuple[Citation, ...]
    unresolved: int  # sources behind a redirect that does not contain its target
    n_brands: int
    rank_source: RankSource | None
    language: str | None  # as declared, or as detected where a name's ending depended on it

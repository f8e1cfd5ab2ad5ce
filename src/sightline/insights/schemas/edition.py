"""Schemas of the editor: how the insights of a domain were edited, and what people correct."""

import uuid
from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.insights.editor.market import Market
from sightline.insights.editor.models import EditionRow, RulesReason
from sightline.insights.editor.sorting import CodebookTheme
from sightline.kit.examples import CHECK_ID, Example
from sightline.kit.structs import convert_struct

Phrase = Annotated[str, Meta(min_length=1, max_length=60)]


class CodebookEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A theme of a domain, also one that no answer mentions now."""

    theme_key: Annotated[str, Meta(description="Key of the theme. It never changes and is never used again.")]
    label: Annotated[str, Meta(description="Label of the theme: your own, or else the editor's.")]
    definition: Annotated[str, Meta(description="What belongs to the theme, in one line.")]
    examples: Annotated[tuple[str, ...], Meta(description="Sentences of answers that belong to it.")]
    merged_into: Annotated[str | None, Meta(description="Key of the theme that it was merged into. Null if none.")]
    hidden: Annotated[bool, Meta(description="Whether it is hidden.")]
    pinned: Annotated[bool, Meta(description="Whether it is listed before all others.")]


class EditedMarket(msgspec.Struct, frozen=True, kw_only=True):
    """What is sold in the market of a domain."""

    singular: Annotated[str, Meta(description="What is sold, as one noun, such as `anvil`.")]
    plural: Annotated[str, Meta(description="The same in the plural.")]
    audience: Annotated[str, Meta(description="Who buys it.")]
    language: Annotated[str, Meta(description="Two-letter code of the language of these nouns.")]
    corrected: Annotated[bool, Meta(description="Whether people entered it. It is then not asked for again.")]


class EditionSummary(msgspec.Struct, frozen=True, kw_only=True):
    """Who edited the insights of a domain: named competitors, sorted themes, worded actions and proposed prompts."""

    scan_id: Annotated[uuid.UUID | None, Meta(description="Latest Full Check with insights. Null before the first.")]
    edited_by: Annotated[
        str | None,
        Meta(description="Platform and model that edited the insights, such as `claude:model`. Null if rules did."),
    ]
    formerly_edited_by: Annotated[
        str | None,
        Meta(
            description="Who edited the Full Check before, if this is the first one of another model. The themes of "
            "the check before were then sorted again, so that changes are between results of the same model."
        ),
    ]
    rules_reason: Annotated[
        RulesReason | None,
        Meta(
            description="Why rules did some or all of it: `off` (no editor is connected or wanted), `declined` (by the "
            "workspace), `paused` (the platform is) or `unavailable` (it did not answer in time). Null otherwise."
        ),
    ]
    over_budget: Annotated[
        int,
        Meta(description="Number of questions that were left to rules because an edition may cost 5% of its check."),
    ]
    market: Annotated[EditedMarket | None, Meta(description="What is sold. Null if it is not known.")]
    codebook: Annotated[tuple[CodebookEntry, ...], Meta(description="The themes of the domain, the oldest first.")]


class MarketInput(msgspec.Struct, frozen=True, kw_only=True):
    """What is sold in the market, as buyers call it."""

    singular: Annotated[Phrase, Meta(description="What is sold, as one noun, such as `anvil`, without brand names.")]
    plural: Annotated[Phrase, Meta(description="The same in the plural.")]
    audience: Annotated[
        Annotated[str, Meta(min_length=1, max_length=160)], Meta(description="Who buys it, in a few words.")
    ]
    language: Annotated[
        Annotated[str, Meta(pattern="^[a-z]{2}$")], Meta(description="Two-letter code of the language of these words.")
    ]


class ThemeChanges(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Changes to a theme. A field that you leave out does not change."""

    label: Annotated[
        Annotated[str, Meta(min_length=1, max_length=40)] | msgspec.UnsetType,
        Meta(description="Label of one to four words."),
    ] = msgspec.UNSET
    merged_into: Annotated[
        str | msgspec.UnsetType | None,
        Meta(description="Key of the theme that takes its answers from the next Full Check on. Null undoes this."),
    ] = msgspec.UNSET
    hidden: Annotated[bool | msgspec.UnsetType, Meta(description="True hides the theme.")] = msgspec.UNSET
    pinned: Annotated[bool | msgspec.UnsetType, Meta(description="True lists the theme before all others.")] = (
        msgspec.UNSET
    )


def to_codebook_entry(theme: CodebookTheme) -> CodebookEntry:
    return convert_struct(CodebookEntry, theme, theme_key=theme.id)


def to_edited_market(market: Market, *, corrected: bool) -> EditedMarket:
    return convert_struct(EditedMarket, market, corrected=corrected)


def to_edition_summary(row: EditionRow) -> EditionSummary:
    account = row.account
    return EditionSummary(
        scan_id=row.scan_id,
        edited_by=row.editor,
        formerly_edited_by=account.former_editor if account else None,
        rules_reason=account.reason if account else None,
        over_budget=sum(account.over_budget.values()) if account else 0,
        market=to_edited_market(row.market, corrected=row.is_corrected) if row.market else None,
        codebook=tuple(map(to_codebook_entry, row.codebook)),
    )


# Examples

_THEME = CodebookEntry(
    theme_key="t3",
    label="ease of use",
    definition="How easily the anvil is set up and used.",
    examples=("Acme anvils are easy to set up.",),
    merged_into=None,
    hidden=False,
    pinned=True,
)
_EDITION = EditionSummary(
    scan_id=CHECK_ID,
    edited_by="claude:claude-sonnet-5-5",
    formerly_edited_by=None,
    rules_reason=None,
    over_budget=0,
    market=EditedMarket(singular="anvil", plural="anvils", audience="smiths", language="en", corrected=True),
    codebook=(_THEME,),
)
PATH_IDS = {"data": {"theme_key": _THEME.theme_key}}
EXAMPLES = {
    "read_domain_edition": Example(_EDITION),
    "correct_domain_market": Example(
        _EDITION, {"singular": "anvil", "plural": "anvils", "audience": "smiths", "language": "en"}
    ),
    "forget_domain_market": Example(msgspec.structs.replace(_EDITION, market=None)),
    "change_domain_theme": Example(_THEME, {"label": "ease of use", "pinned": True}),
}

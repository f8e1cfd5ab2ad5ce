"""Titles and descriptions of the charts that both kinds of reports share."""

from sightline.presentation.language import gettext, translatable

_TITLES = {
    "visibility": translatable("Visibility Score of %(brand)s by platform"),
    "coverage": translatable("Share of answers that name %(brand)s, by platform"),
    "positions": translatable("Where each answer names %(brand)s"),
    "share": translatable("Share of Voice of %(brand)s and its competitors"),
}
_BY_PLATFORM = translatable(
    "A point for each platform with its range for these prompts. The table by platform has the same numbers."
)
_DESCRIPTIONS = {
    "visibility": _BY_PLATFORM,
    "coverage": _BY_PLATFORM,
    "positions": translatable("Rows are prompts, columns are platforms. The table of prompts has the same data."),
    "share": translatable("A bar for each brand. The table of competitors has the same numbers."),
}


def title_chart(name: str, brand: str) -> str:
    return gettext(_TITLES[name], brand=brand)


def describe_chart(name: str) -> str:
    return gettext(_DESCRIPTIONS[name])

"""The names of the kinds of sites that answers cite."""

from sightline.presentation.language import gettext, translatable

_NAMES = {
    "review": translatable("Reviews"),
    "list": translatable("Lists and comparisons"),
    "forum": translatable("Forums"),
    "news": translatable("News"),
    "video": translatable("Video"),
    "encyclopaedia": translatable("Encyclopedias"),
    "government": translatable("Government"),
    "shop": translatable("Shops"),
    "own": translatable("Your own"),
    "competitor": translatable("Competitors"),
    "other": translatable("Other"),
}


def name_source_type(kind: str) -> str:
    return gettext(_NAMES[kind])

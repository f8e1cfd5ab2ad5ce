"""The names of the types of sites that answers cite."""

from sightline.presentation.language import gettext, translatable

SOURCE_TYPES = {
    "own": translatable("Your own"),
    "competitor": translatable("Competitor"),
    "review": translatable("Reviews"),
    "list": translatable("Lists and comparisons"),
    "forum": translatable("Forums"),
    "news": translatable("News"),
    "video": translatable("Video"),
    "encyclopaedia": translatable("Encyclopedias"),
    "government": translatable("Government"),
    "shop": translatable("Shops"),
    "other": translatable("Other"),
}


def name_source_type(key: str) -> str:
    return gettext(SOURCE_TYPES[key])

"""The names of the types of sites that answers cite."""

from sightline.presentation.language import gettext, pgettext, translatable

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
    """Return the name of a type as the heading of all its sites."""
    return gettext(SOURCE_TYPES[key])


def name_site_type(key: str) -> str:
    """Return the type of one site, which is a singular in some languages."""
    names = {
        "own": pgettext("site", "Your own"),
        "competitor": pgettext("site", "Competitor"),
        "review": pgettext("site", "Reviews"),
        "list": pgettext("site", "Lists and comparisons"),
        "forum": pgettext("site", "Forums"),
        "news": pgettext("site", "News"),
        "video": pgettext("site", "Video"),
        "encyclopaedia": pgettext("site", "Encyclopedias"),
        "government": pgettext("site", "Government"),
        "shop": pgettext("site", "Shops"),
        "other": pgettext("site", "Other"),
    }
    return names[key]

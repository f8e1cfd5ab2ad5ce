"""The names of the kinds of sites that answers cite."""

from sightline.presentation.language import gettext, translatable

_NAMES = {
    "review": translatable("reviews"),
    "list": translatable("list"),
    "forum": translatable("forum"),
    "news": translatable("news"),
    "video": translatable("video"),
    "encyclopaedia": translatable("encyclopedia"),
    "government": translatable("government"),
    "shop": translatable("shop"),
    "own": translatable("your site"),
    "competitor": translatable("competitor"),
    "other": translatable("other"),
}


def name_source_type(kind: str) -> str:
    return gettext(_NAMES[kind])

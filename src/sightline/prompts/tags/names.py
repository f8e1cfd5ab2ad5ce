"""Tags of prompts: short names in lower case, by which people group their prompts. Pure."""

import re
import unicodedata
from collections.abc import Iterable

from sightline.errors import invalid_field
from sightline.kit.text import has_invisible_characters
from sightline.presentation.language import gettext

MAX_TAG_LENGTH = 40
MAX_TAGS = 10  # of one prompt
MAX_TAGGED_AT_ONCE = 500  # prompts
_SEPARATORS = re.compile(r"[,;\n]")


def split_tags(text: str) -> list[str]:
    """Return the tags of a text in which commas, semicolons or line breaks separate them."""
    return [tag.strip() for tag in _SEPARATORS.split(text) if tag.strip()]


def clean_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Return the tags in lower case, each once, sorted. Raises `ValueError` for an invalid tag and for too many."""
    cleaned = sorted({_clean_tag(tag) for tag in tags})
    if len(cleaned) > MAX_TAGS:
        raise ValueError(gettext("a prompt can have at most %(most)s tags", most=MAX_TAGS))
    return tuple(cleaned)


def require_tags(field: str, tags: Iterable[str]) -> tuple[str, ...]:
    """Return the cleaned tags of a field. Refused: what `clean_tags` refuses (422)."""
    try:
        return clean_tags(tags)
    except ValueError as error:
        raise invalid_field(field, str(error), "invalid") from error


def _clean_tag(tag: str) -> str:
    cleaned = " ".join(unicodedata.normalize("NFKC", tag).lower().split())
    if not 1 <= len(cleaned) <= MAX_TAG_LENGTH or _SEPARATORS.search(cleaned) or has_invisible_characters(cleaned):
        raise ValueError(
            gettext("a tag has 1 to %(most)s visible characters and no commas or semicolons", most=MAX_TAG_LENGTH)
        )
    return cleaned

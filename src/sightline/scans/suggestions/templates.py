"""Questions from templates: what people ask about any category, in the languages that have templates. Pure."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec

from sightline.errors import invalid_field

MAX_CATEGORY = 60  # characters


class _Templates(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    general: str
    """Stands for a category that nobody has named."""
    ask: tuple[str, ...]


def list_questions(category: str | None, language: str | None) -> list[str]:
    """Return questions about a category, or general ones without it; none in a language without templates."""
    templates = _load().get(language or "")
    if templates is None:
        return []
    return [template.replace("{category}", category or templates.general) for template in templates.ask]


def clean_category(text: str) -> str | None:
    """Return a category on one line, or None if there is none. Raise ValueError if it cannot stand in a question."""
    category = " ".join(text.split())
    if len(category) > MAX_CATEGORY or not category.isprintable() or set(category) & set("<>{}[]|?"):
        raise ValueError(f"must be a short noun, such as running shoes, of at most {MAX_CATEGORY} characters")
    return category or None


def read_category(text: str | None) -> str | None:
    """Return a category of a request or form, or None if there is none. Refuse one that is no short noun (422)."""
    try:
        return clean_category(text or "")
    except ValueError as error:
        raise invalid_field("category", str(error), "invalid") from error


def list_languages() -> tuple[str, ...]:
    """Return the languages that have templates."""
    return tuple(_load())


@cache
def _load() -> Mapping[str, _Templates]:
    text = (files(__package__) / "templates.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, _Templates])

"""The language in which people read pages, e-mails and reports.

Texts in code and templates are English. `gettext` and its relatives return them in the chosen language, if its catalog
has them. Placeholders are written as `%(name)s` and a percent sign as `%%`, in templates and in code alike.
`docs/contribute/where-things-are.md` shows how to write a text.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from markupsafe import Markup

from sightline.kit.messages import translatable as translatable  # noqa: PLC0414 - texts import it from here
from sightline.presentation.catalogs import PSEUDO, load_catalog

if TYPE_CHECKING:
    from jinja2 import Environment

DEFAULT_LANGUAGE = "en"
LANGUAGES: Mapping[str, str] = {DEFAULT_LANGUAGE: "English", "de": "Deutsch"}
"""The languages that people are offered, each by its own name."""

_chosen: ContextVar[str] = ContextVar("language", default=DEFAULT_LANGUAGE)


def write_in(language: str) -> None:
    """Write the page about to be rendered in a language; in English if there is no such language."""
    _chosen.set(language if language in LANGUAGES or language == PSEUDO else DEFAULT_LANGUAGE)


@contextmanager
def in_language(language: str) -> Iterator[None]:
    """Write in a language for what people read outside the pages."""
    before = _chosen.get()
    write_in(language)
    try:
        yield
    finally:
        _chosen.set(before)


def current_language() -> str:
    return _chosen.get()


def current_locale() -> str:
    """Return the locale whose names of countries, languages and days fit the chosen language."""
    return DEFAULT_LANGUAGE if _chosen.get() == PSEUDO else _chosen.get()


def gettext(message: str, **values: object) -> str:
    """Return a text in the chosen language, with its placeholders filled in."""
    return _find_text(message) % values


def ngettext(one: str, many: str, num: int, **values: object) -> str:
    """Return a text in the form that the chosen language has for a number, which the placeholder `num` shows."""
    return _find_plural(one, many, num) % {"num": num, **values}


def pgettext(context: str, message: str, **values: object) -> str:
    """Return a text whose translation depends on a context, such as a word that is a verb in one place."""
    return _find_in_context(context, message) % values


def add_to_templates(environment: "Environment") -> None:
    """Give templates `{% trans %}` and `_()`, which escape what they fill in.

    The callables of the extension copy the template's variables for each text, a sixth of the time of a long page.
    """

    def write(message: str, **values: object) -> str:
        return Markup(_find_text(message)) % values  # noqa: S704 - values are escaped

    def write_in_context(context: str, message: str, **values: object) -> str:
        return Markup(_find_in_context(context, message)) % values  # noqa: S704 - values are escaped

    def write_plural(one: str, many: str, num: int, **values: object) -> str:
        return Markup(_find_plural(one, many, num)) % {"num": num, **values}  # noqa: S704 - as above

    environment.add_extension("jinja2.ext.i18n")
    environment.policies["ext.i18n.trimmed"] = True
    environment.newstyle_gettext = True  # type: ignore[attr-defined]  # comes with the extension
    environment.globals |= {"_": write, "gettext": write, "ngettext": write_plural, "pgettext": write_in_context}
    environment.globals["current_language"] = current_language


def _find_text(message: str) -> str:
    return load_catalog(_chosen.get()).gettext(message)


def _find_plural(one: str, many: str, number: int) -> str:
    return load_catalog(_chosen.get()).ngettext(one, many, number)


def _find_in_context(context: str, message: str) -> str:
    return load_catalog(_chosen.get()).pgettext(context, message)


def translate_everywhere(message: str) -> list[str]:
    """Return a text in every language that people are offered."""
    return [load_catalog(language).gettext(message) for language in LANGUAGES]


def choose_text(texts: Mapping[str, str], key: str) -> str | None:
    """Return the text for a key, such as what was just done, in the chosen language; None for an unknown key."""
    return gettext(texts[key]) if key in texts else None


def find_language(accepted: str) -> str:
    """Return the offered language that an `Accept-Language` header prefers."""
    weighted = []
    for index, part in enumerate(accepted[:1000].split(",")):
        tag, _, parameters = part.partition(";")
        if tag.strip() == PSEUDO:
            return PSEUDO
        language = tag.strip().lower().partition("-")[0]
        weight = _read_weight(parameters)
        if language in LANGUAGES and weight > 0:
            weighted.append((-weight, index, language))
    return min(weighted)[2] if weighted else DEFAULT_LANGUAGE


def _read_weight(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0

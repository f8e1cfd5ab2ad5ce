"""Countries and languages as people write them: a code, or a name in English or in the reader's language."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from babel import Locale

from sightline.platforms.locations import COUNTRIES
from sightline.presentation.language import DEFAULT_LANGUAGE, current_locale, gettext, ngettext
from sightline.presentation.lists import join_names
from sightline.prompts.market_codes import LANGUAGES, clean_country, clean_language

# Names that people write and that the English locale data lacks.
_OTHER_COUNTRY_NAMES = {
    "usa": "US", "u.s.": "US", "u.s.a.": "US", "united states of america": "US", "america": "US", "uk": "GB",
    "u.k.": "GB", "great britain": "GB", "england": "GB", "turkey": "TR", "czech republic": "CZ", "korea": "KR",
    "holland": "NL", "the netherlands": "NL", "uae": "AE", "hong kong": "HK", "macau": "MO", "russian federation": "RU",
}  # fmt: skip
_GLOBAL = frozenset({"", "global", "worldwide", "all"})
_SEPARATORS = re.compile(r"[,;\n]")
NamesToCodes = Mapping[str, tuple[str, str]]
"""By the name in lower case: the name, and the code."""


def list_countries() -> list[tuple[str, str]]:
    """Return the code and the name of every country in the reader's language, by name."""
    return _sort_by_name(_country_names(current_locale()))


def list_languages() -> list[tuple[str, str]]:
    """Return the code and the name of every language in the reader's language, by name."""
    return _sort_by_name(_language_names(current_locale()))


def _sort_by_name(names: NamesToCodes) -> list[tuple[str, str]]:
    """Return codes and names in the order of a dictionary, with accents next to their letters."""
    found = [(code, name) for name, code in names.values()]
    return sorted(found, key=lambda each: unicodedata.normalize("NFKD", each[1]).encode("ascii", "ignore").lower())


def read_country(text: str) -> str | None:
    """Return the code of a country that is given by code or name; None for Global. Raises `ValueError` if unknown."""
    written = text.strip()
    if written.casefold() in _GLOBAL:
        return None
    found = _find(written, _country_names, clean_country) or _OTHER_COUNTRY_NAMES.get(written.casefold())
    if found is None:
        raise ValueError(_refuse_countries([written]))
    return found


def read_language(text: str) -> str:
    """Return the code of a language that is given by code or name. Raises `ValueError` if unknown."""
    written = text.strip()
    found = _find(written, _language_names, clean_language)
    if found is None:
        raise ValueError(
            gettext(
                "“%(text)s” is not a language. Enter a name such as German, or a code such as de", text=written[:60]
            )
        )
    return found


def read_countries(text: str) -> list[str]:
    """Return the codes of a list of countries, each once. Raises `ValueError` with everything that is not a country.

    Commas, semicolons and line breaks separate countries; between codes a space is enough.
    """
    codes: dict[str, None] = {}
    unknown = []
    for part in filter(None, (each.strip() for each in _SEPARATORS.split(text))):
        words = part.split()
        try:
            found = [read_country(part)]
        except ValueError:
            try:
                found = [clean_country(word) for word in words]
            except ValueError:
                unknown.append(part)
                continue
        codes |= {code: None for code in found if code is not None}
    if unknown:
        raise ValueError(_refuse_countries(unknown[:10]))
    return list(codes)


def _refuse_countries(unknown: Sequence[str]) -> str:
    return ngettext(
        "%(names)s is not a country. Enter a name such as Germany, or a code such as DE",
        "%(names)s are not countries. Enter names such as Germany, or codes such as DE",
        len(unknown),
        names=join_names([f"“{name[:60]}”" for name in unknown]),
    )


def _find(written: str, list_names: Callable[[str], NamesToCodes], clean: Callable[[str], str]) -> str | None:
    for locale in (current_locale(), DEFAULT_LANGUAGE):
        known = list_names(locale).get(written.casefold())
        if known is not None:
            return known[1]
    try:
        return clean(written)
    except ValueError:
        return None


@cache
def _country_names(locale: str) -> NamesToCodes:
    territories = Locale(locale).territories
    return {str(territories[code]).casefold(): (str(territories[code]), code) for code in COUNTRIES}


@cache
def _language_names(locale: str) -> NamesToCodes:
    names = Locale(locale).languages
    return {str(names[code]).casefold(): (str(names[code]), code) for code in sorted(LANGUAGES) if code in names}

"""Countries and languages as people write them: a code or an English name. Pure."""

import re
from collections.abc import Callable, Mapping
from functools import cache

from babel import Locale

from sightline.platforms.locations import COUNTRIES
from sightline.prompts.market_codes import LANGUAGES, clean_country, clean_language

# What people write, and the English locale data does not.
_OTHER_COUNTRY_NAMES = {
    "usa": "US", "u.s.": "US", "u.s.a.": "US", "united states of america": "US", "america": "US", "uk": "GB",
    "u.k.": "GB", "great britain": "GB", "england": "GB", "turkey": "TR", "czech republic": "CZ", "korea": "KR",
    "holland": "NL", "the netherlands": "NL", "uae": "AE", "hong kong": "HK", "macau": "MO", "russian federation": "RU",
}  # fmt: skip
_GLOBAL = frozenset({"", "global", "worldwide", "all"})
_SEPARATORS = re.compile(r"[,;\n]")


def list_countries() -> list[tuple[str, str]]:
    """Return the code and the English name of every country, by name."""
    return sorted(((code, name) for name, code in _country_names().values()), key=lambda each: each[1])


def list_languages() -> list[tuple[str, str]]:
    """Return the code and the English name of every language, by name."""
    return sorted(((code, name) for name, code in _language_names().values()), key=lambda each: each[1])


def read_country(text: str) -> str | None:
    """Return the code of a country that is given by code or name; None for Global. Raises `ValueError` for another."""
    written = text.strip()
    if written.casefold() in _GLOBAL:
        return None
    found = _find(written, _country_names(), clean_country) or _OTHER_COUNTRY_NAMES.get(written.casefold())
    if found is None:
        raise ValueError(f"“{written[:60]}” is no country: write a name such as Germany, or a code such as DE")
    return found


def read_language(text: str) -> str:
    """Return the code of a language that is given by code or name. Raises `ValueError` for another."""
    written = text.strip()
    found = _find(written, _language_names(), clean_language)
    if found is None:
        raise ValueError(f"“{written[:60]}” is no language: write a name such as German, or a code such as de")
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
                unknown.append(f"“{part[:60]}”")
                continue
        codes |= {code: None for code in found if code is not None}
    if unknown:
        verb = "is no country" if len(unknown) == 1 else "are no countries"
        raise ValueError(f"{', '.join(unknown[:10])} {verb}: write names such as Germany, or codes such as DE")
    return list(codes)


def _find(written: str, names: Mapping[str, tuple[str, str]], clean: Callable[[str], str]) -> str | None:
    known = names.get(written.casefold())
    if known is not None:
        return known[1]
    try:
        return clean(written)
    except ValueError:
        return None


@cache
def _country_names() -> Mapping[str, tuple[str, str]]:
    territories = Locale("en").territories
    return {str(territories[code]).casefold(): (str(territories[code]), code) for code in COUNTRIES}


@cache
def _language_names() -> Mapping[str, tuple[str, str]]:
    names = Locale("en").languages
    return {str(names[code]).casefold(): (str(names[code]), code) for code in sorted(LANGUAGES) if code in names}

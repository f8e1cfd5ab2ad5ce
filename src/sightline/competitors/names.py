"""Cleaning the domain and the names of a competitor. Pure.

Names come from people, from answers and from untrusted sites; a cleaned name can be stored, displayed and searched for.
"""

import unicodedata
from collections.abc import Sequence

from sightline.domains.models import TrackedDomainRow
from sightline.domains.names import InvalidDomainName, clean_domain
from sightline.errors import Problem, invalid_field

MAX_NAME_LENGTH = 200
MAX_NAMES = 50
# Control, format, surrogate and private-use characters.
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co"})
# Two format characters that are part of the spelling of some languages.
_JOINERS = frozenset("\u200c\u200d")


def tidy_name(text: str) -> str | None:
    """Return the name on one line without invisible characters, or None if it cannot be a name."""
    seen = (
        " " if character.isspace() else character
        for character in text
        if character.isspace() or character in _JOINERS or unicodedata.category(character) not in _INVISIBLE
    )
    tidy = " ".join("".join(seen).split())
    readable = any(character.isalnum() for character in tidy) and "\ufffd" not in tidy
    return tidy if readable and len(tidy) <= MAX_NAME_LENGTH else None


def name_key(name: str) -> str:
    """Return the key by which names are compared."""
    return " ".join(name.split()).casefold()


def clean_names(names: Sequence[str]) -> list[str]:
    """Clean names and remove duplicates. Refused: too many names, and one that cannot be a name (422)."""
    if len(names) > MAX_NAMES:
        raise invalid_field("names", f"at most {MAX_NAMES} names", "too_many")
    unique: dict[str, str] = {}
    for index, text in enumerate(names):
        name = tidy_name(text)
        if name is None:
            raise invalid_field(f"names[{index}]", f"must be a name of 1 to {MAX_NAME_LENGTH} characters", "invalid")
        unique.setdefault(name_key(name), name)
    return list(unique.values())


def merge_names(*lists: Sequence[str]) -> list[str]:
    unique: dict[str, str] = {}
    for name in (name for names in lists for name in names):
        unique.setdefault(name_key(name), name)
    return list(unique.values())[:MAX_NAMES]


def clean_competitor_domain(text: str, tracked: TrackedDomainRow) -> str:
    """Clean the domain of a competitor. Refused: an invalid domain, and one of the brand's own (422)."""
    try:
        domain = clean_domain(text, livemode=True)
    except InvalidDomainName as error:
        raise invalid_field("domain", str(error), "invalid_domain") from error
    reject_own_domain(domain, tracked)
    return domain


def reject_own_domain(domain: str, tracked: TrackedDomainRow) -> None:
    if is_own_domain(domain, tracked):
        raise invalid_field("domain", f"{domain} is the brand's own domain", "own_domain")


def is_own_domain(domain: str, tracked: TrackedDomainRow) -> bool:
    """Return whether the domain is one of the brand's or a subdomain of one."""
    return any(domain == own or domain.endswith(f".{own}") for own in (tracked.domain, *tracked.owned_domains))


def too_many_competitors(limit: int) -> Problem:
    return invalid_field(
        "domain", f"a domain has at most {limit} competitors; dismiss or hide one of them first", "limit"
    )

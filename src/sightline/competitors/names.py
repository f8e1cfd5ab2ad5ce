"""The domain and the names of a competitor, cleaned. Pure.

Names come from people, from answers and from strangers' sites: what is kept can be stored, shown and looked for.
"""

import unicodedata
from collections.abc import Sequence

from sightline.domains.models import TrackedDomain
from sightline.domains.names import InvalidName, clean_domain
from sightline.errors import Problem, invalid_field

LONGEST_NAME = 200
MOST_NAMES = 50
# Control characters, surrogates, private ones, and those that only steer how text is laid out.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co"})
# Two of the latter are part of how some languages are written.
_JOINERS = frozenset("\u200c\u200d")


def tidy_name(text: str) -> str | None:
    """In one line and without characters that are not seen; None when nothing is left that could be a name."""
    seen = (
        " " if character.isspace() else character
        for character in text
        if character.isspace() or character in _JOINERS or unicodedata.category(character) not in _UNSEEN
    )
    tidy = " ".join("".join(seen).split())
    readable = any(character.isalnum() for character in tidy) and "\ufffd" not in tidy
    return tidy if readable and len(tidy) <= LONGEST_NAME else None


def name_key(name: str) -> str:
    """How names are compared."""
    return " ".join(name.split()).casefold()


def clean_names(given: Sequence[str]) -> list[str]:
    """In the order given, each once; 422 for one that cannot be a name."""
    if len(given) > MOST_NAMES:
        raise invalid_field("names", f"at most {MOST_NAMES} names", "too_many")
    kept: dict[str, str] = {}
    for place, text in enumerate(given):
        name = tidy_name(text)
        if name is None:
            raise invalid_field(f"names[{place}]", f"must be a name of 1 to {LONGEST_NAME} characters", "invalid")
        kept.setdefault(name_key(name), name)
    return list(kept.values())


def merge_names(*lists: Sequence[str]) -> list[str]:
    kept: dict[str, str] = {}
    for name in (name for names in lists for name in names):
        kept.setdefault(name_key(name), name)
    return list(kept.values())[:MOST_NAMES]


def clean_rival_domain(text: str, tracked: TrackedDomain) -> str:
    """422 when it is no domain, or the brand's own."""
    try:
        domain = clean_domain(text, livemode=True)
    except InvalidName as error:
        raise invalid_field("domain", str(error), "invalid_domain") from error
    require_rival(domain, tracked)
    return domain


def require_rival(domain: str, tracked: TrackedDomain) -> None:
    if is_own(domain, tracked):
        raise invalid_field("domain", f"{domain} is the brand's own domain", "own_domain")


def is_own(domain: str, tracked: TrackedDomain) -> bool:
    """What is below a domain of the brand is the brand's as well."""
    return any(domain == own or domain.endswith(f".{own}") for own in (tracked.domain, *tracked.owned_domains))


def too_many(limit: int) -> Problem:
    return invalid_field(
        "domain", f"a domain has at most {limit} competitors; dismiss or hide one of them first", "limit"
    )

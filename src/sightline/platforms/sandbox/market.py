"""A stable invented market for any domain: its sector, who competes in it, how strong each is, and on which topics.

Only the domain decides: another brand name, another alias or a new competitor changes no draw of the brand itself.
Competitors given by the user keep exactly their names and take the places of invented ones.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, TypeVar

import idna
import msgspec
import msgspec.toml

from sightline.platforms.sandbox.seeded_random import SeededRandom, choose, normal, uniform
from sightline.platforms.sandbox.stories import PlantedStory

T = TypeVar("T")

UNKNOWN = "any"  # unknown sector: answers speak of providers in general
OWN = "own"  # the key of the tracked brand in every market
TOPICS = ("price", "ease", "quality", "support", "choice")
_FREE_LENGTH = 5  # shorter words are too often part of others
_LETTERS = r"0-9a-z\u00c0-\u024f"  # `\b` would see no end of a word between CRM and ソフト
OTHER_SCRIPT = 0x2E80  # from here on: Han, Kana and their kin, which are written without spaces
_STARTS = (
    *("Bram", "Kest", "Vald", "Orl", "Tolv", "Halm", "Quend", "Sedr", "Mirv", "Fenl", "Garv", "Nedr"),
    *("Pell", "Rusk", "Strav", "Thal", "Ulv", "Wex", "Zann", "Corv", "Drayl", "Elv", "Jost", "Brisc"),
)
_ENDS = ("wick", "ara", "eno", "ane", "ova", "mere", "ora", "ado", "une", "ison", "elle", "holm", "by", "ent", "isse")
_ENDINGS = (("com", 6.0), ("io", 1.5), ("co", 1.0), ("net", 0.8))
_TOP, _BOTTOM = 0.85, -1.1  # log-odds of the strongest and the weakest rival: 70% and 25%
_RISING = 2
_LONGEST_NAME = 40  # letters; a longer one is a sentence


class Sector(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sector and the words that identify it."""

    family: str
    slug: str
    words: tuple[str, ...]


class SandboxRival(msgspec.Struct, frozen=True):
    """A competitor given by the user."""

    name: str
    domain: str | None = None


class Subject(msgspec.Struct, frozen=True, cache_hash=True):
    """The brand whose visibility is measured. Domains are clean host names; everything random depends on it alone."""

    domain: str
    brand: str
    competitors: tuple[SandboxRival, ...] = ()
    aliases: tuple[str, ...] = ()
    planted: PlantedStory | None = None


class MarketBrand(msgspec.Struct, frozen=True, cache_hash=True):
    """A brand of a market."""

    key: str  # what its random draws depend on
    name: str
    domain: str
    base: float  # log-odds
    strong: str  # a topic
    weak: str  # another one
    aliases: tuple[str, ...] = ()

    @property
    def is_own(self) -> bool:
        return self.key == OWN


class SandboxMarket(msgspec.Struct, frozen=True, cache_hash=True):
    """The brands that compete with each other in one sector."""

    key: str
    sector: str
    certain: bool  # False if the sector is unknown and one was assigned
    own: MarketBrand
    rivals: tuple[MarketBrand, ...]
    planted: PlantedStory | None = None

    @property
    def rising(self) -> MarketBrand:
        """Return the rival that a story may let rise: one that has room to."""
        return self.rivals[_RISING]

    @property
    def brands(self) -> tuple[MarketBrand, ...]:
        return (self.own, *self.rivals)


def fold(text: str) -> str:
    """Return the text without differences of case, width and white space."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


@cache
def _decode_file(name: str, type_: Any) -> Any:
    return msgspec.toml.decode((files(__package__) / "words" / f"{name}.toml").read_bytes(), type=type_)


def read_words(name: str, type_: type[T]) -> T:
    """Read a file of `words/`, once in a process: that takes longer than everything else."""
    words: T = _decode_file(name, type_)  # type: ignore[arg-type]  # a type is hashable
    return words


def sectors() -> Mapping[str, Sector]:
    return read_words("sectors", dict[str, Sector])


@cache
def _pattern() -> tuple[re.Pattern[str], Mapping[str, str]]:
    found = {fold(word): name for name, sector in sectors().items() for word in sector.words}
    alternatives = "|".join(
        re.escape(word)
        if len(word) >= _FREE_LENGTH or ord(word[0]) >= OTHER_SCRIPT
        else rf"(?<![{_LETTERS}]){re.escape(word)}(?![{_LETTERS}])"
        for word in sorted(found, key=len, reverse=True)
    )
    return re.compile(alternatives), found


def find_sector(text: str) -> str | None:
    """Return the sector with the longest words found, or None if there are none."""
    pattern, names = _pattern()
    weight: dict[str, int] = {}
    for word in pattern.findall(fold(text)):
        weight[names[word]] = weight.get(names[word], 0) + len(word) * (2 if ord(word[0]) >= OTHER_SCRIPT else 1)
    return max(weight, key=lambda name: weight[name]) if weight else None


def find_sector_of_label(label: str) -> str | None:
    """Return the sector of a domain label.

    Its words run together, so a short word counts at its start or end (pixelcrm, payfin).
    """
    if known := find_sector(label.replace("-", " ")):
        return known
    _, names = _pattern()
    label = fold(label)
    ends = [word for word in names if len(word) >= 3 and (label.startswith(word) or label.endswith(word))]
    return names[max(ends, key=len)] if ends else None


@lru_cache(maxsize=4096)
def build_market(subject: Subject) -> SandboxMarket:
    """Build the market of this domain: 6 to 10 brands, more only if more competitors are given."""
    key = fold(subject.domain)
    label = key.split(".")[0]
    label = idna.decode(label) if label.startswith("xn--") else label
    found = find_sector_of_label(label) or find_sector(subject.brand)
    rng = SeededRandom("market", key)
    size = rng.between(5, 9)
    name = " ".join(subject.brand.split()) or label  # a line break would end a list item or a table
    own = _build_brand(key, OWN, name, subject.domain, 0.45 * normal("own", key) - 0.4)
    own = msgspec.structs.replace(own, aliases=subject.aliases)
    return SandboxMarket(
        key=key,
        sector=found or rng.pick([name for name in sectors() if name != UNKNOWN]),
        certain=found is not None,
        own=own,
        rivals=_build_rivals(key, own, subject.competitors, size),
        planted=subject.planted,
    )


def _build_rivals(key: str, own: MarketBrand, given: tuple[SandboxRival, ...], size: int) -> tuple[MarketBrand, ...]:
    # All places are filled with invented rivals first, so that those that stay keep their name and strength.
    invented = _invent_rivals(key, own, size)
    place_of = {fold(name): place for place, rival in enumerate(invented) for name in (rival.name, rival.domain)}
    taken = {fold(own.name), fold(own.domain)}
    known: dict[int, MarketBrand] = {}
    new: list[MarketBrand] = []
    for rival in given:
        name = " ".join(rival.name.split())
        domain = rival.domain or f"{to_slug(name)}.com"
        if not name or {fold(name), fold(domain)} & taken:
            continue
        taken |= {fold(name), fold(domain)}
        place = place_of.get(fold(name), place_of.get(fold(domain)))
        if place is not None and place not in known:  # an invented rival that the user now tracks
            known[place] = msgspec.structs.replace(invented[place], name=name, domain=domain)
        else:
            new.append(_build_brand(key, f"given:{fold(domain)}", name, domain, 0.0))
    free = [place for place in SeededRandom("places", key).shuffled(range(size)) if place not in known]
    for number, brand in enumerate(new):
        place = free[number] if number < len(free) else size + number
        known[place] = msgspec.structs.replace(brand, base=_base_strength(key, place, size))
    return tuple(known.get(place) or invented[place] for place in sorted({*known, *range(size)}))


def _invent_rivals(key: str, own: MarketBrand, size: int) -> list[MarketBrand]:
    taken = {fold(own.name)} - {""}  # an empty name is part of every name
    rivals = []
    for place in range(size):
        name = _invent_name(key, place, taken)
        taken.add(fold(name))
        domain = f"{name.lower()}.{SeededRandom('ending', key, place).weighted(_ENDINGS)}"
        rivals.append(_build_brand(key, fold(name), name, domain, _base_strength(key, place, size)))
    return rivals


def _base_strength(key: str, place: int, size: int) -> float:
    return _TOP + (_BOTTOM - _TOP) * (place % size) / (size - 1) + 0.2 * normal("standing", key, place)


def _invent_name(key: str, place: int, taken: set[str]) -> str:
    for attempt in range(1000):
        start = choose(_STARTS, "start", key, place, attempt)
        name = start + choose(_ENDS, "end", key, place, attempt)
        # Names that begin alike are hard to tell apart.
        if not any(start.lower() in other or other in name.lower() for other in taken):
            return name
    raise AssertionError("more rivals than names")  # a market has at most nine invented ones


def _build_brand(key: str, brand: str, name: str, domain: str, base: float) -> MarketBrand:
    strong, weak = SeededRandom("topics", key, brand).shuffled(TOPICS)[:2]
    return MarketBrand(brand, name, domain, base, strong, weak)


def build_unlisted_brand(market: SandboxMarket, name: str) -> MarketBrand:
    """Build a brand that only the question names: it is discussed there and belongs to no market."""
    return _build_brand(market.key, f"passing:{fold(name)}", name, f"{to_slug(name)}.com", 0.0)


def to_slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", fold(name))[:_LONGEST_NAME] or f"brand{int(uniform('slug', name) * 1e6)}"

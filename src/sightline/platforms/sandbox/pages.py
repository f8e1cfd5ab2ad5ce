"""The pages that answers cite: those of third parties, and those of the brands themselves.

General sites are real hosts with invented paths; magazines are invented. A page keeps its address, so that the same one
appears in many answers, as on real platforms. It names certain brands of the market: an answer cites it only for these.
Pages are revised every few months and then may name other brands; threads, videos and new reviews are replaced by
newer ones.
"""

import math
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Literal
from urllib.parse import quote

import msgspec

from sightline.platforms.models import Source
from sightline.platforms.sandbox.market import OWN, MarketBrand, SandboxMarket, read_words, sectors, to_slug
from sightline.platforms.sandbox.phrasebook import Phrasebook, capital, load_phrasebook
from sightline.platforms.sandbox.seeded_random import SeededRandom, choose, normal, uniform

PageKind = Literal["list", "new", "versus", "guide", "forum", "video", "shop", "directory", "brand", "encyclopedia"]
_DISAGREES = 0.25  # how much less a page is cited that names the tracked brand where the answer does not, or vice versa
_REVISION_DAYS = 300
_LASTING, _CHANGING = 1.5, 0.6  # standard deviations of the readiness of a page to name a brand
_HAS_PAGE = 0.65  # probability that a brand has a page of a kind
_FITS_BETTER = 4.0


class _Sites(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file `words/pages.toml`, which explains its tables."""

    magazines: Mapping[str, tuple[str, ...]]
    shops: Mapping[str, str]
    forums: Mapping[str, str]
    directories: Mapping[str, tuple[str, ...]]
    urls: Mapping[PageKind, tuple[str, ...]]
    brand_pages: Mapping[str, str]
    readiness: Mapping[PageKind, float]
    weight: Mapping[PageKind, float]
    tastes: Mapping[str, Mapping[PageKind, float]]
    life: Mapping[PageKind, int]
    own_pages: Mapping[str, Mapping[str, tuple[str, str]]]
    fitting: Mapping[str, tuple[str, ...]]


def _sites() -> _Sites:
    return read_words("pages", _Sites)


class WebPage(msgspec.Struct, frozen=True):
    """A page that can be cited, and the keys of the brands that it names."""

    kind: PageKind
    link: Source
    weight: float
    listed: frozenset[str]


@lru_cache(maxsize=512)
def list_pages(market: SandboxMarket, sector: str, language: str, day: date) -> tuple[WebPage, ...]:
    """Return the pages of this day with the weight at which they are cited: a few often, the rest seldom."""
    sites, words, family = _sites(), load_phrasebook(language, sector), sectors()[sector].family
    magazines = SeededRandom("magazines", market.key, language).shuffled(sites.magazines[language])
    reddit = "reddit.com/r/{slug}/comments"
    hosts: list[tuple[PageKind, str]] = [
        *(("list", magazine) for magazine in magazines[:5]),
        *(("new", magazine) for magazine in magazines[-2:]),
        ("versus", magazines[-3]),
        *(("guide", magazine) for magazine in (magazines[-4], magazines[1])),
        *(("forum", forum) for forum in (reddit, sites.forums.get(language, reddit))),
        *(("video", "youtube.com"),) * 2,
        *(("directory", host) for host in sites.directories[family]),
        *((("shop", sites.shops[language]),) if family == "goods" else ()),
    ]
    pages = [_build_page(market, words, kind, host, place, day) for place, (kind, host) in enumerate(hosts)]
    category = capital(words.category)
    article = f"https://{language}.wikipedia.org/wiki/{quote(category.replace(' ', '_'))}"
    pages.append(WebPage("encyclopedia", Source(article, f"{category} - Wikipedia"), 1.0, frozenset()))
    ordered = SeededRandom("sources", market.key, sector).shuffled(pages)
    shared = [
        msgspec.structs.replace(page, weight=sites.weight.get(page.kind, 1.0) / (rank + 2))
        for rank, page in enumerate(ordered)
    ]
    return (*shared, *(_build_brand_page(brand, family, words, day) for brand in market.brands))


def weigh_pages(
    market: SandboxMarket, sector: str, language: str, day: date, prompt: str, platform: str, *, own_named: bool
) -> list[tuple[WebPage, float]]:
    """Return the pages with the weights that they have for this question on this platform.

    An answer is made from what it reads: one that names the tracked brand was mostly made from pages that name it.
    """
    sites, planted = _sites(), market.planted
    taste = sites.tastes.get(platform, {})
    lost = planted.story.lost_site if planted is not None and planted.has_begun(day, platform) else None
    return [
        (
            page,
            page.weight
            * _measure_fit(market.key, prompt, page.link.url)
            * taste.get(page.kind, 1.0)
            * (_DISAGREES if page.kind in sites.readiness and (OWN in page.listed) != own_named else 1.0),
        )
        for page in list_pages(market, sector, language, day)
        if lost is None or lost not in page.link.url
    ]


@lru_cache(maxsize=65536)
def _measure_fit(market: str, prompt: str, url: str) -> float:
    return math.exp(0.7 * normal("fits", market, prompt, url))


def _build_page(market: SandboxMarket, words: Phrasebook, kind: PageKind, host: str, place: int, day: date) -> WebPage:
    """Build the page of a kind at this place, which after a while is replaced by a newer one, or revised."""
    key = f"{market.key}:{words.sector}:{words.language}:{kind}:{place}"
    life = _sites().life.get(kind)
    edition = math.floor(day.toordinal() / (life or _REVISION_DAYS) + uniform("edition", key))
    if life:
        key = f"{key}:{edition}"
    listed = _find_listed(market, kind, key, edition)
    rng = SeededRandom("page", key)
    slug = sectors()[words.sector].slug
    address = host.format(slug=slug)
    title = _write_title(words, kind, listed, rng, address, day.year)
    x, y = (*(to_slug(brand.name) for brand in listed[:2]), "", "")[:2]
    number = rng.between(10_000, 999_999)
    url = rng.pick(_sites().urls[kind]).format(
        host=address, slug=slug, x=x, y=y, number=number, id=f"{number**2 % 16**11:011x}"
    )
    return WebPage(kind, Source(f"https://{url}", title), 1.0, frozenset(brand.key for brand in listed))


def _find_listed(market: SandboxMarket, kind: PageKind, key: str, edition: int) -> tuple[MarketBrand, ...]:
    """Return the brands that a page names, in an order of its own."""
    readiness = _sites().readiness.get(kind)
    if readiness is None:
        count = {"versus": 2, "new": 2 + int(uniform("count", key) * 2)}.get(kind, 0)
        ordered = sorted(market.brands, key=lambda brand: -brand.base - 1.3 * normal("drawn", key, brand.key))
        return tuple(ordered[:count])
    odds = {
        brand: brand.base
        + readiness
        + _LASTING * normal("lists", key, brand.key)
        + _CHANGING * normal("revision", key, brand.key, edition)
        for brand in market.brands
    }
    found = [brand for brand in market.brands if odds[brand] > 0]
    if len(found) < 2:
        found = sorted(market.rivals, key=lambda brand: -odds[brand])[:2]
    return tuple(sorted(found, key=lambda brand: uniform("place", key, brand.key)))


def _build_brand_page(brand: MarketBrand, family: str, words: Phrasebook, day: date) -> WebPage:
    address = _sites().brand_pages[family].format(brand=to_slug(brand.name), domain=brand.domain)
    title = _write_title(words, "brand", (brand,), SeededRandom("page", brand.key), address, day.year)
    return WebPage("brand", Source(f"https://{address}", title), _sites().weight["brand"], frozenset({brand.key}))


def _write_title(
    words: Phrasebook, kind: PageKind, listed: Sequence[MarketBrand], rng: SeededRandom, address: str, year: int
) -> str:
    capitals = " ".join(map(capital, words.category.split())) if words.language == "en" else capital(words.category)
    slots = {
        **{slot: brand.name for slot, brand in zip("xy", listed, strict=False)},
        "Cats": capitals,
        "n": str(rng.between(5, 12)),
        "u": rng.pick(words.uses),
        "site": address.removeprefix("www.").partition(".")[0].replace("-", " ").title(),
    }
    return rng.pick(words.fill_fitting(kind, slots, year))


def draw_own_page(market: SandboxMarket, brand: MarketBrand, sector: str, topic: str, rng: SeededRandom) -> Source:
    """Draw one of the pages that the brand has, most likely one that fits the topic of the question."""
    kinds = _sites().own_pages[sectors()[sector].family]
    options = [("home", 1.0)] + [
        (kind, _FITS_BETTER if kind in _sites().fitting[topic] else 0.6)
        for kind in kinds
        if uniform("own page", market.key, brand.key, kind) < _HAS_PAGE
    ]
    kind = rng.weighted(options)
    if kind == "home":
        return Source(f"https://{brand.domain}/", brand.name)
    path, title = kinds[kind]
    slug = sectors()[sector].slug
    # The rival that the brand compares itself with never changes.
    other = choose([each for each in market.brands if each.key != brand.key], "compares", market.key, brand.key)
    written = title.format(name=brand.name, Other=other.name, Slug=slug.replace("-", " ").title())
    url = f"https://{brand.domain}/{path.format(slug=slug, other=to_slug(other.name))}"
    return Source(url, written if kind == "compare" else f"{written} | {brand.name}")

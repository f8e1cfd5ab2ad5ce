"""Third-party pages that answers cite: reviews, directories, shops, forums, videos, comparisons and guides.

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

from sightline.platforms.sandbox.cited_text import CitedLink
from sightline.platforms.sandbox.market import OWN, MarketBrand, SandboxMarket, to_slug
from sightline.platforms.sandbox.phrasebook import Phrasebook, fill_template, load_phrasebook
from sightline.platforms.sandbox.sectors import sectors
from sightline.platforms.sandbox.seeded_random import SeededRandom, normal, uniform

PageKind = Literal["list", "new", "versus", "guide", "forum", "video", "shop", "directory", "brand", "encyclopedia"]

_MAGAZINES = {
    "en": (
        *("marketlantern.com", "thebuyersdesk.net", "plainreviews.org", "sidebyside.review", "everydaypicks.net"),
        *("thesecondopinion.org", "choosewell.guide", "testbench-weekly.com"),
    ),
    "de": ("kaufblick-magazin.de", "testlaterne.de", "ratgeber-wegweiser.de", "vergleichsnotiz.de"),
    "fr": ("lecomparateur-clair.fr", "guidedubonchoix.fr", "avis-et-tests.fr", "choixeclaire.fr"),
    "es": ("comparalotodo-guia.es", "laguiaclara.es", "opinionesyprecios.es", "elegirconcriterio.es"),
    "it": ("guidaallascelta.it", "confrontochiaro.it", "provatopervoi.it", "sceltaserena.it"),
    "pt": ("guiadaescolha.com.br", "comparaclaro.com.br", "testadoeaprovado.com.br", "escolhacerta-guia.com.br"),
    "nl": ("keuzewegwijzer.nl", "vergelijkblad.nl", "testlantaarn.nl", "kiesrustig.nl"),
    "pl": ("porownajmadrze.pl", "przewodnik-zakupowy.pl", "testownia-opinii.pl", "wybierzspokojnie.pl"),
    "ja": ("erabikata-guide.jp", "hikaku-techo.jp", "review-note.jp", "erabu-memo.jp"),
    "zh": ("xuangou-zhinan.cn", "pingce-biji.cn", "duibi-zhushou.cn", "xuanze-shouce.cn"),
}
_SHOPS = {
    "en": "amazon.com",
    "de": "amazon.de",
    "fr": "amazon.fr",
    "es": "amazon.es",
    "it": "amazon.it",
    "pt": "amazon.com.br",
    "nl": "bol.com",
    "pl": "allegro.pl",
    "ja": "amazon.co.jp",
    "zh": "jd.com",
}
_FORUMS = {"de": "gutefrage.net", "ja": "chiebukuro.yahoo.co.jp", "zh": "zhihu.com", "pl": "wykop.pl"}
# Where customers rate brands, by the family of the sector: directories of the whole category, then of single brands.
_DIRECTORIES: Mapping[str, tuple[str, ...]] = {
    "software": ("www.g2.com/categories/{slug}", "www.capterra.com/p/{slug}", "www.producthunt.com/categories/{slug}"),
    "contract": ("www.trustpilot.com/categories/{slug}", "{slug}-compass.com/ranking"),
    "goods": ("www.trustpilot.com/categories/{slug}", "{slug}-compass.com/brands"),
    "stay": ("www.tripadvisor.com/{slug}", "{slug}-compass.com/ranking"),
    "any": ("www.trustpilot.com/categories/{slug}", "{slug}-compass.com/ranking"),
}
_BRAND_PAGES = {"software": "www.g2.com/products/{brand}/reviews", "goods": "www.trustpilot.com/review/{domain}"}
_BRAND_PAGE = "www.trustpilot.com/review/{domain}"

# How readily a page of each kind names a brand (log-odds added to the brand's strength), and how often it is cited.
_READINESS: Mapping[PageKind, float] = {"directory": 1.5, "shop": 0.7, "list": 0.3, "forum": 0.0, "video": -0.4}
_WEIGHT: Mapping[PageKind, float] = {"guide": 0.8, "versus": 0.5, "new": 0.6, "brand": 0.1, "encyclopedia": 0.3}
_TASTES: Mapping[str, Mapping[PageKind, float]] = {
    "perplexity": {"forum": 2.0, "list": 1.3},
    "google_ai_overviews": {"video": 1.8, "forum": 1.6},
    "google_ai_mode": {"video": 1.6, "shop": 1.6},
    "chatgpt": {"list": 1.3, "encyclopedia": 1.6},
    "copilot": {"shop": 1.5, "directory": 1.3},
    "claude": {"guide": 1.5},
}
_LIST_PATHS = ("best-{slug}", "{slug}/test", "rankings/{slug}", "{slug}-compared", "reviews/{slug}/top-picks")
_DISAGREES = 0.25  # how much less a page is cited that names the tracked brand where the answer does not, or vice versa
_MIN_LISTED = 2
_REVISION_DAYS = 100
_LIFE: Mapping[PageKind, int] = {"forum": 330, "video": 260, "new": 120}  # days until a newer one replaces it
_STAYS = 0.8  # probability that a revision leaves a brand as it was
_LOOK_BACK = 12


class WebPage(msgspec.Struct, frozen=True):
    """A page that can be cited, and the keys of the brands that it names."""

    kind: PageKind
    link: CitedLink
    weight: float
    listed: frozenset[str]

    def disagrees(self, *, own_named: bool) -> bool:
        """Return whether the page names the tracked brand and the answer does not, or the other way round."""
        return self.kind in _READINESS and (OWN in self.listed) != own_named


@lru_cache(maxsize=512)
def list_pages(market: SandboxMarket, sector: str, language: str, day: date) -> tuple[WebPage, ...]:
    """Return the pages of this day with the weight at which they are cited: a few often, the rest seldom."""
    words, family = load_phrasebook(language, sector), sectors()[sector].family
    magazines = SeededRandom("magazines", market.key, language).shuffled(_MAGAZINES[language])
    hosts: list[tuple[PageKind, str]] = [
        *(("list", magazine) for magazine in magazines[:5]),
        ("new", magazines[-1]),
        ("new", magazines[-2]),
        ("versus", magazines[-3]),
        ("guide", magazines[-4]),
        ("guide", magazines[1]),
        ("forum", "reddit.com"),
        ("forum", _FORUMS.get(language, "reddit.com")),
        *(("video", "youtube.com"),) * 2,
        *(("directory", host) for host in _DIRECTORIES[family]),
        *((("shop", _SHOPS[language]),) if family == "goods" else ()),
    ]
    pages = [_build_page(market, sector, words, kind, host, place, day) for place, (kind, host) in enumerate(hosts)]
    pages.append(
        WebPage(
            "encyclopedia", CitedLink(_encyclopedia_url(words), f"{_capitalize(words)} - Wikipedia"), 1.0, frozenset()
        )
    )
    ordered = SeededRandom("sources", market.key, sector).shuffled(pages)
    shared = [
        msgspec.structs.replace(page, weight=_WEIGHT.get(page.kind, 1.0) / (rank + 2))
        for rank, page in enumerate(ordered)
    ]
    return (*shared, *(_build_brand_page(brand, family, words, day) for brand in market.brands))


def weigh_pages(
    market: SandboxMarket, sector: str, language: str, day: date, prompt: str, platform: str, *, own_named: bool
) -> list[tuple[WebPage, float]]:
    """Return the pages with the weights that they have for this question on this platform.

    An answer is made from what it reads: one that names the tracked brand was mostly made from pages that name it.
    """
    taste = _TASTES.get(platform, {})
    return [
        (page, fit * taste.get(page.kind, 1.0) * (_DISAGREES if page.disagrees(own_named=own_named) else 1.0))
        for page, fit in _fit_pages(market, sector, language, day, prompt)
    ]


@lru_cache(maxsize=1024)
def _fit_pages(
    market: SandboxMarket, sector: str, language: str, day: date, prompt: str
) -> tuple[tuple[WebPage, float], ...]:
    """Return the pages with their weights for this question, on any platform."""
    pages = list_pages(market, sector, language, day)
    return tuple((page, page.weight * _measure_fit(market.key, prompt, page.link.url)) for page in pages)


@lru_cache(maxsize=65536)
def _measure_fit(market: str, prompt: str, url: str) -> float:
    return math.exp(0.7 * normal("fits", market, prompt, url))


def _build_page(
    market: SandboxMarket, sector: str, words: Phrasebook, kind: PageKind, host: str, place: int, day: date
) -> WebPage:
    key = f"{market.key}:{sector}:{words.language}:{kind}:{place}"
    edition, began = _find_edition(key, kind, day)
    key = f"{key}:{edition}"
    listed = _find_listed(market, kind, key, day)
    rng = SeededRandom("page", key)
    slug = sectors()[sector].slug
    address = host.format(slug=slug)
    title = _write_title(words, kind, listed, rng, site=_name_site(address), year=began.year)
    if address == "reddit.com":
        title = f"{title} : r/{slug.replace('-', '')}"
    return WebPage(kind, CitedLink(_build_url(kind, address, slug, listed, rng), title), 1.0, _keys(listed))


def _find_edition(key: str, kind: PageKind, day: date) -> tuple[int, date]:
    """Return which page of this kind is current, and when it appeared: today if it is never replaced."""
    life = _LIFE.get(kind)
    if life is None:
        return 0, day
    phase = uniform("edition", key)
    edition = math.floor(day.toordinal() / life + phase)
    return edition, date.fromordinal(max(math.ceil((edition - phase) * life), 1))


def _find_listed(market: SandboxMarket, kind: PageKind, key: str, day: date) -> tuple[MarketBrand, ...]:
    """Return the brands that a page names, in an order of its own."""
    if kind == "guide":
        return ()
    rng = SeededRandom("listed", key)
    if kind in {"versus", "new"}:
        return _draw_brands(market, rng, 2 if kind == "versus" else rng.between(2, 3))
    revision = 0 if kind in _LIFE else math.floor(day.toordinal() / _REVISION_DAYS + uniform("revision", key))
    found = [brand for brand in market.brands if _is_listed(key, brand, _READINESS[kind], revision)]
    if len(found) < _MIN_LISTED:
        found = [brand for brand in market.rivals if brand not in found][: _MIN_LISTED - len(found)] + found
    return tuple(sorted(found, key=lambda brand: uniform("place", key, brand.key)))


def _draw_brands(market: SandboxMarket, rng: SeededRandom, count: int) -> tuple[MarketBrand, ...]:
    left = [(brand, math.exp(brand.base)) for brand in market.brands]
    found: list[MarketBrand] = []
    while len(found) < count:
        brand = rng.weighted(left)
        found.append(brand)
        left = [pair for pair in left if pair[0] is not brand]
    return tuple(found)


def _is_listed(key: str, brand: MarketBrand, readiness: float, revision: int) -> bool:
    """Return whether the page names the brand. A revision changes that with probability 1 - `_STAYS` at most."""
    for _ in range(_LOOK_BACK):
        if uniform("stays", key, brand.key, revision) >= _STAYS:
            break
        revision -= 1
    return uniform("lists", key, brand.key, revision) < 1 / (1 + math.exp(-brand.base - readiness))


def _build_brand_page(brand: MarketBrand, family: str, words: Phrasebook, day: date) -> WebPage:
    address = _BRAND_PAGES.get(family, _BRAND_PAGE).format(brand=to_slug(brand.name), domain=brand.domain)
    title = _write_title(
        words, "brand", (brand,), SeededRandom("page", brand.key), site=_name_site(address), year=day.year
    )
    return WebPage("brand", CitedLink(f"https://{address}", title), _WEIGHT["brand"], frozenset({brand.key}))


def _write_title(
    words: Phrasebook, kind: PageKind, listed: Sequence[MarketBrand], rng: SeededRandom, *, site: str, year: int
) -> str:
    shuffled = rng.shuffled(words.titles[kind])
    names = {slot: brand.name for slot, brand in zip("xy", listed, strict=False)}
    slots = {
        **names,
        "cats": words.category,
        "Cats": _capitalize(words),
        "comparison": words.labels.comparison,
        "reviews": words.labels.reviews,
        "choose": words.labels.choose[0],
        "n": str(rng.between(5, 12)),
        "u": words.uses[rng.between(0, len(words.uses) - 1)],
        "year": str(year),
        "site": site,
    }
    fitting = next(template for template in shuffled if set(template[1::2]) <= set(slots))
    return fill_template(fitting, slots)


def _build_url(kind: PageKind, address: str, slug: str, listed: Sequence[MarketBrand], rng: SeededRandom) -> str:
    number = rng.between(10_000, 999_999)
    names = "-vs-".join(to_slug(brand.name) for brand in listed[:2])
    match kind:
        case "list":
            return f"https://{address}/{rng.pick(_LIST_PATHS).format(slug=slug)}"
        case "new":
            return f"https://{address}/reviews/{names.replace('-vs-', '-')}-{number}"
        case "versus":
            return f"https://www.{address}/{names}"
        case "guide":
            return f"https://{address}/guides/{slug}{rng.pick(('', '-explained', '-checklist'))}"
        case "video":
            return f"https://www.youtube.com/watch?v={_draw_id(rng)}"
        case "forum" if address == "reddit.com":
            return f"https://www.reddit.com/r/{slug.replace('-', '')}/comments/{number:x}/"
        case "forum":
            return f"https://www.{address}/{slug}/{number}"
        case "shop":
            return f"https://www.{address}/s?k={slug.replace('-', '+')}"
    return f"https://{address}"


def _name_site(address: str) -> str:
    label = address.removeprefix("www.").partition(".")[0]
    return label.replace("-", " ").title()


def _keys(brands: Sequence[MarketBrand]) -> frozenset[str]:
    return frozenset(brand.key for brand in brands)


def _capitalize(words: Phrasebook) -> str:
    """Return the category as it stands in a title: in English every word has a capital."""
    if words.language == "en":
        return " ".join(word[:1].upper() + word[1:] for word in words.category.split())
    return words.category[:1].upper() + words.category[1:]


def _draw_id(rng: SeededRandom) -> str:
    letters = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789-_"
    return "".join(rng.pick(letters) for _ in range(11))


def _encyclopedia_url(words: Phrasebook) -> str:
    title = words.category[:1].upper() + words.category[1:]
    return f"https://{words.language}.wikipedia.org/wiki/{quote(title.replace(' ', '_'))}"

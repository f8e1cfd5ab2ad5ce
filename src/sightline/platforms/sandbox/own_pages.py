"""The pages of the brands themselves: which kinds each has, and which of them an answer cites."""

from collections.abc import Mapping

from sightline.platforms.sandbox.cited_text import CitedLink
from sightline.platforms.sandbox.market import MarketBrand, SandboxMarket, to_slug
from sightline.platforms.sandbox.sectors import sectors
from sightline.platforms.sandbox.seeded_random import SeededRandom, uniform

# Kind of page: its path and its title. {other} is a competitor, {slug} the category.
_SELLS_PLANS = {
    "price": ("pricing", "Pricing"),
    "product": ("features", "Features"),
    "compare": ("compare/{other}", "{name} vs. {Other}"),
    "guide": ("blog/how-to-choose-{slug}", "How to Choose {Slug}"),
    "reviews": ("customers", "Customer Stories"),
    "help": ("help/getting-started", "Help Center"),
}
_SELLS_GOODS = {
    "price": ("collections/offers", "Offers"),
    "product": ("collections/bestsellers", "Bestsellers"),
    "compare": ("pages/compare-{other}", "{name} vs. {Other}"),
    "guide": ("guides/{slug}", "Guide to {Slug}"),
    "reviews": ("pages/reviews", "Reviews"),
    "help": ("pages/shipping-and-returns", "Shipping and Returns"),
}
_SELLS_STAYS = _SELLS_GOODS | {"help": ("help/cancellation", "Cancellation"), "product": ("overview", "Overview")}
_PAGES: Mapping[str, Mapping[str, tuple[str, str]]] = {"goods": _SELLS_GOODS, "stay": _SELLS_STAYS}
# Which kind of page answers a question about each topic.
_FITTING = {
    "price": ("price",),
    "ease": ("guide", "help"),
    "quality": ("product", "reviews"),
    "support": ("help",),
    "choice": ("compare", "guide"),
}
_HAS_PAGE = 0.65  # probability that a brand has a page of a kind
_FITS_BETTER = 4.0


def draw_own_page(market: SandboxMarket, brand: MarketBrand, sector: str, topic: str, rng: SeededRandom) -> CitedLink:
    """Draw one of the pages that the brand has, most likely one that fits the topic of the question."""
    kinds = _PAGES.get(sectors()[sector].family, _SELLS_PLANS)
    options = [("home", 1.0)] + [
        (kind, _FITS_BETTER if kind in _FITTING[topic] else 0.6)
        for kind in kinds
        if uniform("own page", market.key, brand.key, kind) < _HAS_PAGE
    ]
    kind = rng.weighted(options)
    if kind == "home":
        return CitedLink(f"https://{brand.domain}/", brand.name)
    path, title = kinds[kind]
    slug, other = sectors()[sector].slug, _find_rival(market, brand)
    written = title.format(name=brand.name, Other=other.name, Slug=slug.replace("-", " ").title())
    url = f"https://{brand.domain}/{path.format(slug=slug, other=to_slug(other.name))}"
    return CitedLink(url, written if kind == "compare" else f"{written} | {brand.name}")


def _find_rival(market: SandboxMarket, brand: MarketBrand) -> MarketBrand:
    """Return the rival that the brand compares itself with. It never changes."""
    others = [each for each in market.brands if each.key != brand.key]
    return others[int(uniform("compares", market.key, brand.key) * len(others))]

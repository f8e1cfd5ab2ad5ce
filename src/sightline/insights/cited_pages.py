"""The pages that the answers of a check cite: who owns each, what kind of page it is, and how to speak of it. Pure."""

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

import msgspec

from sightline.answers.characters import fold
from sightline.answers.citations import SiteOwners, normalize_url
from sightline.answers.models import Citation
from sightline.answers.ordinary_words import commonness
from sightline.domains.names import first_label
from sightline.insights.inputs import OWN_BRAND, InsightInputs, Rival
from sightline.insights.page_kinds import PageKind, SiteType
from sightline.scans.models import ScanAnswer
from sightline.scans.schemas.results import SourceType
from sightline.scans.sources import classify_site

PageOwner = Literal["own", "rival", "third_party", "closed"]
"""`closed`: nobody gets listed there, as on a search engine, a social network, a video or a government site."""

_SITE_TYPES: Mapping[SourceType, SiteType] = {
    "shop": "retailer",
    "review": "review_site",
    "forum": "forum",
    "list": "editorial",
    "news": "editorial",
    "encyclopaedia": "encyclopedia",
    "other": "other",
}
# Universities, and the search engines of countries.
_CLOSED_HOST = re.compile(r"^google\.(?:com?\.)?[a-z]{2}$|\.edu(?:\.[a-z]{2})?$|\.ac\.[a-z]{2}$")
# The blog of a shop that runs on Shopify: it writes about what it sells itself.
_SELLERS_BLOG = re.compile(r"^[^/]+(?:/[a-z]{2}(?:-[a-z]{2})?)?/blogs/")
# The parameter of ChatGPT's product carousel, which leads to any shop that has the product today.
_SHOPPING_LINK = re.compile(r"[?&]_gsid=")
_MANY = "best|top|vs|versus|compar[a-z]*|alternatives?|guide|rankings?|ranked"
_OPEN_TO_MANY = re.compile(rf"(?:^|[^a-z])(?:{_MANY}|under)(?:[^a-z]|$)")
_ONE_REVIEW = re.compile(r"(?:^|[^a-z])review(?:-\d+)?(?:\.[a-z]+)?/?$")
_SEARCH = re.compile(r"(?:^|/)(?:s|search|searchpage[a-z.]*|results)/?\?|[?&;](?:q|k|query|search|keyword)=")
_EDITORIAL = re.compile(rf"(?:^|[^a-z])(?:{_MANY}|reviews?|tested)(?:[^a-z]|$)")

_KINDS: tuple[tuple[PageKind, re.Pattern[str]], ...] = (
    ("comparison", re.compile(r"(?:^|[^a-z])(?:vs|versus|compare|compared|comparison|alternatives?)(?:[^a-z]|$)")),
    ("pricing", re.compile(r"(?:^|[/.-])(?:pricing|prices?|plans|tariffs?|rates)(?:[/.-]|$)")),
    ("docs", re.compile(r"(?:^|/)(?:docs?|documentation|help|support|manuals?|developers?|faqs?)(?:[/.]|$)")),
    ("guide", re.compile(
        r"(?:^|[/.])(?:blogs?|guides?|learn|articles?|news|advice|resources|how-to|tips|insights|stories|magazine)[/.]"
        r"|(?:^|[^a-z])(?:how-to|what-is|what-are|guide|best|top-\d+|tips|choosing|choose|buying)(?:[^a-z]|$)")),
    ("product", re.compile(r"(?:^|/)(?:products?|p|dp|pdp|item|detail|buy)/|\.html$|/[a-z]*\d{4,}[a-z\d]*$")),
    ("category", re.compile(r"(?:^|/)(?:collections?|categor(?:y|ies)|c|shop|catalog|store|range)(?:/|$)")),
)  # fmt: skip
_WORD = re.compile(r"[a-z0-9]+")
_YEAR = re.compile(r"(?:19|20)\d\d")
_MAX_LABEL_WORDS = 12
_MIN_LABEL_WORDS = 3
_MIN_OWNER_NAME = 4
_MAX_TITLE = 120
_SHOP_RIVAL = 3
_MAKERS_WITH_SHOPS = frozenset({"apple"})
_SITE_SUFFIX = re.compile("\\s+[|\u2013\u2014-]\\s+[^|\u2013\u2014]*$")


class CitedPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page, with the answers that cite it, in the order of the check."""

    url: str
    site: str
    """The registrable domain."""
    owner: PageOwner
    rival: str | None
    """The rival that owns the page."""
    has_path: bool
    title: str | None
    """The title that platforms report, if it fits the address."""
    answer_ids: tuple[str, ...]

    @property
    def topic(self) -> str | None:
        """Return the last part of the address as words, if it has a few: "best cheap electric toothbrush"."""
        return find_topic(self.url)


class CitedPages:
    """All pages that the answers cite, by owner and by site."""

    def __init__(self, inputs: InsightInputs) -> None:
        self._owners = _Owners(inputs)
        titles = _collect_titles(inputs.answers)
        found: dict[str, tuple[Citation, list[str]]] = {}
        for answer in inputs.answers:
            assert answer.analysis is not None
            for citation in answer.analysis.citations:
                ids = found.setdefault(_strip_shopping(citation.url), (citation, []))[1]
                if answer.id not in ids[-1:]:
                    ids.append(answer.id)
        self.pages = _settle_shops([self._build(citation, titles, ids) for citation, ids in found.values()], inputs)
        self.by_url = {page.url: page for page in self.pages}
        self.site_names = _find_site_names(titles, (citation for citation, _ in found.values()))

    def find(self, citation: Citation) -> CitedPage:
        """Return the page that an answer cites. Two addresses of one product in a carousel are one page."""
        return self.by_url[_strip_shopping(citation.url)]

    def _build(self, citation: Citation, titles: Mapping[str, Sequence[str]], answer_ids: Sequence[str]) -> CitedPage:
        owner, rival = self._owners.find(citation)
        return CitedPage(
            url=_strip_shopping(citation.url),
            site=citation.domain,
            owner=owner,
            rival=rival,
            has_path=_find_path(citation.url) != "",
            title=_choose_title(titles.get(citation.url, ()), citation),
            answer_ids=tuple(answer_ids),
        )

    def list_owned_by(self, *owners: PageOwner) -> list[CitedPage]:
        return [page for page in self.pages if page.owner in owners]


def find_site_type(site: str, urls: Sequence[str]) -> SiteType:
    """Return the type of a site: by our tables, or else by what most of these pages of it look like."""
    if site in _sites("directories"):
        return "directory"
    found = _SITE_TYPES.get(classify_site(site, urls), "other")
    if found != "other":
        return found
    votes = Counter(_find_page_type(site, url) for url in urls)
    most, kind = max(((pages, kind) for kind, pages in votes.items()), default=(0, "other"))
    return kind if 2 * most >= len(urls) else "other"


def list_rivals(inputs: InsightInputs) -> list[Rival]:
    """Return the rivals, strongest first, without shops that answers name only as places to buy.

    A shop that a third of the answers name is a rival: then the market is one of shops.
    """
    often = len(inputs.answers) / _SHOP_RIVAL
    return [
        rival
        for rival in inputs.rivals
        if rival.tracked
        or not _is_shop(rival.name)
        or sum(rival.name in named for named in inputs.named.values()) >= often
    ]


def _is_shop(name: str) -> bool:
    key = _to_key(name)
    return key not in _MAKERS_WITH_SHOPS and classify_site(f"{key}.com") == "shop"


def _settle_shops(pages: Sequence[CitedPage], inputs: InsightInputs) -> list[CitedPage]:
    """Return the pages, with the owners of shops settled by what they sell.

    A discovered name whose site has pages on other rivals is a shop, which looks like a rival where answers name it
    next to brands. A site of which all pages are on products of one rival is a shop of that rival, or as good as one:
    nobody else gets listed there.
    """
    tracked = {rival.name for rival in inputs.rivals if rival.tracked}
    rivals = [rival.name for rival in list_rivals(inputs)]
    by_site: dict[str, list[CitedPage]] = {}
    for page in pages:
        by_site.setdefault(page.site, []).append(page)
    owners: dict[str, PageOwner] = {}
    for site, cited in by_site.items():
        owner = cited[0].rival
        paths = [fold(_find_path(page.url)) for page in cited]
        if owner is not None and owner not in tracked:
            others = set(rivals) - {owner}
            # A brand compares itself with others on its own site ("compare/globex"), and stays a brand.
            sold = (fold(_find_path(page.url)) for page in cited if find_page_kind(page.url, None) != "comparison")
            if any(_names_any(path, others) and not _names_any(path, {owner}) for path in sold):
                owners[site] = "third_party"
        elif cited[0].owner == "third_party" and classify_site(site) == "other":
            is_product = all(find_page_kind(page.url, None) == "product" for page in cited)
            if is_product and any(all(_names_any(path, {rival}) for path in paths) for rival in rivals):
                owners[site] = "closed"
    return [
        msgspec.structs.replace(page, owner=owners[page.site], rival=None) if page.site in owners else page
        for page in pages
    ]


class _Owners:
    """Finds who owns a page. A discovered rival owns a site only if the site has its name."""

    def __init__(self, inputs: InsightInputs) -> None:
        rivals = list_rivals(inputs)
        self._names = [rival.name for rival in rivals]
        tracked = [brand.domains for brand in inputs.plan.tracked]
        discovered = [_list_domains(rival) for rival in rivals if not rival.tracked]
        self._owners = SiteOwners([*tracked, *discovered])
        brand = inputs.brand
        self._own_keys = {key for name in (brand.name, *brand.aliases) if (key := _to_key(name))}
        self._known: dict[tuple[str, str], tuple[PageOwner, str | None]] = {}

    def find(self, citation: Citation) -> tuple[PageOwner, str | None]:
        owner, rival = self._find_site_owner(citation)
        if owner == "third_party" and (_SELLERS_BLOG.search(citation.url) or _SHOPPING_LINK.search(citation.url)):
            return "closed", None
        return owner, rival

    def _find_site_owner(self, citation: Citation) -> tuple[PageOwner, str | None]:
        site = (citation.host, citation.domain)
        found = self._known.get(site)
        if found is None:
            found = self._known[site] = self._decide(citation)
        return found

    def _decide(self, citation: Citation) -> tuple[PageOwner, str | None]:
        owners = self._owners.of(citation)
        if OWN_BRAND in owners:
            return "own", None
        if owners:
            return "rival", self._names[min(owners) - 1]
        kind = classify_site(citation.domain)
        if kind in {"government", "video"} or _is_closed(citation.host):
            return "closed", None
        if kind != "other":
            return "third_party", None
        label = _to_key(first_label(citation.domain))
        if label in self._own_keys:
            return "own", None
        for name in self._names:
            if _begins_with_name(label, name):
                return "rival", name
        return "third_party", None


def _is_closed(host: str) -> bool:
    labels = host.split(".")
    parents = {".".join(labels[start:]) for start in range(len(labels) - 1)}
    return bool(parents & _sites("closed")) or _CLOSED_HOST.search(host) is not None


def _list_domains(rival: Rival) -> tuple[str, ...]:
    """Return the domains of a discovered rival: those that answers link to, if they have its name, and a known shop."""
    shop = (f"{_to_key(rival.name)}.com",) if _is_shop(rival.name) else ()
    return (*(domain for domain in rival.domains if has_name_of(domain, rival.name)), *shop)


def has_name_of(domain: str, brand: str) -> bool:
    """Return whether a site is named after a brand: "oralb.com", or "ninjakitchen.com" for Ninja.

    A name that is a common word, as of a brand called Guitar, says nothing about a site that begins with it.
    """
    return classify_site(domain) == "other" and _begins_with_name(_to_key(first_label(domain)), brand)


def _begins_with_name(label: str, brand: str) -> bool:
    key = _to_key(brand)
    if not key or not label.startswith(key):
        return False
    return label == key or (len(key) >= _MIN_OWNER_NAME and commonness(brand) < 2)


def _find_page_type(site: str, url: str) -> SiteType:
    found = _SITE_TYPES.get(classify_site(site, [url]), "other")
    if found == "other" and find_page_kind(url, None) in {"product", "category"}:
        return "retailer"
    return "editorial" if found == "other" and _EDITORIAL.search(_find_path(url)) else found


def find_page_kind(url: str, title: str | None) -> PageKind:
    """Return what kind of page a brand has at an address, by its path and title; "page" where neither tells."""
    path = _find_path(url)
    if not path:
        return "home"
    words = fold(f"{path} {title}" if title else path)
    return next((kind for kind, pattern in _KINDS if pattern.search(words)), "page")


def is_about_one_product(page: CitedPage, rivals: Collection[str]) -> bool:
    """Return whether the page is on one product, so that nobody else can be added to it.

    It is the page of a product in a shop, a review, or a page with the name of a rival in its address, unless the
    address promises a selection or a comparison.
    """
    path = fold(_find_path(page.url))
    if not path or _OPEN_TO_MANY.search(path) or is_search_page(page.url):
        return False
    return bool(_ONE_REVIEW.search(path)) or find_page_kind(page.url, None) == "product" or _names_any(path, rivals)


def is_about_rival(page: CitedPage, rivals: Collection[str], brand: str) -> bool:
    """Return whether the address names a rival and not the brand, and promises no selection or comparison."""
    path = fold(_find_path(page.url))
    return not _OPEN_TO_MANY.search(path) and _names_any(path, rivals) and not _names_any(path, {brand})


def names_brand(url: str, names: Collection[str]) -> bool:
    """Return whether the path of an address has one of these names: "trustpilot.com/review/acme.com"."""
    return _names_any(fold(_find_path(url)), names)


def is_search_page(url: str) -> bool:
    """Return whether the page is the result of a search on a site: it changes with every request."""
    return _SEARCH.search(_find_path(url)) is not None


def _names_any(path: str, brands: Collection[str]) -> bool:
    words = _WORD.findall(path)
    flat = "".join(words)
    keys = {_to_key(brand) for brand in brands} - {""}
    return any(key in words or (len(key) >= _MIN_OWNER_NAME and key in flat) for key in keys)


def find_topic(url: str) -> str | None:
    segment = _find_path(url).rstrip("/").rpartition("/")[2]
    words = _WORD.findall(re.sub(r"\.(?:html?|php|aspx?)$", "", fold(segment.partition("?")[0])))
    while words and (words[-1] == "article" or _is_article_number(words)):
        words.pop()
    if "%" in segment or not _MIN_LABEL_WORDS <= len(words) <= _MAX_LABEL_WORDS or all(map(str.isdigit, words)):
        return None
    return " ".join(words)


def _is_article_number(words: Sequence[str]) -> bool:
    """Return whether the last word is a number that is neither a year nor a price."""
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    return len(last) >= 4 and last.isdigit() and not _YEAR.fullmatch(last) and before not in {"under", "below", "over"}


def _strip_shopping(url: str) -> str:
    """Return one address for a product in the carousel, where every answer has a parameter of its own."""
    return url.partition("?")[0] if _SHOPPING_LINK.search(url) else url


def _find_path(url: str) -> str:
    return url.partition("/")[2]


@lru_cache(maxsize=8_192)
def _to_key(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", fold(name))


def _collect_titles(answers: Iterable[ScanAnswer]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for answer in answers:
        for source in answer.cited:
            title = " ".join((source.title or "").split())
            citation = normalize_url(source.url, source.title) if title else None
            if citation is not None:
                found.setdefault(citation.url, []).append(title)
    return found


def _choose_title(titles: Sequence[str], citation: Citation) -> str | None:
    """Return the commonest title that is one of this page, without the name of the site after it.

    Platforms report many things as a title: the name of the site, or a product that the page is cited for. A title
    counts if it shares three words with the address, or if it promises a selection ("The 8 best anvils").
    """
    path = set(_WORD.findall(fold(_find_path(citation.url))))
    for title, _ in sorted(Counter(titles).items(), key=lambda counted: (-counted[1], counted[0])):
        shown = _SITE_SUFFIX.sub("", title)
        words = _WORD.findall(fold(shown))
        is_selection = len(words) > _MIN_LABEL_WORDS and _OPEN_TO_MANY.search(fold(shown))
        if len(shown) <= _MAX_TITLE and (is_selection or len(path.intersection(words)) >= _MIN_LABEL_WORDS):
            return shown
    return None


def _find_site_names(titles: Mapping[str, Sequence[str]], citations: Iterable[Citation]) -> dict[str, str]:
    """Return the name of each site, where a platform reports it as the title of a page: "Food & Wine"."""
    found: dict[str, str] = {}
    for citation in citations:
        label = _to_key(first_label(citation.domain))
        for title in titles.get(citation.url, ()):
            key = _to_key(title.replace("&", " and "))
            if label and label in {key, key.removeprefix("the")} and "." not in title:
                found.setdefault(citation.domain, title)
    return found


@cache
def _sites(access: Literal["directories", "closed"]) -> frozenset[str]:
    text = files(__package__).joinpath("site_access.toml").read_text("utf-8")
    return frozenset(msgspec.convert(tomllib.loads(text), dict[str, str])[access].split())

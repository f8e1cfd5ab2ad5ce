"""The pages that the answers of a check cite: who owns each, what kind of page it is, and how to speak of it. Pure."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal
from urllib.parse import unquote

import msgspec

from sightline.answers.characters import fold
from sightline.answers.citations import SiteOwners, normalize_url
from sightline.answers.models import Citation
from sightline.answers.ordinary_words import commonness
from sightline.domains.names import first_label
from sightline.insights.inputs import OWN_BRAND, InsightInputs, Rival
from sightline.insights.models import SiteType
from sightline.insights.recommendations.page_addresses import (
    MANY,
    MIN_LABEL_WORDS,
    MIN_OWNER_NAME,
    OPEN_TO_MANY,
    WORD,
    find_page_kind,
    find_path,
    find_topic,
    names_any,
    to_key,
)
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
_EDITORIAL = re.compile(rf"(?:^|[^a-z])(?:{MANY}|reviews?|tested)(?:[^a-z]|$)")

_SENTENCE_END = re.compile(r"[.!?](?=\s)|\n")
_SHOP_RIVAL = 3
_MAKERS_WITH_SHOPS = frozenset({"apple"})


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
    names_us: bool
    """Whether an answer cites a passage of it that names the brand, or credits its site with naming the brand."""
    answer_ids: tuple[str, ...]

    @property
    def topic(self) -> str | None:
        """Return the last part of the address as words, if it has a few: "best cheap electric toothbrush"."""
        return find_topic(self.url)


class CitedPages:
    """All pages that the answers cite, by owner and by site."""

    def __init__(self, inputs: InsightInputs) -> None:
        self._owners = _Owners(inputs)
        titles = collect_titles(inputs.answers)
        found: dict[str, tuple[Citation, list[str]]] = {}
        for answer in inputs.answers:
            assert answer.analysis is not None
            for citation in answer.analysis.citations:
                ids = found.setdefault(citation.url, (citation, []))[1]
                if answer.id not in ids[-1:]:
                    ids.append(answer.id)
        self.site_names = find_site_names(titles, (citation for citation, _ in found.values()))
        self._naming_us = _find_passages_on_us(inputs) | _find_credits_of_us(inputs, self.site_names)
        self.pages = _settle_shops([self._build(citation, titles, ids) for citation, ids in found.values()], inputs)
        self.by_url = {page.url: page for page in self.pages}

    def find(self, citation: Citation) -> CitedPage:
        """Return the page that an answer cites."""
        return self.by_url[citation.url]

    def _build(self, citation: Citation, titles: Mapping[str, Sequence[str]], answer_ids: Sequence[str]) -> CitedPage:
        owner, rival = self._owners.find(citation)
        return CitedPage(
            url=citation.url,
            site=citation.domain,
            owner=owner,
            rival=rival,
            has_path=find_path(citation.url) != "",
            title=choose_title(titles.get(citation.url, ()), citation),
            names_us=citation.url in self._naming_us,
            answer_ids=tuple(answer_ids),
        )

    def list_owned_by(self, *owners: PageOwner) -> list[CitedPage]:
        return [page for page in self.pages if page.owner in owners]


def _find_passages_on_us(inputs: InsightInputs) -> frozenset[str]:
    """Return the pages with a passage that an answer cites and that names the brand.

    Some platforms link to a passage: "smithing.org/best-anvils#:~:text=The%20Acme%20Mini".
    """
    keys = [key for name in (inputs.brand.name, *inputs.brand.aliases) if len(key := to_key(name)) >= MIN_OWNER_NAME]
    found = set()
    for answer in inputs.answers:
        for source in answer.cited:
            passage = source.url.partition("#:~:text=")[2]
            if passage and any(key in to_key(unquote(passage)) for key in keys):
                citation = normalize_url(source.url, source.title)
                found.add(citation.url if citation else "")
    return frozenset(found)


def _find_credits_of_us(inputs: InsightInputs, site_names: Mapping[str, str]) -> frozenset[str]:
    """Return the pages whose site an answer credits with naming the brand: "Acme is Anvil Weekly's best value pick"."""
    brands = [fold(name) for name in (inputs.brand.name, *inputs.brand.aliases)]
    found = set()
    for answer, own in zip(inputs.answers, inputs.observations[OWN_BRAND], strict=True):
        assert answer.analysis is not None
        if not own.mentioned:
            continue
        sentences = [fold(each) for each in _SENTENCE_END.split(answer.text)]
        sentences = [each for each in sentences if any(name in each for name in brands)]
        for citation in answer.analysis.citations:
            site = fold(site_names.get(citation.domain, ""))
            if site and any(site in sentence for sentence in sentences):
                found.add(citation.url)
    return frozenset(found)


def find_site_type(site: str, urls: Sequence[str]) -> SiteType:
    """Return the type of a site: from our tables, or else from what most of these pages look like."""
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
    key = to_key(name)
    return key not in _MAKERS_WITH_SHOPS and classify_site(f"{key}.com") == "shop"


def _settle_shops(pages: Sequence[CitedPage], inputs: InsightInputs) -> list[CitedPage]:
    """Return the pages, with the owners of shops settled by what they sell.

    A discovered name whose site has pages on other rivals is a shop, which looks like a rival where answers name it
    next to brands. A site whose pages are all on products of one rival is in effect a shop of that rival:
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
        paths = [fold(find_path(page.url)) for page in cited]
        if owner is not None and owner not in tracked:
            others = set(rivals) - {owner}
            # A brand compares itself with others on its own site ("compare/globex"), and stays a brand.
            sold = (fold(find_path(page.url)) for page in cited if find_page_kind(page.url, None) != "comparison")
            if any(names_any(path, others) and not names_any(path, {owner}) for path in sold):
                owners[site] = "third_party"
        elif cited[0].owner == "third_party" and classify_site(site) == "other":
            is_product = all(find_page_kind(page.url, None) == "product" for page in cited)
            if is_product and any(all(names_any(path, {rival}) for path in paths) for rival in rivals):
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
        self._own_keys = {key for name in (brand.name, *brand.aliases) if (key := to_key(name))}
        self._known: dict[tuple[str, str], tuple[PageOwner, str | None]] = {}

    def find(self, citation: Citation) -> tuple[PageOwner, str | None]:
        owner, rival = self._find_site_owner(citation)
        if owner == "third_party" and _SELLERS_BLOG.search(citation.url):
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
        label = to_key(first_label(citation.domain))
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
    """Return the domains of a discovered rival: linked domains that have its name, and that of a known shop."""
    shop = (f"{to_key(rival.name)}.com",) if _is_shop(rival.name) else ()
    return (*(domain for domain in rival.domains if has_name_of(domain, rival.name)), *shop)


def has_name_of(domain: str, brand: str) -> bool:
    """Return whether a site is named after a brand: "oralb.com", or "ninjakitchen.com" for Ninja.

    A name that is a common word, as of a brand called Guitar, says nothing about a site that begins with it.
    """
    return classify_site(domain) == "other" and _begins_with_name(to_key(first_label(domain)), brand)


def _begins_with_name(label: str, brand: str) -> bool:
    key = to_key(brand)
    if not key or not label.startswith(key):
        return False
    return label == key or (len(key) >= MIN_OWNER_NAME and commonness(brand) < 2)


def _find_page_type(site: str, url: str) -> SiteType:
    found = _SITE_TYPES.get(classify_site(site, [url]), "other")
    if found == "other" and find_page_kind(url, None) in {"product", "category"}:
        return "retailer"
    return "editorial" if found == "other" and _EDITORIAL.search(find_path(url)) else found


@cache
def _sites(access: Literal["directories", "closed"]) -> frozenset[str]:
    text = files(__package__).joinpath("site_access.toml").read_text("utf-8")
    return frozenset(msgspec.convert(tomllib.loads(text), dict[str, str])[access].split())


_MAX_TITLE = 120
_SITE_SUFFIX = re.compile("\\s+[|\u2013\u2014-]\\s+[^|\u2013\u2014]*$")


def collect_titles(answers: Iterable[ScanAnswer]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for answer in answers:
        for source in answer.cited:
            title = " ".join((source.title or "").split())
            citation = normalize_url(source.url, source.title) if title else None
            if citation is not None:
                found.setdefault(citation.url, []).append(title)
    return found


def choose_title(titles: Sequence[str], citation: Citation) -> str | None:
    """Return the commonest title that is one of this page, without the name of the site after it.

    Platforms report many things as a title: the name of the site, or a product that the page is cited for. A title
    counts if it shares three words with the address, or if it promises a selection ("The 8 best anvils").
    """
    path = set(WORD.findall(fold(find_path(citation.url))))
    for title, _ in sorted(Counter(titles).items(), key=lambda counted: (-counted[1], counted[0])):
        shown = _SITE_SUFFIX.sub("", title)
        words = WORD.findall(fold(shown))
        is_selection = len(words) > MIN_LABEL_WORDS and OPEN_TO_MANY.search(fold(shown))
        if len(shown) <= _MAX_TITLE and (is_selection or len(path.intersection(words)) >= MIN_LABEL_WORDS):
            return shown
    return None


def find_site_names(titles: Mapping[str, Sequence[str]], citations: Iterable[Citation]) -> dict[str, str]:
    """Return the name of each site, where a platform reports it as the title of a page: "Food & Wine"."""
    found: dict[str, str] = {}
    for citation in citations:
        label = to_key(first_label(citation.domain))
        for title in titles.get(citation.url, ()):
            key = to_key(title.replace("&", " and "))
            if label and label in {key, key.removeprefix("the")} and "." not in title:
                found.setdefault(citation.domain, title)
    return found

"""What the address of a page shows: its kind, its topic, and whom it names. Pure."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from sightline.answers.characters import fold
from sightline.insights.models import PageKind
from sightline.scans.profile_pages import is_profile_page

MIN_OWNER_NAME = 4
MANY = "best|top|vs|versus|compar[a-z]*|alternatives?|guide|rankings?|ranked"
OPEN_TO_MANY = re.compile(rf"(?:^|[^a-z])(?:{MANY}|under)(?:[^a-z]|$)")
_ONE_REVIEW = re.compile(r"(?:^|[^a-z])review(?:-\d+)?(?:\.[a-z]+)?/?$")
_BRANCH = re.compile(r"(?:^|/)(?:stores|locations)/")
_SEARCH = re.compile(r"(?:^|/)(?:s|search|searchpage[a-z.]*|results)/?\?|[?&;](?:q|k|query|search|keyword)=")
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
WORD = re.compile(r"[a-z0-9]+")
_YEAR = re.compile(r"(?:19|20)\d\d")
_MAX_LABEL_WORDS = 12
MIN_LABEL_WORDS = 3


def find_page_kind(url: str, title: str | None) -> PageKind:
    """Return what kind of page a brand has at an address, by its path and title; "page" where neither shows it."""
    path = find_path(url)
    if not path:
        return "home"
    words = fold(f"{path} {title}" if title else path)
    return next((kind for kind, pattern in _KINDS if pattern.search(words)), "page")


def is_about_one_product(url: str, rivals: Collection[str]) -> bool:
    """Return whether the page is on one company, product or branch of a shop, so that nobody else can be added to it.

    It is the profile page of a company, the page of a product in a shop, a review, or a page with the name of a rival
    in its address, unless the address promises a selection or a comparison.
    """
    path = fold(find_path(url))
    if _BRANCH.search(path) or is_profile_page(url):
        return True
    if not path or OPEN_TO_MANY.search(path) or is_search_page(url):
        return False
    return bool(_ONE_REVIEW.search(path)) or find_page_kind(url, None) == "product" or names_any(path, rivals)


def is_about_rival(url: str, rivals: Collection[str], brand: str) -> bool:
    """Return whether the address names a rival and not the brand, and promises no selection or comparison."""
    path = fold(find_path(url))
    return not OPEN_TO_MANY.search(path) and names_any(path, rivals) and not names_any(path, {brand})


def names_brand(url: str, names: Collection[str]) -> bool:
    """Return whether the path of an address has one of these names: "trustpilot.com/review/acme.com"."""
    return names_any(fold(find_path(url)), names)


def is_search_page(url: str) -> bool:
    """Return whether the page is the result of a search on a site: it changes with every request."""
    return _SEARCH.search(find_path(url)) is not None


def names_any(path: str, brands: Collection[str]) -> bool:
    words = WORD.findall(path)
    flat = "".join(words)
    keys = {to_key(brand) for brand in brands} - {""}
    return any(key in words or (len(key) >= MIN_OWNER_NAME and key in flat) for key in keys)


def find_topic(url: str, at_least: int = MIN_LABEL_WORDS) -> str | None:
    """Return the last part of an address as words, or None if it has too few or too many."""
    segment = find_path(url).rstrip("/").rpartition("/")[2]
    words = WORD.findall(re.sub(r"\.(?:html?|php|aspx?)$", "", fold(segment.partition("?")[0])))
    number = next((place for place in range(len(words)) if _is_article_number(words[: place + 1])), len(words))
    words = words[:number]
    if len(words) > 1 and words[-2].isdigit() and len(words[-1]) == 1 and words[-1].isdigit():
        words.pop()  # the second page of that name: "best-anvils-under-1000-2"
    while words[-1:] == ["article"]:
        words.pop()
    if "%" in segment or not at_least <= len(words) <= _MAX_LABEL_WORDS or all(map(str.isdigit, words)):
        return None
    return " ".join(words)


def _is_article_number(words: Sequence[str]) -> bool:
    """Return whether the last word is a number that is neither a year nor a price."""
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    return len(last) >= 4 and last.isdigit() and not _YEAR.fullmatch(last) and before not in {"under", "below", "over"}


def find_path(url: str) -> str:
    return url.partition("/")[2]


@lru_cache(maxsize=8_192)
def to_key(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", fold(name))

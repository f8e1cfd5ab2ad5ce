"""The sites that the answers of a scan cite, and the kind of each site."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

import msgspec

from sightline.answers.citations import find_host, owned_urls
from sightline.answers.models import Brand, Citation
from sightline.scans.models import ScanAnswer, ScanPlan
from sightline.scans.schemas.results import SourceResult, SourceType

_GOVERNMENT = re.compile(r"(?:^|\.)(?:gov|gouv|gob|govt|gv|mil|go)(?:\.[a-z]{2})$|\.(?:gov|mil|int)$")
# Words in the registrable domain, between separators or at its ends.
_BY_NAME: tuple[tuple[SourceType, re.Pattern[str]], ...] = (
    ("review", re.compile(r"reviews?(?:$|[.-])|(?:^|-)(?:reviews?|opinion(?:es)?|avis|bewertung\w*|tests?)[.-]")),
    ("forum", re.compile(r"forums?\.|^forum|community\.")),
    ("news", re.compile(r"(?:news|times|herald|gazette|tribune|daily|zeitung)\.|(?:^|-)news")),
    ("shop", re.compile(r"(?:shop|store)\.|^shop")),
    ("list", re.compile(r"(?:ranking|compare|comparison|vergleich|alternatives|top10|best)[^.]*\.")),
    ("encyclopaedia", re.compile(r"wiki[^.]*\.|(?:pedia)\.")),
)  # fmt: skip
# Words in the addresses of pages, where all cited addresses of a site have them.
_BY_PATH: tuple[tuple[SourceType, re.Pattern[str]], ...] = (
    ("shop", re.compile(r"^(?:shop|store)\.|/collections/")),
    ("forum", re.compile(r"/(?:forums?|threads?|comments|questions)/|^(?:forum|community|answers)\.")),
    ("list", re.compile(r"/(?:[\w/-]*-)?(?:best|top-?\d*|ranking|alternatives|compar(?:e|ison)|vergleich)(?:[/-]|$)")),
    ("review", re.compile(r"/(?:[\w/-]*-)?(?:reviews?|tests?|testberichte?|avis|opiniones)(?:[/-]|$)")),
    ("news", re.compile(r"/(?:news|article|articles|story)/|^news\.|/20\d\d/\d\d/")),
    ("video", re.compile(r"/(?:video|videos|watch)(?:/|$)|^videos?\.")),
    ("shop", re.compile(r"/(?:product|products|cart|dp|shop)/")),
    ("encyclopaedia", re.compile(r"/wiki/|^wiki\.")),
)  # fmt: skip


class SiteFinder:
    """Finds the site that a page counts for, and its owner."""

    def __init__(self, plan: ScanPlan) -> None:
        self._plan = plan
        self._sites: dict[tuple[str, str], tuple[str, SourceType | None]] = {}  # only the host decides who owns a page

    def find(self, citation: Citation) -> tuple[str, SourceType | None]:
        at = (citation.host, citation.domain)
        return self._sites.get(at) or self._sites.setdefault(at, _site(self._plan, citation))


class SourceTally:
    """The sites that answers cite, added up answer by answer."""

    def __init__(self, plan: ScanPlan) -> None:
        self._finder = SiteFinder(plan)
        self._pages: dict[str, set[str]] = {}
        self._answers: Counter[str] = Counter()
        self._owners: dict[str, SourceType] = {}

    def add(self, answer: ScanAnswer) -> None:
        sites = set()
        for citation in () if answer.analysis is None else answer.analysis.citations:
            site, owner = self._finder.find(citation)
            self._pages.setdefault(site, set()).add(citation.url)
            sites.add(site)
            if owner is not None:
                self._owners[site] = owner
        self._answers.update(sites)

    def list_sources(self) -> tuple[SourceResult, ...]:
        """Return the sites, most cited first."""
        found = [
            SourceResult(
                domain=site,
                type=self._owners.get(site) or classify_site(site, urls),
                urls=len(urls),
                answers=self._answers[site],
                is_own=self._owners.get(site) == "own",
                is_competitor=self._owners.get(site) == "competitor",
            )
            for site, urls in self._pages.items()
        ]
        return tuple(sorted(found, key=lambda source: (-source.answers, -source.urls, source.domain)))


def list_sources(plan: ScanPlan, answers: Iterable[ScanAnswer]) -> tuple[SourceResult, ...]:
    """List the sites that valid answers cite, most cited first. A page that was only retrieved is not a source."""
    tally = SourceTally(plan)
    for answer in answers:
        tally.add(answer)
    return tally.list_sources()


def classify_site(domain: str, urls: Iterable[str] = ()) -> SourceType:
    """Return the kind of a site by our table, then by its name, then by its cited addresses; "other" when in doubt."""
    for name in (domain, *_parents(domain)):
        if (known := _table().get(name)) is not None:
            return known
    if _GOVERNMENT.search(domain):
        return "government"
    for kind, pattern in _BY_NAME:
        if pattern.search(domain):
            return kind
    pages = list(urls)
    return next((kind for kind, pattern in _BY_PATH if pages and all(map(pattern.search, pages))), "other")


def _site(plan: ScanPlan, citation: Citation) -> tuple[str, SourceType | None]:
    """Return the site of a page and its owner. A brand that owns only a subdomain has a row for that host."""
    if (own := _owned_host(citation, plan.brand)) is not None:
        return own, "own"
    for competitor in plan.competitors:
        if (theirs := _owned_host(citation, competitor)) is not None:
            return theirs, "competitor"
    return citation.domain, None


def _owned_host(citation: Citation, brand: Brand) -> str | None:
    for domain in brand.domains:
        if owned_urls((citation,), (domain,)):
            return find_host(domain) or citation.domain
    return None


def _parents(host: str) -> Iterable[str]:
    labels = host.split(".")
    return (".".join(labels[start:]) for start in range(1, len(labels) - 1))


@cache
def _table() -> dict[str, SourceType]:
    text = (files(__package__) / "source_types.toml").read_text("utf-8")
    lists = msgspec.convert(tomllib.loads(text), dict[SourceType, str])
    return {domain: kind for kind, domains in lists.items() for domain in domains.split()}

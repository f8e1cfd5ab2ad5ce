"""The titles that platforms report for cited pages, and the names of sites. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from sightline.answers.characters import fold
from sightline.answers.citations import normalize_url
from sightline.answers.models import Citation
from sightline.domains.names import first_label
from sightline.insights.recommendations.page_addresses import MIN_LABEL_WORDS, OPEN_TO_MANY, WORD, find_path, to_key
from sightline.scans.models import ScanAnswer

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

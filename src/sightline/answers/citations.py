"""The pages that an answer refers to, each in one spelling, and who owns them."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from urllib.parse import urlsplit

import idna

from sightline.answers.addresses import find_redirect_target
from sightline.answers.models import Citation
from sightline.domains.names import registrable_domain
from sightline.kit.addresses import strip_tracking

_PREFIX = re.compile(r"(?:www\d?|m|amp|mobile)\.")
# Redirects that do not contain their target.
_OPAQUE = frozenset({"vertexaisearch.cloud.google.com", "t.co", "bit.ly", "lnkd.in", "tinyurl.com", "goo.gl"})
_HOST = re.compile(r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,8}[^\W\d_]{2,24}")
_LONGEST = 4_000
_LONGEST_CACHED = 300  # characters: few addresses are longer, and they would fill the memory
_MAX_DEPTH = 3  # addresses inside addresses

# Cached, as hosts recur in most answers and a lookup in the list of public suffixes takes microseconds.
_registrable = lru_cache(maxsize=8_192)(registrable_domain)


def read_citations(links: Iterable[tuple[str, str | None]]) -> tuple[tuple[Citation, ...], int]:
    """Return the distinct pages in their order, and how many addresses could not be resolved to a host."""
    found: dict[str, Citation] = {}
    unresolved = 0
    for url, title in links:
        citation = normalize_url(url, title)
        if citation is None:
            unresolved += url[:4].lower() == "http"
        else:
            found.setdefault(citation.url, citation)
    return tuple(found.values()), unresolved


class SiteOwners:
    """Finds who owns a page.

    The owner of a registrable domain owns all of it. The owner of a subdomain owns only that and what is below it.
    """

    def __init__(self, domains: Sequence[Sequence[str]]) -> None:
        """Take the domains of each owner, in the owners' order."""
        self._whole: dict[str, list[int]] = {}
        self._hosts: list[tuple[str, int]] = []
        for owner, owned in enumerate(domains):
            for host in {found for domain in owned if (found := find_host(domain))}:
                if _registrable(host) == host:
                    self._whole.setdefault(host, []).append(owner)
                else:
                    self._hosts.append((host, owner))

    def of(self, citation: Citation) -> set[int]:
        found = set(self._whole.get(citation.domain, ()))
        for host, owner in self._hosts:
            if citation.host == host or citation.host.endswith("." + host):
                found.add(owner)
        return found

    def split(self, citations: Iterable[Citation]) -> dict[int, tuple[str, ...]]:
        """Return the pages of each owner."""
        found: dict[int, list[str]] = {}
        for citation in citations:
            for owner in self.of(citation):
                found.setdefault(owner, []).append(citation.url)
        return {owner: tuple(urls) for owner, urls in found.items()}


def owned_urls(citations: Iterable[Citation], domains: Sequence[str]) -> tuple[str, ...]:
    """Return the pages that are on one of these domains."""
    return SiteOwners([domains]).split(citations).get(0, ())


def normalize_url(url: str, title: str | None = None) -> Citation | None:
    """Return one spelling for one page, or None if no host can be found."""
    found = _normalize_cached(url) if len(url) <= _LONGEST_CACHED else _normalize(url[:_LONGEST], _MAX_DEPTH)
    if (
        found is None
        and title is not None
        and url[:4].lower() == "http"
        and _HOST.fullmatch(named := title.strip()[:300])
    ):
        host = find_host(named)
        return None if host is None else Citation(host, host, _registrable(host) or host)
    return found


@lru_cache(maxsize=4_096)
def _normalize_cached(url: str) -> Citation | None:
    """Normalize an address. Cached, as pages recur within an answer and between answers."""
    return _normalize(url, _MAX_DEPTH)


def _normalize(url: str, depth: int) -> Citation | None:
    if url[:4].lower() != "http" and "://" not in url[:12]:
        if url[:7].lower() == "mailto:" or ":" in url[:5] or url[:1] in "#/.":
            return None
        url = f"https://{url}"
    try:
        parts = urlsplit(url)
        host = _ascii(parts.hostname or "")
    except ValueError:
        return None
    if parts.scheme.lower() not in {"http", "https"} or host is None:
        return None
    if host in _OPAQUE:
        return None
    inner = find_redirect_target(host, _registrable(host) or "", parts.path, parts.query) if depth else None
    if inner is not None:
        return _normalize(inner, depth - 1)
    host = _bare(host)
    domain = _registrable(host)
    if domain is None:
        return None
    path = parts.path.rstrip("/")
    query = strip_tracking(parts.query)
    return Citation(f"{host}{path}{'?' + query if query else ''}", host, domain)


def find_host(text: str) -> str | None:
    """Return the normalized host of a domain, of a URL, or of a title that is a domain."""
    text = text.strip().lower()
    if "://" in text:
        text = text.partition("://")[2]
    host = _ascii(re.split(r"[/:?#]", text, maxsplit=1)[0])
    if host is None or _registrable(_bare(host)) is None:
        return None
    return _bare(host)


def _bare(host: str) -> str:
    while (prefix := _PREFIX.match(host)) and _registrable(host[prefix.end() :]) is not None:
        host = host[prefix.end() :]
    return host


@lru_cache(maxsize=4_096)
def _ascii(host: str) -> str | None:
    host = host.lower().rstrip(".")
    if not host or "." not in host or len(host) > 253:
        return None
    if host.isascii():
        return host if re.fullmatch(r"[a-z0-9_.-]+", host) else None
    try:
        return idna.encode(host, uts46=True).decode()
    except (idna.IDNAError, UnicodeError):
        return None

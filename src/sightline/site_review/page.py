"""Reading a page as an agent without scripts does: its text, what it declares, and what contradicts its text. Pure.

The page is read in one pass whose cost grows with its length: a parser takes a minute for deeply nested tags.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from html import unescape
from typing import Any, Literal

import msgspec

from sightline.answers.characters import fold
from sightline.answers.language import detect_language
from sightline.domains.json_ld import Node, list_nodes, list_types
from sightline.site_review.prices import find_prices, read_number

MAX_TEXT = 60_000
"""Characters of a page's text that are kept and compared."""
_MAX_TAG = 16_384
_MAX_BROKEN_TAGS = 200
_TAG = re.compile(r"<(?:(!--)|(/?)([a-zA-Z][a-zA-Z0-9:-]*)|[!?])")
_REST = re.compile(r"""(?:[^>"']++|"[^"]*+"|'[^']*+')*+>""")
_ATTRIBUTE = re.compile(r"""([^\s=/>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")
_RAW = frozenset({"script", "style", "textarea", "title", "noscript", "template", "svg", "iframe", "math"})
_BLOCKS = frozenset(
    {
        "address", "article", "aside", "blockquote", "body", "br", "dd", "div", "dl", "dt", "figcaption", "footer",
        "form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "li", "main", "nav", "ol", "option", "p",
        "pre", "section", "table", "td", "th", "tr", "ul",
    }
)  # fmt: skip
_MOUNTS = frozenset({"root", "app", "__next", "__nuxt", "___gatsby", "svelte", "ember-root", "react-root", "app-root"})
_MOUNT = re.compile(
    r"<(?:div|main|section|app-root)\b[^>]{0,300}\bid\s*=\s*[\"']?([\w-]{2,20})[\"']?[^>]{0,300}>\s*</", re.IGNORECASE
)
_ASKS_FOR_SCRIPTS = re.compile(r"java\s?script", re.IGNORECASE)
_FEW_CHARACTERS = 200
_SPACES = re.compile(r"\s+")
_LANGUAGE = re.compile(r"\s*([a-zA-Z]{2,3})(?:[-_][A-Za-z0-9-]*)?\s*")
_SAMPLES, _SAMPLE_LENGTH = 3, 600
# Languages that are told apart by a few words only: a page in one of a group is not said to be in another.
_ALIKE = (
    {"da", "nb", "nn", "no", "sv"}, {"hr", "bs", "sr", "sl"}, {"id", "ms"}, {"cs", "sk"}, {"es", "ca", "gl", "pt"},
    {"nl", "af"}, {"bg", "mk"}, {"ru", "uk", "be"}, {"hi", "mr", "ne"}, {"de", "lb"},
)  # fmt: skip
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?")
_PRODUCTS = frozenset({"product", "productgroup", "service", "softwareapplication", "webapplication", "book", "event"})
_ARTICLES = frozenset({"article", "newsarticle", "blogposting", "techarticle", "report"})

Fault = Literal[
    "needs_scripts",
    "no_title",
    "no_language",
    "wrong_language",
    "several_canonicals",
    "broken_canonical",
    "json_ld_broken",
    "json_ld_price",
    "json_ld_name",
    "date_unreadable",
    "date_future",
    "dates_reversed",
    "dates_differ",
]


class PageFault(msgspec.Struct, frozen=True):
    """Something that a page gets wrong: what, and the part of the page that shows it."""

    fault: Fault
    evidence: str = ""


class PageFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a page says without its scripts. `text` is kept apart, until the review ends."""

    title: str | None = None
    language: str | None = None
    """As declared, or else as its text shows."""
    canonical: str | None = None
    robots: tuple[str, ...] = ()
    """The directives for all agents in meta tags, in lower case."""
    robots_of: Mapping[str, tuple[str, ...]] = {}
    """The directives for one agent, by its name in lower case."""
    html_length: int = 0
    text_length: int = 0
    json_ld: int = 0
    """Blocks of JSON-LD."""
    modified: str | None = None
    faults: tuple[PageFault, ...] = ()


class _Parts(msgspec.Struct):
    """What one pass over the page has collected."""

    text: list[str] = msgspec.field(default_factory=list)
    title: str | None = None
    language: str = ""
    canonicals: list[str] = msgspec.field(default_factory=list)
    metas: list[tuple[str, str]] = msgspec.field(default_factory=list)
    json_ld: list[str] = msgspec.field(default_factory=list)
    scripts: int = 0
    noscript: list[str] = msgspec.field(default_factory=list)


def read_page(html: str, *, today: date) -> tuple[PageFacts, str]:
    """Return what the page declares and gets wrong, and its text."""
    parts = _collect(html)
    text = _SPACES.sub(" ", unescape("".join(parts.text))).strip()
    nodes, broken = _read_json_ld(parts.json_ld)
    declared = _LANGUAGE.fullmatch(parts.language)
    language = declared[1].lower() if declared else None
    canonical = next((each for each in parts.canonicals if each), None)
    metas = [(name, value) for name, value in parts.metas if value]
    published, modified, date_faults = _read_dates(metas, nodes, today)
    title = _SPACES.sub(" ", unescape(parts.title or "")).strip()
    faults = [
        *_find_text_faults(html, parts, text, title),
        *_find_language_faults(text, parts.language, language),
        *_find_canonical_faults(parts.canonicals),
        *broken,
        *_compare_json_ld(nodes, text, title),
        *date_faults,
    ]
    facts = PageFacts(
        title=title[:300] or None,
        language=language or detect_language(text[:3_000]),
        canonical=canonical,
        robots=_list_directives(value for name, value in metas if name == "robots"),
        robots_of={name: _list_directives([value]) for name, value in metas if name in _robots_names(metas)},
        html_length=len(html),
        text_length=len(text),
        json_ld=len(parts.json_ld),
        modified=modified or published,
        faults=tuple(faults),
    )
    return facts, f"{title}. {text}"[:MAX_TEXT]


def _robots_names(metas: Sequence[tuple[str, str]]) -> set[str]:
    """Return the meta tags that address one agent: their name ends as names of agents do."""
    return {name for name, _ in metas if name.endswith(("bot", "-user", "-extended", "-index")) and name != "robots"}


_VALUED_DIRECTIVES = frozenset({"max-snippet", "max-image-preview", "max-video-preview", "unavailable_after"})


def list_directives(value: str) -> dict[str, tuple[str, ...]]:
    """Return the directives of an X-Robots-Tag header by agent: "" for all, else the agent's name in lower case."""
    found: dict[str, list[str]] = {"": []}
    agent = ""
    for part in value.split(","):
        name, colon, rest = part.partition(":")
        if colon and name.strip().lower() not in _VALUED_DIRECTIVES:
            agent, part = name.strip().lower(), rest  # noqa: PLW2901 - the rest of this part is a directive
        found.setdefault(agent, []).append(part.strip().lower())
    return {name: tuple(each for each in directives if each) for name, directives in found.items()}


def _list_directives(values: Iterator[str] | Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.strip().lower() for value in values for each in value.split(",") if each.strip()))


def _collect(html: str) -> _Parts:
    parts, place, broken = _Parts(), 0, 0
    while (tag := _TAG.search(html, place)) is not None and broken < _MAX_BROKEN_TAGS:
        parts.text.append(html[place : tag.start()])
        if tag[1]:
            end = html.find("-->", tag.end())
            place = len(html) if end < 0 else end + 3
            continue
        if tag[3] is None:
            end = html.find(">", tag.end())
            place = len(html) if end < 0 else end + 1
            continue
        rest = _REST.match(html, tag.end(), tag.end() + _MAX_TAG)
        if rest is None:
            place, broken = tag.end(), broken + 1
            continue
        name, place = tag[3].lower(), rest.end()
        if name in _BLOCKS:
            parts.text.append("\n")
        if not tag[2]:
            place = _read_tag(parts, html, name, rest[0], place)
    if broken < _MAX_BROKEN_TAGS:
        parts.text.append(html[place:])
    return parts


def _read_tag(parts: _Parts, html: str, name: str, rest: str, place: int) -> int:
    """Note what a tag declares, and return where reading goes on: behind the content of a raw element."""
    if name == "html" and not parts.language:
        parts.language = _read_attributes(rest).get("lang", "")
    elif name == "link":
        attributes = _read_attributes(rest)
        if "canonical" in attributes.get("rel", "").lower().split():
            parts.canonicals.append(attributes.get("href", "").strip())
    elif name == "meta" and len(parts.metas) < 500:
        attributes = _read_attributes(rest)
        key = attributes.get("name") or attributes.get("property") or ""
        parts.metas.append((key.strip().lower(), attributes.get("content", "").strip()))
    if name not in _RAW or (rest.endswith("/>") and name in {"svg", "math"}):
        return place
    end = _find_closing(html, name, place)
    content = html[place:end]
    if name == "title" and parts.title is None:
        parts.title = content[:4_096]
    elif name == "script":
        kind = _read_attributes(rest).get("type", "").partition(";")[0].strip().lower()
        if kind == "application/ld+json":
            parts.json_ld.append(content)
        else:
            parts.scripts += 1
    elif name == "noscript":
        parts.noscript.append(content[:2_000])
    return end


_CLOSING = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in _RAW}


def _find_closing(html: str, name: str, place: int) -> int:
    found = _CLOSING[name].search(html, place)
    return len(html) if found is None else found.start()


def _read_attributes(rest: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(rest[:-1]):
        value = next((each for each in match.groups()[1:] if each is not None), "")
        found.setdefault(match[1].lower(), unescape(value))
    return found


def _find_text_faults(html: str, parts: _Parts, text: str, title: str) -> Iterator[PageFault]:
    if len(text) < _FEW_CHARACTERS and parts.scripts:
        mount = next((each[1] for each in _MOUNT.finditer(html) if each[1].lower() in _MOUNTS), None)
        asks = any(_ASKS_FOR_SCRIPTS.search(each) for each in parts.noscript) or _ASKS_FOR_SCRIPTS.search(text)
        if mount or asks:
            yield PageFault("needs_scripts", text[:200])
    if not title:
        yield PageFault("no_title")


def _find_language_faults(text: str, attribute: str, declared: str | None) -> Iterator[PageFault]:
    if not attribute.strip():
        yield PageFault("no_language")
        return
    if declared is None or len(text) < _SAMPLES * _SAMPLE_LENGTH:
        return
    step = (len(text) - _SAMPLE_LENGTH) // (_SAMPLES - 1)
    seen = {detect_language(text[at : at + _SAMPLE_LENGTH]) for at in range(0, _SAMPLES * step, step)}
    found = seen.pop()
    if not seen and found is not None and found != declared and not any({found, declared} <= each for each in _ALIKE):
        yield PageFault("wrong_language", f"{declared} → {found}")


def _find_canonical_faults(canonicals: Sequence[str]) -> Iterator[PageFault]:
    distinct = dict.fromkeys(canonicals)
    if len(distinct) > 1:
        yield PageFault("several_canonicals", " · ".join(distinct)[:400])
    elif distinct and not next(iter(distinct)):
        yield PageFault("broken_canonical")


# JSON-LD


def _read_json_ld(blocks: Sequence[str]) -> tuple[list[Node], list[PageFault]]:
    nodes: list[Node] = []
    faults: list[PageFault] = []
    for block in blocks:
        try:
            nodes += list_nodes(json.loads(block, strict=False))
        except RecursionError:
            continue  # nobody can say what it declares
        except ValueError as error:
            if block.strip():
                faults.append(PageFault("json_ld_broken", f"{error} · {_SPACES.sub(' ', block).strip()[:120]}"))
    return nodes, faults


def _compare_json_ld(nodes: Sequence[Node], text: str, title: str) -> Iterator[PageFault]:
    """Find what JSON-LD declares of the page's one product or article and the page itself contradicts.

    Several products are a list, where parts may be hidden.
    """
    if len(text) < _FEW_CHARACTERS:
        return
    products = [node for node in nodes if not _PRODUCTS.isdisjoint(list_types(node))]
    articles = [node for node in nodes if not _ARTICLES.isdisjoint(list_types(node))]
    if len(products) == 1:
        yield from _compare_price(products[0], text)
        yield from _compare_name(_find_text(products[0], "name"), text, title)
    if len(articles) == 1:
        yield from _compare_name(_find_text(articles[0], "headline"), text, title)


def _compare_price(product: Node, text: str) -> Iterator[PageFault]:
    offers = product.get("offers")
    offer = offers[0] if isinstance(offers, list) and len(offers) == 1 else offers
    if not isinstance(offer, dict) or not isinstance(offer.get("price"), str | int | float):
        return
    declared = read_number(str(offer["price"]))
    shown = find_prices(text)
    currency = offer.get("priceCurrency")
    same = [price for price in shown if price.currency is None or price.currency == currency]
    if declared and same and not any(declared & price.values for price in same) and not declared & _list_numbers(text):
        evidence = f"JSON-LD: {offer['price']} {currency or ''}".strip()
        yield PageFault("json_ld_price", f"{evidence} · {same[0].text}")


_ANY_NUMBER = re.compile(r"\d[\d.,\u00a0\u202f' ]{0,14}\d|\d")


def _list_numbers(text: str) -> set[float]:
    return {value for match in _ANY_NUMBER.finditer(text) for value in read_number(match[0])}


def _compare_name(name: str | None, text: str, title: str) -> Iterator[PageFault]:
    words = re.findall(r"\w{3,}", fold(name or ""))
    page = fold(f"{title} {text}")
    if words and not any(word in page for word in words):
        yield PageFault("json_ld_name", (name or "")[:200])


def _find_text(node: Node, key: str) -> str | None:
    value: Any = node.get(key)
    return unescape(value) if isinstance(value, str) else None


# Dates


def _read_dates(
    metas: Sequence[tuple[str, str]], nodes: Sequence[Node], today: date
) -> tuple[str | None, str | None, list[PageFault]]:
    """Return when the page says that it was published and modified, and what cannot be true of it."""
    articles = [node for node in nodes if not _ARTICLES.isdisjoint(list_types(node))]
    said: dict[str, list[str]] = {"published": [], "modified": []}
    for name, value in metas:
        if name in {"article:published_time", "article:modified_time"}:
            said["published" if "published" in name else "modified"].append(value)
    if len(articles) == 1:
        for key in said:
            stated = _find_text(articles[0], "datePublished" if key == "published" else "dateModified")
            said[key] += [stated] if stated and stated.strip() else []
    faults: list[PageFault] = []
    days: dict[str, date] = {}
    for key, values in said.items():
        found = {value: _read_day(value) for value in values}
        faults += [PageFault("date_unreadable", value[:60]) for value, day in found.items() if day is None]
        known = sorted(day for day in found.values() if day is not None)
        if not known:
            continue
        days[key] = known[0]
        if (known[-1] - known[0]).days > 1:
            faults.append(PageFault("dates_differ", " · ".join(value[:30] for value in values)))
        if (known[-1] - today).days > 1:
            faults.append(PageFault("date_future", max(values)[:30]))
    if len(days) == 2 and (days["published"] - days["modified"]).days > 1:
        faults.append(PageFault("dates_reversed", f"{days['modified']} < {days['published']}"))
    published, modified = (str(days[key]) if key in days else None for key in said)
    return published, modified, faults


def _read_day(value: str) -> date | None:
    text = value.strip()
    try:
        return datetime.fromisoformat(text).date()
    except ValueError:
        pass
    if not _ISO_DATE.match(text):
        return None
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None

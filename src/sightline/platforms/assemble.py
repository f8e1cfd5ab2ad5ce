"""Builds an answer from its parts, by the same rules for every provider."""

import re
from urllib.parse import urlsplit, urlunsplit

import msgspec

from sightline.kit.addresses import strip_tracking
from sightline.platforms.models import HttpReply, PlatformFault, ProviderAnswer, Question, Source, Span, Usage

# Shorter answers contain nothing that could be measured.
MIN_CHARACTERS = 20
_LONGEST_URL = 8_192
_LONGEST_NAME = 200
# Matches nearly every address that a platform names; parsing one in full takes longer than the rest of an answer.
_PLAIN_URL = re.compile(r"""https?://([A-Za-z0-9.-]+)((?:/[!"$->@-~]*)?)(?:\?([!"$-~]*))?""")


class Sources:
    """Pages in order of first appearance. A page that is both cited and retrieved is cited."""

    def __init__(self) -> None:
        self._cited: dict[str, _Page] = {}
        self._retrieved: dict[str, _Page] = {}

    def cite(self, url: str | None, title: str | None = None, span: Span | None = None) -> None:
        page = _add_page(self._cited, url, title)
        if page and span:
            page.spans = page.spans or set()
            page.spans.add((span.start, span.end))

    def retrieve(self, url: str | None, title: str | None = None) -> None:
        _add_page(self._retrieved, url, title)

    def cited(self, text: str, *, skipped: int = 0) -> tuple[Source, ...]:
        """Return the cited pages, with titles from the search if a citation has none, and spans inside `text` only.

        `skipped` is the number of characters before `text` that the spans count but that are no part of the answer.
        """
        return tuple(
            Source(
                page.url,
                page.title or (self._retrieved[key].title if key in self._retrieved else None),
                tuple(
                    Span(start - skipped, end - skipped)
                    for start, end in sorted(page.spans or ())
                    if skipped <= start < end <= len(text) + skipped
                ),
            )
            for key, page in self._cited.items()
        )

    def retrieved(self) -> tuple[Source, ...]:
        return tuple(Source(page.url, page.title) for key, page in self._retrieved.items() if key not in self._cited)

    def cites_any(self) -> bool:
        return bool(self._cited)


class _Page(msgspec.Struct, gc=False):
    """A page while it is collected. It is mutable, because one page may be cited thousands of times."""

    url: str
    title: str | None = None
    spans: set[tuple[int, int]] | None = None


def _add_page(pages: dict[str, _Page], url: str | None, title: str | None) -> _Page | None:
    if url is None or (key := _page_key(url)) is None:
        return None
    page = pages.get(key)
    if page is None:
        page = pages[key] = _Page(url.strip())
    if title and not page.title:
        page.title = _clean_title(title)
    return page


def is_blank(text: str, question: Question) -> bool:
    """Return whether a text is too short to be an answer."""
    return len(text.strip()) < (1 if question.is_task else MIN_CHARACTERS)


def assemble_answer(
    text: str,
    sources: Sources,
    question: Question,
    *,
    carries_country: bool,
    queries: tuple[str, ...] = (),
    model: str | None = None,
    request_id: str | None = None,
    tool_version: str | None = None,
    usage: Usage = Usage(),  # noqa: B008 - frozen
    cost_usd: float | None = None,
    skipped: int = 0,
) -> ProviderAnswer:
    """Build the answer. Raises `PlatformFault` of kind "blank" if there is nothing to measure."""
    if is_blank(text, question):
        raise PlatformFault("blank", "the answer is empty or too short")
    return ProviderAnswer(
        # PostgreSQL has no NUL in text. One character replaces another, so spans stay where they are.
        text=text.replace("\0", "\ufffd"),
        cited=sources.cited(text, skipped=skipped),
        retrieved=sources.retrieved(),
        queries=tuple(dict.fromkeys(cleaned for query in queries if (cleaned := query.replace("\0", " ").strip()))),
        model=_clean_name(model),
        request_id=_clean_name(request_id),
        tool_version=_clean_name(tool_version),
        usage=usage,
        cost_usd=cost_usd,
        country_honoured=country_honoured(question, carries_country=carries_country),
    )


def build_no_surface(
    question: Question,
    *,
    carries_country: bool,
    request_id: str | None,
    tool_version: str | None,
    cost_usd: float | None = None,
) -> ProviderAnswer:
    """Build the answer for a search page without an AI answer: a measured fact, and charged like any other."""
    return ProviderAnswer(
        status="no_surface",
        request_id=_clean_name(request_id),
        tool_version=_clean_name(tool_version),
        usage=Usage(searches=1),
        cost_usd=cost_usd,
        country_honoured=country_honoured(question, carries_country=carries_country),
    )


def country_honoured(question: Question, *, carries_country: bool) -> bool | None:
    return None if question.country is None else carries_country


def header(reply: HttpReply, name: str) -> str | None:
    return _clean_name(reply.headers.get(name))


def _page_key(url: str) -> str | None:
    """Return what makes two URLs the same page, or None for anything that is not a web page.

    OpenAI adds a parameter to the URLs that it cites.
    """
    if len(url) > _LONGEST_URL or "\0" in url:
        return None
    if plain := _PLAIN_URL.fullmatch(url):
        host, path, query = plain.groups()
        query = strip_tracking(query) if query else ""
        return f"//{host.lower()}{path.rstrip('/')}{'?' if query else ''}{query}"
    try:
        parts = urlsplit(url.strip())
        host = parts.hostname
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"} or not host:
        return None
    return urlunsplit(("", parts.netloc.lower(), parts.path.rstrip("/"), strip_tracking(parts.query), ""))


def _clean_name(name: str | None) -> str | None:
    """Return a name or number of the provider without bytes that no database accepts as text."""
    if name is None or (name.isascii() and name.isprintable() and len(name) <= _LONGEST_NAME):
        return name or None
    return "".join(each for each in name[:_LONGEST_NAME] if each.isprintable()) or None


def _clean_title(title: str) -> str | None:
    return title.replace("\0", " ").strip() or None

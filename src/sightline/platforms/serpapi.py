"""Google's AI Overviews and AI Mode and Microsoft's Copilot, as people see them, through SerpApi.

A search without the block is a measured fact (`no_surface`), not an error. A page is cited if a part of the
answer refers to it; further references were only retrieved. If no part refers to anything, the references are listed
next to the answer as its sources, and all of them are cited.
"""

import re
from functools import partial

import msgspec

from sightline.platforms.assemble import Sources, assemble_answer, build_no_surface
from sightline.platforms.faults import ErrorText, read_embedded_fault, read_fault
from sightline.platforms.markdown_page import MarkdownPage
from sightline.platforms.models import (
    Connector,
    FollowUp,
    HttpReply,
    HttpRequest,
    PlatformConnection,
    PlatformFault,
    ProviderAnswer,
    Question,
    Span,
    Usage,
)
from sightline.platforms.payload import ABSENT, read, read_all, read_reply
from sightline.platforms.wire import endpoint

_OVERVIEW, _OVERVIEW_PAGE, _AI_MODE, _COPILOT = "google", "google_ai_overview", "google_ai_mode", "bing_copilot"
# Google's own spellings of a few languages.
_LANGUAGES = {"zh": "zh-cn", "he": "iw", "nb": "no", "jv": "jw"}
_NOTHING = re.compile(r"hasn.t returned any results|no results|not available for this|isn.t available", re.IGNORECASE)
_BAD_REQUEST = re.compile(r"\b(?:missing|unsupported|invalid)\b.*\b(?:parameter|location|query)\b", re.IGNORECASE)
_LONGEST_SENTENCE = 500
_DEEPEST = 6


class _Search(msgspec.Struct):
    search_metadata: msgspec.Raw = ABSENT
    error: msgspec.Raw = ABSENT
    ai_overview: msgspec.Raw = ABSENT
    text_blocks: msgspec.Raw = ABSENT
    references: msgspec.Raw = ABSENT
    reconstructed_markdown: msgspec.Raw = ABSENT


class _Metadata(msgspec.Struct):
    id: msgspec.Raw = ABSENT
    status: msgspec.Raw = ABSENT


class _Answer(msgspec.Struct):
    text_blocks: msgspec.Raw = ABSENT
    references: msgspec.Raw = ABSENT
    reconstructed_markdown: msgspec.Raw = ABSENT
    page_token: msgspec.Raw = ABSENT
    error: msgspec.Raw = ABSENT


class _Block(msgspec.Struct):
    type: msgspec.Raw = ABSENT
    title: msgspec.Raw = ABSENT
    snippet: msgspec.Raw = ABSENT
    snippet_links: msgspec.Raw = ABSENT
    reference_indexes: msgspec.Raw = ABSENT
    items: msgspec.Raw = msgspec.field(default=ABSENT, name="list")
    text_blocks: msgspec.Raw = ABSENT
    headers: msgspec.Raw = ABSENT
    table: msgspec.Raw = ABSENT
    product_labels: msgspec.Raw = ABSENT
    comparison: msgspec.Raw = ABSENT
    code: msgspec.Raw = ABSENT
    language: msgspec.Raw = ABSENT


class _Link(msgspec.Struct):
    text: str | None = None
    link: str | None = None


class _Comparison(msgspec.Struct):
    feature: msgspec.Raw = ABSENT
    values: msgspec.Raw = ABSENT


class _Reference(msgspec.Struct):
    link: str | None = None
    title: msgspec.Raw = ABSENT
    index: msgspec.Raw = ABSENT


def request(question: Question, connection: PlatformConnection, *, engine: str) -> HttpRequest:
    """Build the request. Copilot takes neither a country nor a language.

    The key is part of the query: never log this request.
    """
    params = {"engine": engine, "q": question.prompt}
    if engine != _COPILOT and question.country:
        params["gl"] = question.country.lower()
    if engine != _COPILOT and question.language:
        params["hl"] = _LANGUAGES.get(question.language, question.language)
    return _search(connection, params)


def parse(
    reply: HttpReply, question: Question, connection: PlatformConnection, *, engine: str
) -> ProviderAnswer | FollowUp:
    search = read_reply(reply, _Search)
    metadata = read(search.search_metadata, _Metadata) or _Metadata()
    if not _found_something(search, read(metadata.status, str)):
        return _no_surface(question, metadata, engine)
    answer = read(search.ai_overview, _Answer) if engine == _OVERVIEW else _top_level(search)
    if answer is None:
        return _no_surface(question, metadata, engine)
    error = read(answer.error, str)
    if error and _NOTHING.search(error):
        return _no_surface(question, metadata, engine)
    if error:
        raise _inner_fault(error)
    token = read(answer.page_token, str)
    if token and not bytes(answer.text_blocks):
        return FollowUp(_search(connection, {"engine": _OVERVIEW_PAGE, "page_token": token}))
    text, sources = _read_answer(answer)
    return assemble_answer(
        text,
        sources,
        question,
        carries_country=engine != _COPILOT,
        request_id=read(metadata.id, str),
        tool_version=engine,
        usage=Usage(searches=1),
    )


def _search(connection: PlatformConnection, params: dict[str, str]) -> HttpRequest:
    # The vendor's cache of an hour would make every repeated question the same answer.
    secret = {"no_cache": "true", "output": "json", "api_key": connection.secret}
    return HttpRequest(
        method="GET",
        url=endpoint(connection, "/search.json"),
        headers={"accept": "application/json"},
        params=params | secret,
    )


def _found_something(search: _Search, status: str | None) -> bool:
    """Return whether the search found something. Raises the fault that the payload names."""
    error = read(search.error, str)
    if error and _NOTHING.search(error):
        return False
    if error or status == "Error":
        raise _inner_fault(error or "the search ended with an error")
    if status in {"Processing", "Queued"}:
        raise PlatformFault("unavailable", "the platform responded before the search was finished")
    if status is None:
        raise PlatformFault("malformed", "the response does not state the status of the search")
    return True


def _inner_fault(error: str) -> PlatformFault:
    sentence = error[:_LONGEST_SENTENCE]
    bad_request = _BAD_REQUEST.search(sentence)
    return read_embedded_fault(ErrorText(message=sentence), otherwise="rejected" if bad_request else "unavailable")


def _no_surface(question: Question, metadata: _Metadata, engine: str) -> ProviderAnswer:
    return build_no_surface(
        question, carries_country=engine != _COPILOT, request_id=read(metadata.id, str), tool_version=engine
    )


def _top_level(search: _Search) -> _Answer | None:
    if not bytes(search.text_blocks) and not bytes(search.reconstructed_markdown):
        return None
    return _Answer(search.text_blocks, search.references, search.reconstructed_markdown)


def _read_answer(answer: _Answer) -> tuple[str, Sources]:
    page, sources = MarkdownPage(), Sources()
    listed = read_all(answer.references, _Reference)
    references = {
        place if (index := read(each.index, int)) is None else index: each for place, each in enumerate(listed)
    }
    _write_blocks(answer.text_blocks, page, partial(_cite, references, sources), depth=0)
    referred = sources.cites_any()
    for each in listed:
        (sources.retrieve if referred else sources.cite)(each.link, read(each.title, str))
    return page.text or read(answer.reconstructed_markdown, str) or "", sources


def _cite(references: dict[int, _Reference], sources: Sources, block: _Block, text: str, span: Span) -> None:
    for index in read_all(block.reference_indexes, int):
        if each := references.get(index):
            sources.cite(each.link, read(each.title, str), span)
    for link in read_all(block.snippet_links, _Link):
        found = text.find(link.text) if link.text else -1
        inside = Span(span.start + found, span.start + found + len(link.text or "")) if found >= 0 else span
        sources.cite(link.link, None, inside)


def _write_blocks(raw: msgspec.Raw, page: MarkdownPage, cite: "partial[None]", *, depth: int) -> None:
    if depth > _DEEPEST:
        return
    for block in read_all(raw, _Block):
        mark = page.mark()
        _write_block(block, page)
        if written := page.since(mark):
            cite(block, *written)
        _write_items(block.items, page, cite, indent=0, depth=depth + 1)
        _write_blocks(block.text_blocks, page, cite, depth=depth + 1)


def _write_block(block: _Block, page: MarkdownPage) -> None:
    title, snippet = read(block.title, str), read(block.snippet, str)
    if title:
        page.heading(title)
    if rows := _read_rows(block):
        page.table(rows)
    if code := read(block.code, str):
        page.code(code, read(block.language, str) or "")
    if snippet and snippet.strip():
        (page.heading if read(block.type, str) == "heading" else page.paragraph)(snippet)


def _write_items(raw: msgspec.Raw, page: MarkdownPage, cite: "partial[None]", *, indent: int, depth: int) -> None:
    if depth > _DEEPEST:
        return
    for number, item in enumerate(read_all(raw, _Block)):
        title, snippet = read(item.title, str), read(item.snippet, str)
        written = " ".join(part for part in (f"**{title.strip()}**" if title else "", snippet or "") if part)
        if written.strip():
            mark = page.mark()
            page.item(written, indent=indent, first=number == 0 and indent == 0)
            if placed := page.since(mark):
                cite(item, *placed)
        _write_items(item.items, page, cite, indent=indent + 1, depth=depth + 1)
        _write_blocks(item.text_blocks, page, cite, depth=depth + 1)


def _read_rows(block: _Block) -> list[list[str]]:
    compared = read_all(block.comparison, _Comparison)
    if compared:
        header = ["", *(_cell(label) for label in read_all(block.product_labels, msgspec.Raw))]
        return [header, *([_cell(row.feature), *map(_cell, read_all(row.values, msgspec.Raw))] for row in compared)]
    raw_rows = (block.headers, *read_all(block.table, msgspec.Raw))
    return [[_cell(cell) for cell in cells] for row in raw_rows if (cells := read_all(row, msgspec.Raw))]


def _cell(raw: msgspec.Raw) -> str:
    block = read(raw, _Block)
    return read(raw, str) or (read(block.snippet, str) if block else None) or ""


def _connector(platform: str, engine: str) -> Connector:
    return Connector(
        platform=platform,
        vendor="serpapi",
        surface="serp",
        request=partial(request, engine=engine),
        parse=partial(parse, engine=engine),
        fault=read_fault,
    )


CONNECTORS = (
    _connector("google_ai_overviews", _OVERVIEW),
    _connector("google_ai_mode", _AI_MODE),
    _connector("copilot", _COPILOT),
)

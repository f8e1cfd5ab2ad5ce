"""The format of OpenAI's Responses API, which xAI and Perplexity use as well."""

import msgspec

from sightline.platforms.assemble import Sources
from sightline.platforms.faults import clean_message, read_embedded_fault, read_error
from sightline.platforms.models import CUT_OFF, FaultKind, HttpReply, PlatformFault, Span
from sightline.platforms.payload import ABSENT, PageLink, read, read_all, read_reply


class Response(msgspec.Struct):
    id: msgspec.Raw = ABSENT
    model: msgspec.Raw = ABSENT
    status: msgspec.Raw = ABSENT
    error: msgspec.Raw = ABSENT
    incomplete_details: msgspec.Raw = ABSENT
    output: msgspec.Raw = ABSENT
    usage: msgspec.Raw = ABSENT
    tool_usage: msgspec.Raw = ABSENT
    citations: msgspec.Raw = ABSENT  # xAI


class Item(msgspec.Struct):
    type: str | None = None
    phase: msgspec.Raw = ABSENT
    content: msgspec.Raw = ABSENT
    action: msgspec.Raw = ABSENT
    queries: msgspec.Raw = ABSENT  # Perplexity
    results: msgspec.Raw = ABSENT  # Perplexity
    contents: msgspec.Raw = ABSENT  # Perplexity


class Annotation(msgspec.Struct):
    type: str | None = None
    url: str | None = None
    title: msgspec.Raw = ABSENT
    start_index: msgspec.Raw = ABSENT
    end_index: msgspec.Raw = ABSENT


class _Part(msgspec.Struct):
    type: str | None = None
    text: str | None = None
    refusal: str | None = None
    annotations: msgspec.Raw = ABSENT


class _Action(msgspec.Struct):
    type: str | None = None
    query: msgspec.Raw = ABSENT
    queries: msgspec.Raw = ABSENT
    url: msgspec.Raw = ABSENT
    sources: msgspec.Raw = ABSENT


class _Incomplete(msgspec.Struct):
    reason: str | None = None


def read_response(reply: HttpReply) -> Response:
    """Decode the payload. Raises the matching fault if it says that the answer is incomplete."""
    response = read_reply(reply, Response)
    error = read_error(bytes(response.error))
    status = read(response.status, str)
    if status == "incomplete":
        incomplete = read(response.incomplete_details, _Incomplete)
        reason = (incomplete.reason if incomplete else None) or "no reason given"
        if reason == "max_output_tokens":
            raise PlatformFault("malformed", CUT_OFF)
        kind: FaultKind = "rejected" if reason == "content_filter" else "malformed"
        raise PlatformFault(kind, f"the answer is incomplete: {clean_message(reason[:40])}")
    if status == "failed" or error.codes or error.message:
        raise read_embedded_fault(error)
    if status not in {None, "completed"}:
        raise PlatformFault("unavailable", "the platform responded before the answer was finished")
    return response


def read_items(response: Response) -> tuple[Item, ...]:
    return read_all(response.output, Item)


def read_text(items: tuple[Item, ...], sources: Sources) -> str:
    """Return the text of all messages and record their citations.

    Intermediate remarks are left out once there is an answer.
    """
    messages = [item for item in items if item.type == "message"]
    final = [item for item in messages if read(item.phase, str) != "commentary"]
    text = ""
    for item in final or messages:
        if text:
            text += "\n\n"
        for part in _read_parts(item):
            for annotation in read_all(part.annotations, Annotation):
                if annotation.type in {None, "url_citation"}:
                    cite_annotation(annotation, sources, offset=len(text))
            text += part.text or part.refusal or ""
    return text


def cite_annotation(annotation: Annotation, sources: Sources, *, offset: int) -> None:
    start, end = read(annotation.start_index, int), read(annotation.end_index, int)
    title = read(annotation.title, str)
    if title is not None and title.isdecimal():
        title = None  # xAI numbers its citations in place of a title
    placed = start is not None and end is not None and 0 <= start < end
    sources.cite(annotation.url, title, Span(offset + (start or 0), offset + (end or 0)) if placed else None)


def read_searches(items: tuple[Item, ...], sources: Sources) -> tuple[str, ...]:
    """Return the queries of all searches, and record the pages that they found or opened as retrieved."""
    queries: list[str] = []
    for item in items:
        action = read(item.action, _Action) if item.type == "web_search_call" else None
        if action is None:
            continue
        asked = read_all(action.queries, str)
        queries += asked or ([query] if action.type == "search" and (query := read(action.query, str)) else [])
        for page in read_all(action.sources, PageLink):
            sources.retrieve(page.url, read(page.title, str))
        sources.retrieve(read(action.url, str))
    return tuple(queries)


def _read_parts(item: Item) -> tuple[_Part, ...]:
    whole = read(item.content, str)
    return (_Part(text=whole),) if whole is not None else read_all(item.content, _Part)

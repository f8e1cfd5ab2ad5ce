"""Claude, through Anthropic's Messages API with its web search."""

import msgspec

from sightline.platforms.assemble import Sources, assemble_answer, header
from sightline.platforms.faults import ErrorText, read_embedded_fault, read_error, read_fault
from sightline.platforms.models import (
    CUT_OFF,
    Connector,
    HttpReply,
    HttpRequest,
    PlatformConnection,
    PlatformFault,
    ProviderAnswer,
    Question,
    Span,
    Usage,
)
from sightline.platforms.payload import ABSENT, Count, PageLink, read, read_all, read_reply
from sightline.platforms.wire import post_json, require_model

_VERSION = "2023-06-01"
_TOOL = "web_search_20250305"
# Enough for long answers with several searches: one that is cut off cannot be compared with one that is not.
_MAX_TOKENS = 4096
_MAX_SEARCHES = 5


class _Message(msgspec.Struct):
    type: str | None = None
    id: msgspec.Raw = ABSENT
    model: msgspec.Raw = ABSENT
    content: msgspec.Raw = ABSENT
    stop_reason: msgspec.Raw = ABSENT
    usage: msgspec.Raw = ABSENT


class _Block(msgspec.Struct):
    type: str | None = None
    text: str | None = None
    citations: msgspec.Raw = ABSENT
    input: msgspec.Raw = ABSENT
    content: msgspec.Raw = ABSENT


class _Search(msgspec.Struct):
    query: str | None = None


class _ToolError(msgspec.Struct):
    error_code: str


class _ToolUse(msgspec.Struct):
    web_search_requests: Count | None = None


class _Usage(msgspec.Struct):
    input_tokens: Count | None = None
    output_tokens: Count | None = None
    server_tool_use: msgspec.Raw = ABSENT


def request(question: Question, connection: PlatformConnection) -> HttpRequest:
    """Build the request. Raises "rejected" if no model is set."""
    tool: dict[str, object] = {"type": _TOOL, "name": "web_search", "max_uses": _MAX_SEARCHES}
    if question.country:
        tool["user_location"] = {"type": "approximate", "country": question.country}
    body = {
        "model": require_model(connection),
        "max_tokens": _MAX_TOKENS,
        "messages": [{"role": "user", "content": question.prompt}],
    } | ({} if question.is_task else {"tools": [tool]})
    headers = {"x-api-key": connection.secret, "anthropic-version": _VERSION}
    return post_json(connection, "/v1/messages", body, headers)


def parse(reply: HttpReply, question: Question, connection: PlatformConnection) -> ProviderAnswer:
    message = read_reply(reply, _Message)
    if message.type == "error":
        raise read_embedded_fault(read_error(reply.body))
    blocks, sources = read_all(message.content, _Block), Sources()
    _require_searches(blocks)
    text = _read_text(blocks, sources)
    _require_end(read(message.stop_reason, str), text)
    for block in blocks:
        if block.type == "web_search_tool_result":
            for page in read_all(block.content, PageLink):
                sources.retrieve(page.url, read(page.title, str))
    searches = (read(block.input, _Search) for block in blocks if block.type == "server_tool_use")
    usage = read(message.usage, _Usage) or _Usage()
    counted = read(usage.server_tool_use, _ToolUse)
    return assemble_answer(
        text,
        sources,
        question,
        carries_country=True,
        queries=tuple(search.query for search in searches if search and search.query),
        model=read(message.model, str) or connection.model,
        request_id=header(reply, "request-id") or read(message.id, str),
        tool_version=_TOOL,
        usage=Usage(usage.input_tokens, usage.output_tokens, counted.web_search_requests if counted else None),
    )


def _read_text(blocks: tuple[_Block, ...], sources: Sources) -> str:
    """Join the text blocks, which are split at citations. A paragraph ends where a search came in between."""
    pieces: list[str] = []
    length, broken = 0, False
    for block in blocks:
        if block.type != "text" or not block.text:
            broken = True
            continue
        gap = "\n\n" if broken and pieces else ""
        broken = False
        span = Span(length + len(gap), length + len(gap) + len(block.text))
        for citation in read_all(block.citations, PageLink):
            sources.cite(citation.url, read(citation.title, str), span)
        pieces += (gap, block.text)
        length = span.end
    return "".join(pieces)


def _require_searches(blocks: tuple[_Block, ...]) -> None:
    """Raise a fault if a search failed: the model would answer from memory, and nobody could tell.

    The one exception is a model that wants more searches than it may make, after some that worked.
    """
    results = [block for block in blocks if block.type == "web_search_tool_result"]
    errors = [error for block in results if (error := read(block.content, _ToolError))]
    worked = len(errors) < len(results)
    for error in errors:
        if not (worked and error.error_code == "max_uses_exceeded"):
            raise read_embedded_fault(ErrorText(frozenset({error.error_code.lower()}), "the web search failed"))


def _require_end(stop_reason: str | None, text: str) -> None:
    if stop_reason == "max_tokens":
        raise PlatformFault("malformed", CUT_OFF)
    if stop_reason == "pause_turn":
        raise PlatformFault("unavailable", "the platform paused before it had finished")
    if stop_reason == "refusal" and not text.strip():
        raise PlatformFault("rejected", "the model refuses to answer")


CONNECTOR = Connector(
    platform="claude", vendor="anthropic", surface="api", request=request, parse=parse, fault=read_fault
)

"""Perplexity, through its agent API. The parser also reads older chat completions, for replays.

A result is cited if the text points to it, by a mark such as `[3]` or by an annotation; the other results were only
retrieved. An answer without any mark cites nothing: what a search found is not what an answer is based on.
"""

import re

import msgspec

from sightline.platforms.assemble import Sources, assemble_answer, header
from sightline.platforms.completions import Completion, read_message, read_tokens
from sightline.platforms.faults import read_fault
from sightline.platforms.models import (
    Connector,
    HttpReply,
    HttpRequest,
    PlatformConnection,
    ProviderAnswer,
    Question,
    Span,
    Usage,
)
from sightline.platforms.payload import ABSENT, Count, Money, read, read_all, read_reply
from sightline.platforms.responses import read_items, read_response, read_text
from sightline.platforms.wire import bearer, post_json, require_model

_TOOL = "web_search"
_MARK = r"\[(?:[a-z]+:)?\d{1,3}(?:\s?,\s?(?:[a-z]+:)?\d{1,3})*\](?!\()"
_MARKS = re.compile(rf"{_MARK}(?:\s?{_MARK})*")
_SENTENCE_END = re.compile(r"[.!?]\s+|[\u3002\uff01\uff1f]\s*|\n")


class Result(msgspec.Struct, frozen=True):
    id: msgspec.Raw = ABSENT
    url: str | None = None
    title: msgspec.Raw = ABSENT


class _Shape(msgspec.Struct):
    choices: msgspec.Raw = ABSENT


class _Cost(msgspec.Struct):
    total_cost: Money | None = None


class _Calls(msgspec.Struct):
    invocation: Count | None = None


class _Tools(msgspec.Struct):
    web_search: _Calls | None = None
    search_web: _Calls | None = None


class _Usage(msgspec.Struct):
    input_tokens: Count | None = None
    output_tokens: Count | None = None
    num_search_queries: Count | None = None
    cost: msgspec.Raw = ABSENT
    tool_calls_details: msgspec.Raw = ABSENT


def request(question: Question, connection: PlatformConnection) -> HttpRequest:
    """Build the request.

    Raises "rejected" if no model is set: a preset alone may be served by another vendor's model.
    """
    tool: dict[str, object] = {"type": _TOOL}
    if question.country:
        tool["user_location"] = {"country": question.country}
    body: dict[str, object] = {"model": require_model(connection), "input": question.prompt}
    if not question.is_task:
        body["tools"] = [tool]
    if question.language:
        body["language_preference"] = question.language
    return post_json(connection, "/v1/agent", body, bearer(connection))


def parse(reply: HttpReply, question: Question, connection: PlatformConnection) -> ProviderAnswer:
    if bytes(read_reply(reply, _Shape).choices):
        return _parse_completion(reply, question, connection)
    response = read_response(reply)
    items, sources = read_items(response), Sources()
    text = read_text(items, sources)
    results = [result for item in items if item.type == "search_results" for result in read_all(item.results, Result)]
    numbered = {number: result for result in reversed(results) if (number := read(result.id, int)) is not None}
    _cite_marks(text, numbered, sources)
    fetched = [page for item in items if item.type == "fetch_url_results" for page in read_all(item.contents, Result)]
    for page in (*results, *fetched):
        sources.retrieve(page.url, read(page.title, str))
    usage = read(response.usage, _Usage) or _Usage()
    tools = read(usage.tool_calls_details, _Tools) or _Tools()
    calls = tools.web_search or tools.search_web
    cost = read(usage.cost, _Cost)
    return assemble_answer(
        text,
        sources,
        question,
        carries_country=True,
        queries=tuple(
            query for item in items if item.type == "search_results" for query in read_all(item.queries, str)
        ),
        model=read(response.model, str) or connection.model,
        request_id=header(reply, "x-request-id") or read(response.id, str),
        tool_version=_TOOL,
        usage=Usage(usage.input_tokens, usage.output_tokens, calls.invocation if calls else None),
        cost_usd=cost.total_cost if cost else None,
    )


def _parse_completion(reply: HttpReply, question: Question, connection: PlatformConnection) -> ProviderAnswer:
    completion = read_reply(reply, Completion)
    sources = Sources()
    text = read_message(completion, sources)
    found = [page for page in read_all(completion.search_results, Result) if page.url]
    titles = {page.url: page.title for page in found}
    # Marks count from one, in `citations` and in `search_results` alike.
    listed = [Result(url=url, title=titles.get(url, ABSENT)) for url in read_all(completion.citations, str)] or found
    _cite_marks(text, dict(enumerate(listed, start=1)), sources)
    for page in (*listed, *found):
        sources.retrieve(page.url, read(page.title, str))
    usage = read(completion.usage, _Usage) or _Usage()
    cost = read(usage.cost, _Cost)
    tokens = read_tokens(completion)
    return assemble_answer(
        text,
        sources,
        question,
        carries_country=True,
        model=read(completion.model, str) or connection.model,
        request_id=header(reply, "x-request-id") or read(completion.id, str),
        usage=Usage(tokens.input_tokens, tokens.output_tokens, usage.num_search_queries),
        cost_usd=cost.total_cost if cost else None,
    )


def _cite_marks(text: str, numbered: dict[int, Result], sources: Sources) -> None:
    """Cite each mark for the statement before it, back to the start of its sentence, its line or the previous mark."""
    done = 0
    for marks in _MARKS.finditer(text):
        statement = text[done : marks.start()].rstrip()
        ends = [end.end() for end in _SENTENCE_END.finditer(statement) if end.end() < len(statement)]
        start = done + (ends[-1] if ends else 0)
        start += len(text[start : marks.start()]) - len(text[start : marks.start()].lstrip())
        span = Span(start, done + len(statement)) if start < done + len(statement) else None
        for number in re.findall(r"\d+", marks[0]):
            if result := numbered.get(int(number)):
                sources.cite(result.url, read(result.title, str), span)
        done = marks.end()


CONNECTOR = Connector(
    platform="perplexity", vendor="perplexity", surface="api", request=request, parse=parse, fault=read_fault
)

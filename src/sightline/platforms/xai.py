"""Grok, through xAI's Responses API with its web search.

The text keeps its inline links `[[1]](https://…)` as served. The annotations are cited; `citations` lists every page
that the search found, so the rest of them were only retrieved.
"""

import msgspec

from sightline.platforms.assemble import Sources, assemble_answer, header
from sightline.platforms.faults import read_fault
from sightline.platforms.models import (
    Connector,
    HttpReply,
    HttpRequest,
    PlatformConnection,
    ProviderAnswer,
    Question,
    Usage,
)
from sightline.platforms.payload import ABSENT, Count, read, read_pages
from sightline.platforms.responses import read_items, read_response, read_searches, read_text
from sightline.platforms.wire import bearer, post_json, require_model

_TOOL = "web_search"
_TICKS_PER_USD = 10_000_000_000


class _Calls(msgspec.Struct):
    web_search_calls: Count | None = None


class _Usage(msgspec.Struct):
    input_tokens: Count | None = None
    output_tokens: Count | None = None
    cost_in_usd_ticks: msgspec.Raw = ABSENT
    server_side_tool_usage_details: msgspec.Raw = ABSENT


def request(question: Question, connection: PlatformConnection) -> HttpRequest:
    """Build the request. Raises "rejected" if no model is set. xAI documents no country field, so none is sent."""
    body = {
        "model": require_model(connection),
        "input": [{"role": "user", "content": question.prompt}],
        "tools": [] if question.is_task else [{"type": _TOOL}],
        "store": False,
    }
    return post_json(connection, "/v1/responses", body, bearer(connection))


def parse(reply: HttpReply, question: Question, connection: PlatformConnection) -> ProviderAnswer:
    response = read_response(reply)
    items, sources = read_items(response), Sources()
    text = read_text(items, sources)
    queries = read_searches(items, sources)
    for page in read_pages(response.citations):
        sources.retrieve(page.url, read(page.title, str))
    usage = read(response.usage, _Usage) or _Usage()
    calls = read(usage.server_side_tool_usage_details, _Calls)
    ticks = read(usage.cost_in_usd_ticks, int)
    return assemble_answer(
        text,
        sources,
        question,
        carries_country=False,
        queries=queries,
        model=read(response.model, str) or connection.model,
        request_id=header(reply, "x-request-id") or read(response.id, str),
        tool_version=_TOOL,
        usage=Usage(usage.input_tokens, usage.output_tokens, calls.web_search_calls if calls else None),
        cost_usd=ticks / _TICKS_PER_USD if ticks is not None and 0 <= ticks < 10**15 else None,
    )


CONNECTOR = Connector(platform="grok", vendor="xai", surface="api", request=request, parse=parse, fault=read_fault)

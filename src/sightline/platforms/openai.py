"""ChatGPT, through OpenAI's Responses API with its web search."""

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
from sightline.platforms.payload import ABSENT, Count, read
from sightline.platforms.responses import read_items, read_response, read_searches, read_text
from sightline.platforms.wire import bearer, post_json, require_model

_TOOL = "web_search"


class _Tokens(msgspec.Struct):
    input_tokens: Count | None = None
    output_tokens: Count | None = None


class _Requests(msgspec.Struct):
    num_requests: Count | None = None


class _ToolUsage(msgspec.Struct):
    web_search: msgspec.Raw = ABSENT


def request(question: Question, connection: PlatformConnection) -> HttpRequest:
    """Build the request. Raises "rejected" if no model is set.

    Without a country OpenAI would assume the United States, so an empty one is sent.
    """
    location = {"type": "approximate"} | ({"country": question.country} if question.country else {})
    body: dict[str, object] = {
        "model": require_model(connection),
        "input": question.prompt,
        "store": False,
    }
    if not question.is_task:
        body["tools"] = [{"type": _TOOL, "search_context_size": "medium", "user_location": location}]
        body["include"] = ["web_search_call.action.sources"]
    return post_json(connection, "/v1/responses", body, bearer(connection))


def parse(reply: HttpReply, question: Question, connection: PlatformConnection) -> ProviderAnswer:
    response = read_response(reply)
    items, sources = read_items(response), Sources()
    text = read_text(items, sources)
    queries = read_searches(items, sources)
    tokens = read(response.usage, _Tokens) or _Tokens()
    tools = read(response.tool_usage, _ToolUsage) or _ToolUsage()
    counted = read(tools.web_search, _Requests)
    return assemble_answer(
        text,
        sources,
        question,
        carries_country=True,
        queries=queries,
        model=read(response.model, str) or connection.model,
        request_id=header(reply, "x-request-id") or read(response.id, str),
        tool_version=_TOOL,
        usage=Usage(tokens.input_tokens, tokens.output_tokens, counted.num_requests if counted else None),
    )


CONNECTOR = Connector(
    platform="chatgpt", vendor="openai", surface="api", request=request, parse=parse, fault=read_fault
)

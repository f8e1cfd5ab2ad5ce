"""Mistral, through its conversations with the web search connector. It takes no location."""

import msgspec

from sightline.platforms.assemble import Sources, assemble_answer, header
from sightline.platforms.faults import read_embedded_fault, read_error, read_fault
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
from sightline.platforms.payload import ABSENT, Count, read, read_all, read_reply
from sightline.platforms.wire import bearer, post_json, require_model

_TOOL = "web_search"


class _Conversation(msgspec.Struct):
    object: msgspec.Raw = ABSENT
    conversation_id: msgspec.Raw = ABSENT
    outputs: msgspec.Raw = ABSENT
    usage: msgspec.Raw = ABSENT


class _Output(msgspec.Struct):
    type: str | None = None
    model: msgspec.Raw = ABSENT
    content: msgspec.Raw = ABSENT
    arguments: msgspec.Raw = ABSENT


class _Chunk(msgspec.Struct):
    type: str | None = None
    text: str | None = None
    url: msgspec.Raw = ABSENT
    title: msgspec.Raw = ABSENT


class _Arguments(msgspec.Struct):
    query: msgspec.Raw = ABSENT
    queries: msgspec.Raw = ABSENT


class _Connectors(msgspec.Struct):
    web_search: Count | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: Count | None = None
    completion_tokens: Count | None = None
    connectors: msgspec.Raw = ABSENT


def request(question: Question, connection: PlatformConnection) -> HttpRequest:
    """Build the request. Raises "rejected" if no model is set."""
    body = {
        "model": require_model(connection),
        "inputs": question.prompt,
        "tools": [] if question.is_task else [{"type": _TOOL}],
        "stream": False,
        "store": False,
    }
    return post_json(connection, "/v1/conversations", body, bearer(connection))


def parse(reply: HttpReply, question: Question, connection: PlatformConnection) -> ProviderAnswer:
    conversation = read_reply(reply, _Conversation)
    if read(conversation.object, str) == "error":
        raise read_embedded_fault(read_error(reply.body))
    outputs, sources = read_all(conversation.outputs, _Output), Sources()
    messages = [output for output in outputs if output.type == "message.output"]
    text = ""
    for message in messages:
        text += "\n\n" if text else ""
        text += _read_message(message, len(text), sources)
    executions = [output for output in outputs if output.type == "tool.execution"]
    usage = read(conversation.usage, _Usage) or _Usage()
    counted = read(usage.connectors, _Connectors)
    served = [model for message in messages if (model := read(message.model, str))]
    return assemble_answer(
        text,
        sources,
        question,
        carries_country=False,
        queries=tuple(query for execution in executions for query in _read_queries(execution)),
        model=served[-1] if served else connection.model,
        request_id=header(reply, "mistral-correlation-id") or read(conversation.conversation_id, str),
        tool_version=_TOOL,
        usage=Usage(usage.prompt_tokens, usage.completion_tokens, counted.web_search if counted else None),
    )


def _read_message(message: _Output, at: int, sources: Sources) -> str:
    """Return the text of a message that starts `at` this character.

    References stand behind what they are cited for.
    """
    whole = read(message.content, str)
    if whole is not None:
        return whole
    pieces: list[str] = []
    span: Span | None = None
    for chunk in read_all(message.content, _Chunk):
        if chunk.type == "text" and chunk.text:
            span = Span(at, at + len(chunk.text)) if chunk.text.strip() else span
            pieces.append(chunk.text)
            at += len(chunk.text)
        elif chunk.type == "tool_reference":
            sources.cite(read(chunk.url, str), read(chunk.title, str), span)
    return "".join(pieces)


def _read_queries(execution: _Output) -> tuple[str, ...]:
    # Arguments are JSON inside a string.
    written = read(execution.arguments, str)
    arguments = read(msgspec.Raw(written.encode()) if written else execution.arguments, _Arguments) or _Arguments()
    query = read(arguments.query, str)
    return read_all(arguments.queries, str) or ((query,) if query else ())


CONNECTOR = Connector(
    platform="mistral", vendor="mistral", surface="api", request=request, parse=parse, fault=read_fault
)

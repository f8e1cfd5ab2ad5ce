"""DeepSeek.

It has no search, so it never names a source. Under load its replies start with blank lines.
"""

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
)
from sightline.platforms.payload import read, read_reply
from sightline.platforms.wire import bearer, post_json, require_model


def request(question: Question, connection: PlatformConnection) -> HttpRequest:
    """Build the request. Raises "rejected" if no model is set. There is no field for a country."""
    body = {
        "model": require_model(connection),
        "messages": [{"role": "user", "content": question.prompt}],
        "stream": False,
    }
    return post_json(connection, "/chat/completions", body, bearer(connection))


def parse(reply: HttpReply, question: Question, connection: PlatformConnection) -> ProviderAnswer:
    completion = read_reply(reply, Completion)
    return assemble_answer(
        read_message(completion, Sources()),
        Sources(),
        question,
        carries_country=False,
        model=read(completion.model, str) or connection.model,
        request_id=header(reply, "x-ds-trace-id") or read(completion.id, str),
        usage=read_tokens(completion),
    )


CONNECTOR = Connector(
    platform="deepseek",
    vendor="deepseek",
    surface="api",
    request=request,
    parse=parse,
    cites=False,
    fault=read_fault,
)

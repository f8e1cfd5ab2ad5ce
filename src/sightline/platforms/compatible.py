"""Any server that speaks OpenAI's chat completions: Ollama, llama.cpp, vLLM, LM Studio.

Such servers have no search of their own. If there is one behind the address and it returns `citations` or
`annotations`, they are kept.
"""

import re

from sightline.platforms.assemble import Sources, assemble_answer
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
from sightline.platforms.payload import read, read_pages, read_reply
from sightline.platforms.wire import bearer, post_json

# Some servers leave what a reasoning model thinks in front of what it says; that is not part of the answer.
_THOUGHTS = re.compile(r"\s*<think>.*?</think>\s*", re.DOTALL)


def request(question: Question, connection: PlatformConnection) -> HttpRequest:
    """Build the request. Without a model the server chooses, as some serve only one. It takes no country."""
    body: dict[str, object] = {"messages": [{"role": "user", "content": question.prompt}], "stream": False}
    if connection.model:
        body["model"] = connection.model
    return post_json(connection, "/chat/completions", body, bearer(connection))


def parse(reply: HttpReply, question: Question, connection: PlatformConnection) -> ProviderAnswer:
    completion = read_reply(reply, Completion)
    sources = Sources()
    text = read_message(completion, sources)
    thoughts = _THOUGHTS.match(text)
    skipped = thoughts.end() if thoughts else 0
    for page in read_pages(completion.citations):
        sources.cite(page.url, read(page.title, str))
    return assemble_answer(
        text[skipped:],
        sources,
        question,
        carries_country=False,
        model=read(completion.model, str) or connection.model,
        request_id=read(completion.id, str),
        usage=read_tokens(completion),
        skipped=skipped,
    )


CONNECTOR = Connector(
    platform="local", vendor="compatible", surface="api", request=request, parse=parse, cites=False, fault=read_fault
)

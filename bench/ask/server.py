"""A platform that answers at once, or after 200 ms on paths below /slow, in OpenAI's two formats."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from sightline.settings import Settings

SLOW = "/slow"
SLOW_SECONDS = 0.2


@asynccontextmanager
async def opened(_: Settings) -> AsyncIterator[Any]:
    plain, sourced = (msgspec.json.encode(answer) for answer in (_completion(), _response()))

    async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await _live(receive, send)
            return
        while (await receive()).get("more_body"):
            pass
        if scope["path"].startswith(SLOW):
            await asyncio.sleep(SLOW_SECONDS)
        body = sourced if scope["path"].endswith("/responses") else plain
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    yield application


async def _live(receive: Any, send: Any) -> None:
    """Answer the ASGI lifespan, in which there is nothing to do."""
    for _ in range(2):
        message = await receive()
        await send({"type": f"{message['type']}.complete"})


_PARAGRAPHS = [
    f"**{number}. Brand {number}** is often named by small teams: it is quick to set up, and its free plan covers most "
    f"of what five people need. Reports are plain, imports from spreadsheets work, and support answers within a day. "
    f"Larger teams outgrow it, mostly for want of finer rights ([brand{number}.com](https://brand{number}.com))."
    for number in range(1, 10)
]
_TEXT = "\n\n".join(_PARAGRAPHS)


def _completion() -> dict[str, Any]:
    """Build a chat completion with the text alone."""
    choice = {"index": 0, "message": {"role": "assistant", "content": _TEXT}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 30, "completion_tokens": 800, "total_tokens": 830}
    return {"id": "chat-1", "object": "chat.completion", "model": "served", "choices": [choice], "usage": usage}


def _response() -> dict[str, Any]:
    """Build the same text with nine citations and thirty pages that three searches found."""
    annotations = []
    for number, paragraph in enumerate(_PARAGRAPHS, 1):
        end = _TEXT.index(paragraph) + len(paragraph)
        citation = {"url": f"https://brand{number}.com/pricing", "title": f"Pricing of Brand {number}"}
        annotations.append({"type": "url_citation", "start_index": end - 40, "end_index": end, **citation})
    searches = [
        {
            "type": "web_search_call",
            "id": f"ws_{search}",
            "status": "completed",
            "action": {
                "type": "search",
                "query": f"best crm for small teams {search}",
                "sources": [{"type": "url", "url": f"https://site{search}-{page}.com/page"} for page in range(10)],
            },
        }
        for search in range(3)
    ]
    part = {"type": "output_text", "text": _TEXT, "annotations": annotations}
    return {
        "id": "resp_0123456789abcdef",
        "object": "response",
        "model": "served",
        "status": "completed",
        "error": None,
        "output": [*searches, {"type": "message", "role": "assistant", "content": [part]}],
        "usage": {"input_tokens": 9_000, "output_tokens": 800, "total_tokens": 9_800},
        "tool_usage": {"web_search": {"num_requests": 3}},
    }

"""Clients of the SDK on the application under test, without a network: one for asyncio, one for plain code."""

import asyncio

import httpx2

from sightline_sdk import AsyncSightline, Sightline

ADDRESS = ("203.0.113.7", 4711)


def open_client(installation, key: str, **options) -> AsyncSightline:
    http = httpx2.AsyncClient(transport=httpx2.ASGITransport(app=installation.app, client=ADDRESS))
    return AsyncSightline(key, base_url="http://test", http_client=http, **options)


class _ThreadTransport(httpx2.BaseTransport):
    """Lets plain code in another thread call the application on the loop of the test."""

    def __init__(self, installation) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport = httpx2.ASGITransport(app=installation.app, client=ADDRESS)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        request.read()
        return asyncio.run_coroutine_threadsafe(self._send(request), self._loop).result(30)

    async def _send(self, request: httpx2.Request) -> httpx2.Response:
        sent = httpx2.Request(request.method, request.url, headers=request.headers, content=request.content)
        answer = await self._transport.handle_async_request(sent)
        body = b"".join([chunk async for chunk in answer.stream])  # perhaps compressed
        return httpx2.Response(answer.status_code, headers=answer.headers, content=body)


def open_plain_client(installation, key: str, **options) -> Sightline:
    """Return a client to use in another thread, with `asyncio.to_thread`."""
    http = httpx2.Client(transport=_ThreadTransport(installation))
    return Sightline(key, base_url="http://test", http_client=http, **options)

"""Sending calls, with retries: the only place that talks to the server. Sync and async do the same."""

import time
from functools import cache
from itertools import count
from typing import Any

import httpx2
import msgspec

from sightline_sdk._calls import Call
from sightline_sdk._config import Config
from sightline_sdk._errors import (
    ConnectionFailedError,
    ProblemError,
    RequestTimeoutError,
    UnreadableResponseError,
    build_problem_error,
)
from sightline_sdk._models import Envelope, M, Page, ResponseInfo, attach_response


class Transport:
    """Sends the calls of a `Sightline`."""

    def __init__(self, config: Config, http: httpx2.Client) -> None:
        self.config = config
        self.http = http

    def fetch(self, call: Call, model: type[M]) -> M:
        return decode_model(self.send(call), model)

    def fetch_page(self, call: Call, model: type[M]) -> Page[M]:
        return decode_page(self.send(call), model)

    def send(self, call: Call, *, stream: bool = False) -> httpx2.Response:
        """Return a successful response. A streamed one is not read yet, and the caller closes it."""
        request = self.http.build_request(**self.config.to_request(call))
        for attempt in count():
            try:
                response = self.http.send(request, stream=stream)
                if response.is_success:
                    return response
                body = response.read()
            except httpx2.HTTPError as failure:
                wait = self.config.retries.wait_after_failure(failure, attempt)
                if wait is None:
                    raise explain_failure(failure) from failure
            else:
                response.close()
                problem = read_problem(response, body)
                wait = self.config.retries.wait_after_problem(problem, attempt)
                if wait is None:
                    raise problem
            time.sleep(wait)
        raise AssertionError("unreachable")


class AsyncTransport:
    """Sends the calls of an `AsyncSightline`."""

    def __init__(self, config: Config, http: httpx2.AsyncClient) -> None:
        self.config = config
        self.http = http

    async def fetch(self, call: Call, model: type[M]) -> M:
        return decode_model(await self.send(call), model)

    async def fetch_page(self, call: Call, model: type[M]) -> Page[M]:
        return decode_page(await self.send(call), model)

    async def send(self, call: Call, *, stream: bool = False) -> httpx2.Response:
        """Return a successful response. A streamed one is not read yet, and the caller closes it."""
        from anyio import sleep  # brought by httpx2, for asyncio and trio; plain code does not load it

        request = self.http.build_request(**self.config.to_request(call))
        for attempt in count():
            try:
                response = await self.http.send(request, stream=stream)
                if response.is_success:
                    return response
                body = await response.aread()
            except httpx2.HTTPError as failure:
                wait = self.config.retries.wait_after_failure(failure, attempt)
                if wait is None:
                    raise explain_failure(failure) from failure
            else:
                await response.aclose()
                problem = read_problem(response, body)
                wait = self.config.retries.wait_after_problem(problem, attempt)
                if wait is None:
                    raise problem
            await sleep(wait)
        raise AssertionError("unreachable")


def read_problem(response: httpx2.Response, body: bytes) -> ProblemError:
    return build_problem_error(response.status_code, body, dict(response.headers))


def explain_failure(failure: httpx2.HTTPError) -> ConnectionFailedError:
    if isinstance(failure, httpx2.TimeoutException):
        return RequestTimeoutError(f"The server did not respond in time ({type(failure).__name__}).")
    return ConnectionFailedError(f"The request failed: {str(failure) or type(failure).__name__}.")


def read_info(response: httpx2.Response, body: bytes = b"") -> ResponseInfo:
    return ResponseInfo(status=response.status_code, headers=dict(response.headers), body=body)


def decode_model(response: httpx2.Response, model: type[M]) -> M:
    envelope: Envelope[M] = _decode(response, Envelope[model])  # type: ignore[valid-type]
    attach_response(envelope.data, read_info(response, response.content))
    return envelope.data


def decode_page(response: httpx2.Response, model: type[M]) -> Page[M]:
    page: Page[M] = _decode(response, Page[model])  # type: ignore[valid-type]
    info = read_info(response, response.content)
    attach_response(page, info)
    for place, row in enumerate(page.data):
        attach_response(row, info, place)
    return page


def _decode(response: httpx2.Response, shape: Any) -> Any:
    try:
        return _decoder(shape).decode(response.content)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreadableResponseError(
            f"The response to {response.request.method} {response.request.url} cannot be read: {error}. "
            "Is base_url the address of a Sightline server that is not older than this SDK?"
        ) from error


@cache
def _decoder(shape: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(shape)

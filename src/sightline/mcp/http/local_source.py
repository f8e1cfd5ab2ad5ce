"""A source that runs the operations of both APIs in this process, through the same middleware as their requests.

Authentication, rights, limits, usage, idempotency and the log count as for a request to the API.
"""

import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote as quote_url
from urllib.parse import urlencode

import msgspec

from sightline.accounts.models import Actor
from sightline.api.app import OPERATIONS
from sightline.api.edge.authorization import authorize
from sightline.api.edge.envelope import Envelope
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.middleware import ApiMiddleware
from sightline.api.edge.operations import Operation
from sightline.api.edge.request_log import record_request
from sightline.api.edge.responses import ApiResponse
from sightline.api.edge.routes import RouteMatch
from sightline.api_keys.issue import list_whole_family
from sightline.errors import Problem
from sightline.kit.clock import start_of_day
from sightline.mcp.source import Refused, Reply
from sightline.mcp.spending import (
    ScanQuote,
    SpendGuard,
    SpendLimits,
    build_reference_prefix,
    describe_day_limit,
    shorten_digest,
)
from sightline.scans.console_scans import sum_credits_charged
from sightline.scans.schemas.scan import Scan

_OPERATIONS = {operation.name: operation for operation in OPERATIONS}


class LocalSource:
    """The operations that the key of one request may run."""

    def __init__(self, api: ApiMiddleware, key: str, actor: Actor, client: tuple[str, int] | None) -> None:
        self._api = api
        self._key = key
        self._actor = actor
        self._client = client
        context = api.context
        limits = SpendLimits(context.settings.mcp_quote_credits, context.settings.mcp_daily_credits)
        self.spending = SpendGuard(
            str(actor.key_id),
            str(actor.workspace_id),
            context.settings.signing_keys,
            limits,
            context.clock,
            livemode=actor.livemode,
        )

    async def allows(self, operation: str) -> bool:
        declared = _OPERATIONS[operation]
        if declared.api != self._actor.via:
            return False
        try:
            authorize(declared, self._actor, self._api.context.plans)
        except Problem:
            return False
        return True

    async def call(
        self,
        operation: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, str | None] | None = None,
        body: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> Reply:
        return await self._run(_OPERATIONS[operation], path or {}, query or {}, body, idempotency_key)

    async def submit_scan(self, quote: ScanQuote, body: Mapping[str, Any]) -> Reply:
        """Submit the scan of a quote. The day's limit is checked in the transaction that charges it.

        Charging locks the credits of the workspace, so two quotes cannot both take what is left of a day.
        """
        declared = _OPERATIONS["submit_scan"]
        limits = self.spending.limits

        async def submit(exchange: Exchange) -> Envelope[Scan]:
            submitted: Envelope[Scan] = await declared.handler(exchange)
            prefixes, today = await _list_prefixes(exchange), start_of_day(exchange.now)
            spent = await sum_credits_charged(exchange.tx, exchange.actor, reference_prefixes=prefixes, since=today)
            if spent > limits.per_day:
                detail = describe_day_limit(limits, spent - submitted.data.credits_charged, "with this key")
                raise Problem("max_credits_exceeded", detail, required_credits=quote.credits)
            return submitted

        guarded = msgspec.structs.replace(declared, handler=submit)
        return await self._run(guarded, {}, {}, body, quote.idempotency_key)

    async def _run(
        self,
        operation: Operation,
        path: Mapping[str, str],
        query: Mapping[str, str | None],
        body: Mapping[str, Any] | None,
        idempotency_key: str | None,
    ) -> Reply:
        """Run an operation as if it had been requested. The route is fixed, so no argument can lead to another."""
        started = time.perf_counter()
        match = RouteMatch(operation, dict(path))
        scope = self._build_scope(operation, path, query, idempotency_key)
        exchange = Exchange(scope, operation.api, match, self._api.context)
        content = b"" if body is None else msgspec.json.encode(body)

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": content, "more_body": False}

        response = await self._api.respond(exchange, match, receive)
        record_request(exchange, response, started)
        assert isinstance(response, ApiResponse), "no tool reads a stream"
        return _read_response(response)

    def _build_scope(
        self,
        operation: Operation,
        path: Mapping[str, str],
        query: Mapping[str, str | None],
        idempotency_key: str | None,
    ) -> dict[str, Any]:
        parameters = {name: quote_url(value, safe="") for name, value in path.items()}
        given = {name: value for name, value in query.items() if value}
        headers = [(b"x-api-key", self._key.encode())]
        if operation.body is not None:
            headers.append((b"content-type", b"application/json"))
        if idempotency_key is not None:
            headers.append((b"idempotency-key", idempotency_key.encode()))
        return {
            "type": "http",
            "method": operation.method,
            "path": operation.full_path.format(**parameters),
            "query_string": urlencode(given).encode(),
            "headers": headers,
            "client": self._client,
        }


async def _list_prefixes(exchange: Exchange) -> list[str]:
    """Return the references of scans that count for the key: its own, and those of all keys of its family.

    Otherwise a key could create keys to spend more. Scans of `sightline mcp` are named after the secret of the key.
    """
    family = await list_whole_family(exchange.tx, exchange.actor)
    secrets = [shorten_digest(digest) for key in family for digest in key.digests]
    return [build_reference_prefix(caller) for caller in (*(str(key.id) for key in family), *secrets)]


def _read_response(response: ApiResponse) -> Reply:
    content = msgspec.json.decode(response.body)
    if response.status >= 400:
        raise Refused(
            content["code"],
            content["detail"],
            retry_after=content.get("retry_after"),
            request_id=content["request_id"],
            errors=content.get("errors"),
        )
    stale_at = next((value.decode() for name, value in response.headers if name == b"x-data-stale-at"), None)
    return Reply(data=content["data"], next_cursor=content["meta"].get("next_cursor"), stale_at=stale_at)

"""The ASGI middleware that every request passes; for requests to either API it calls the operation's handler itself.

It wraps the framework, which serves pages, so that a 404, a 405, a broken body and a crash have the same headers and
the same kind of document as every other response. The order of refusals is in `ApiMiddleware._respond` (ADR 48).
"""

import time
import uuid
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AbstractAsyncContextManager
from typing import Any

import msgspec
import structlog

from sightline.accounts.sign_in.recent import require_recent
from sightline.api.app_context import AppContext
from sightline.api.edge.authentication import authenticate
from sightline.api.edge.authorization import authorize, require_payer
from sightline.api.edge.body import read_body, require_json
from sightline.api.edge.compression import compress_responses
from sightline.api.edge.cors import Cors
from sightline.api.edge.envelope import Page, PageMeta, append_request_id, current_request_id, strip_request_id
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.idempotency import read_idempotency_key, to_replay, to_stored_response
from sightline.api.edge.negotiation import choose_operation
from sightline.api.edge.operations import DEFAULT_BODY_LIMIT, OPENAPI_PATH, PREFIXES, ApiName, Operation
from sightline.api.edge.problems import build_problem_response
from sightline.api.edge.query import drop_empty_values
from sightline.api.edge.rate_headers import build_rate_headers
from sightline.api.edge.request_id import accept_client_id
from sightline.api.edge.request_log import record_request
from sightline.api.edge.request_trace import record_response, trace_request
from sightline.api.edge.responses import ApiResponse, Stream, StreamedResponse
from sightline.api.edge.routes import RouteMatch, Routes
from sightline.api.edge.saved_copies import build_copy_name
from sightline.api.edge.security_headers import add_headers, build_security_headers
from sightline.db.engine import DatabaseUnavailable, SchemaMissing
from sightline.errors import Problem, retry_later, schema_missing
from sightline.idempotency import claims
from sightline.idempotency.models import IdempotencyClaim, KeyScope, StoredResponse
from sightline.kit.clock import to_iso
from sightline.kit.crash import crash_point
from sightline.kit.security_log import identify_caller
from sightline.kit.shell_command import format_command

log = structlog.get_logger()

AnyResponse = ApiResponse | StreamedResponse
App = Callable[[Any, Any, Any], Awaitable[None]]
_encode = msgspec.json.Encoder().encode
_NO_WORKSPACE = uuid.UUID(int=0)
_JSON = (b"content-type", b"application/json")
_DEGRADED = (b"x-data-degraded", b"true")
_NO_STORE = (b"cache-control", b"no-store")
_CLOSE = (b"connection", b"close")


class Mount(msgspec.Struct, frozen=True):
    """An application that answers some paths next to the APIs, with the same security headers."""

    paths: frozenset[str]
    app: App
    run: Callable[[], AbstractAsyncContextManager[None]]
    """What it needs while the application runs."""


class ApiMiddleware:
    """The two APIs; requests for every other path go to a mount or to `app`.

    All responses get the security headers here.
    """

    def __init__(self, app: App, operations: Iterable[Operation], app_context: AppContext) -> None:
        self.app = app
        self._routes = Routes(operations)
        self._context = app_context
        self._cors = Cors(app_context.settings.cors_origins)
        self._security_headers = build_security_headers(https=app_context.settings.is_https)
        self.mounts: tuple[Mount, ...] = ()

    @property
    def context(self) -> AppContext:
        return self._context

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            send = compress_responses(scope, add_headers(send, self._security_headers))
            scope["query_string"] = drop_empty_values(scope["query_string"])
        if scope["type"] != "http" or not _is_api_path(scope["path"]):
            await self._find_app(scope)(scope, receive, send)
            return
        started = time.perf_counter()
        match = choose_operation(self._routes.match(scope["method"], scope["path"]), scope["headers"])
        exchange = Exchange(scope, _find_api(scope["path"]), match, self._context)
        with trace_request(exchange) as span:
            preflight = self._cors.preflight(scope["method"], exchange.headers)
            response = preflight or await self.respond(exchange, match, receive)
            record_response(span, exchange, response.status)
            record_request(exchange, response, started)
        allowance = exchange.allowance  # without a recognized key the headers describe the address
        if allowance is None:
            allowance, _ = self._context.anonymous.read(exchange.client_address, now=exchange.now)
        extra = [_NO_STORE, *build_rate_headers(allowance), *self._cors.build_headers(exchange.headers)]
        if not any(name == b"x-request-id" for name, _ in response.headers):  # a replay brings its own
            extra.append((b"x-request-id", exchange.request_id.encode()))
        if exchange.turned_away:  # a new connection costs the caller more than the server
            extra.append(_CLOSE)
        await response.send(send, receive, extra, without_body=scope["method"] == "HEAD")

    def _find_app(self, scope: Any) -> App:
        if scope["type"] == "http":
            for mount in self.mounts:
                if scope["path"] in mount.paths:
                    return mount.app
        return self.app

    async def respond(self, exchange: Exchange, match: RouteMatch, receive: Any) -> AnyResponse:
        """Return the response; every failure becomes a problem document here. The MCP server calls it in this process.

        An exception is not assigned to a second name. Its traceback refers to this call, so both would stay in memory,
        with the whole request, until the garbage collector stops the process to find them.
        """
        try:
            return await self._respond(exchange, match, receive)
        except Problem as problem:
            return self._refuse(exchange, match, problem)
        except DatabaseUnavailable as failure:
            log.warning("database_unavailable", request_id=exchange.request_id, reason=str(failure))
            return self._refuse(exchange, match, retry_later("service_unavailable", 5))
        except SchemaMissing:
            log.warning("schema_missing", request_id=exchange.request_id, remedy=f"run: {format_command('migrate')}")
            return self._refuse(exchange, match, schema_missing())
        except Exception:
            log.exception("request_failed", request_id=exchange.request_id)
            return self._refuse(exchange, match, Problem("internal_error"))

    def _refuse(self, exchange: Exchange, match: RouteMatch, problem: Problem) -> ApiResponse:
        return build_problem_response(
            problem,
            request_id=exchange.request_id,
            path=exchange.path,
            base_url=self._context.settings.public_url,
            allowed_methods=match.allowed,
        )

    async def _respond(self, exchange: Exchange, match: RouteMatch, receive: Any) -> AnyResponse:
        """Run the operation, or refuse it.

        The order of refusals: caller (401, 403, 429), path and method (404, 405), body (413, 415), idempotency key
        (400), rights (403), replay or conflict, and then the handler's own 404, 400, 422 and 409.
        """
        if exchange.api is None:
            raise _build_no_operation(match)
        try:
            await authenticate(exchange)
        finally:
            self._set_request_id(exchange)
        operation = match.operation
        if operation is None:
            raise _build_no_operation(match)
        if operation.is_read:
            self._authorize(exchange, operation)
            return await self._read(exchange, operation)
        exchange.body = await _read_body(exchange, operation, receive)
        key = _read_idempotency_key(exchange, operation)
        self._authorize(exchange, operation)
        if operation.payer_only:
            await require_payer(self._context.db, exchange.actor)
        return await self._write(exchange, operation, key)

    def _set_request_id(self, exchange: Exchange) -> None:
        """Use the client's own request id, but only after it has authenticated."""
        if exchange.authenticated:
            exchange.request_id = accept_client_id(exchange.header(b"x-request-id")) or exchange.request_id
        current_request_id.set(exchange.request_id)
        user_id = exchange.signed_in and exchange.signed_in.user.id
        identify_caller(
            request_id=exchange.request_id,
            by_user_id=user_id,
            by_key_id=exchange.key_id,
            address=exchange.client_address,
        )

    def _authorize(self, exchange: Exchange, operation: Operation) -> None:
        """Check the actor's rights. Operations outside any workspace have no actor and need no rights."""
        if exchange.actor_or_none is not None:
            authorize(operation, exchange.actor, self._context.plans)
        if operation.recent_sign_in and exchange.signed_in is not None:
            require_recent(exchange.signed_in, now=exchange.now)

    # Reads

    async def _read(self, exchange: Exchange, operation: Operation) -> AnyResponse:
        if operation.stream_media_type is not None:
            return await _stream(exchange, operation)
        if not exchange.degraded:
            try:
                response = await _call(exchange, operation)
            except DatabaseUnavailable:
                if exchange.actor_or_none is None or not operation.saves_copy:
                    raise
            else:
                self._store_copy(exchange, operation, response)
                return response
        return await self._read_copy(exchange, operation)

    def _store_copy(self, exchange: Exchange, operation: Operation, response: ApiResponse) -> None:
        if not operation.saves_copy or exchange.actor_or_none is None:
            return
        content = strip_request_id(response.body, exchange.request_id)
        if content is not None:
            name = build_copy_name(exchange.actor, exchange.path, exchange.query)
            self._context.copies.store(name, content, now=exchange.now)

    async def _read_copy(self, exchange: Exchange, operation: Operation) -> ApiResponse:
        """Return the last good copy. Without one, a list is empty and a single resource is unavailable."""
        if not operation.saves_copy:
            raise DatabaseUnavailable(f"{operation.name} saves no copy")
        exchange.degraded = True
        copy = await self._context.copies.find(build_copy_name(exchange.actor, exchange.path, exchange.query))
        if copy is not None:
            stale_at = (b"x-data-stale-at", to_iso(copy.saved_at).encode())
            return ApiResponse(200, [_JSON, _DEGRADED, stale_at], append_request_id(copy.content, exchange.request_id))
        if not operation.is_list:
            raise DatabaseUnavailable("no copy of this resource was saved")
        empty: Page[Any] = Page([], PageMeta(has_more=False, next_cursor=None, request_id=exchange.request_id))
        return ApiResponse(200, [_JSON, _DEGRADED], _encode(empty))

    # Writes

    async def _write(self, exchange: Exchange, operation: Operation, key: str | None) -> ApiResponse:
        if key is None:
            return await self._execute(exchange, operation, None)
        settings = self._context.settings
        claim = await claims.claim_or_replay(
            self._context.db,
            _build_key_scope(exchange, key),
            exchange.body,
            lease=settings.idempotency_lease,
            retention=settings.idempotency_retention,
            now=exchange.now,
        )
        if isinstance(claim, StoredResponse):
            return to_replay(claim)
        async with self._context.running_claims.hold(claim):
            return await self._execute(exchange, operation, claim)

    async def _execute(self, exchange: Exchange, operation: Operation, claim: IdempotencyClaim | None) -> ApiResponse:
        if len(exchange.body) <= DEFAULT_BODY_LIMIT:
            return await self._execute_now(exchange, operation, claim)
        async with self._context.large_writes:
            return await self._execute_now(exchange, operation, claim)

    async def _execute_now(
        self, exchange: Exchange, operation: Operation, claim: IdempotencyClaim | None
    ) -> ApiResponse:
        """Call the handler. Its effect and the stored response commit together, or neither does."""
        await exchange.decode_large_body()
        if operation.prepare is not None:
            exchange.prepared = await operation.prepare(exchange, **exchange.parameters)
        crash_point("before_write")
        if not operation.transactional:
            return await _call(exchange, operation)
        async with self._context.db.transaction() as tx:
            exchange.tx = tx
            response = await _call(exchange, operation)
            if claim is not None:
                stored = to_stored_response(
                    response, request_id=exchange.request_id, secret_members=operation.secret_members
                )
                await claims.settle(tx, claim, stored, now=exchange.now)
            crash_point("before_write_commit")
        crash_point("after_write_commit")
        return response


async def _read_body(exchange: Exchange, operation: Operation, receive: Any) -> bytes:
    body = await read_body(receive, exchange.header(b"content-length"), operation.body_limit)
    content_type = exchange.header(b"content-type")
    if operation.body is not None and (body or content_type):
        require_json(content_type, exchange.header(b"content-encoding"))
    return body


async def _call(exchange: Exchange, operation: Operation) -> ApiResponse:
    result = await operation.handler(exchange, **exchange.parameters)
    status = exchange.response_status or operation.success_status
    return ApiResponse(status, [_JSON, *exchange.response_headers], _encode(result))


async def _stream(exchange: Exchange, operation: Operation) -> StreamedResponse:
    assert operation.stream_media_type is not None
    if exchange.degraded:
        raise DatabaseUnavailable(f"{operation.name} saves no copy")
    stream: Stream = await operation.handler(exchange, **exchange.parameters)
    media_type = (b"content-type", operation.stream_media_type.encode())
    return StreamedResponse(operation.success_status, [media_type, *exchange.response_headers], stream)


def _is_api_path(path: str) -> bool:
    """Return whether the middleware responds itself. Everything under `/api/` is either an operation or not found."""
    return (path == "/api" or path.startswith("/api/")) and path != OPENAPI_PATH


def _find_api(path: str) -> ApiName | None:
    for api, prefix in PREFIXES.items():
        if path.startswith(f"{prefix}/") or path == prefix:
            return api
    return None


def _build_no_operation(match: RouteMatch) -> Problem:
    if match.allowed:
        return Problem("method_not_allowed")
    return Problem("not_found", "There is no operation at this path. The reference is at /docs.")


def _read_idempotency_key(exchange: Exchange, operation: Operation) -> str | None:
    if operation.idempotency == "ignored":
        return None
    required = operation.idempotency == "required" and exchange.key_id is not None
    return read_idempotency_key(exchange.header(b"idempotency-key"), required=required)


def _build_key_scope(exchange: Exchange, key: str) -> KeyScope:
    """Return the scope of an idempotency key: the API key, the user in the workspace, or the caller's address."""
    method = exchange.scope["method"]
    actor = exchange.actor_or_none
    if actor is None:
        return KeyScope(_NO_WORKSPACE, uuid.uuid5(_NO_WORKSPACE, exchange.client_address), method, exchange.path, key)
    # A person switches between live and test mode, which share no data; an API key always has one mode.
    person = actor.user_id if actor.livemode else uuid.uuid5(actor.user_id, "test")
    return KeyScope(actor.workspace_id, actor.key_id or person, method, exchange.path, key)

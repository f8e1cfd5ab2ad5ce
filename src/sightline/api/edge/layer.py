"""The edge: one ASGI layer, which every request to either API passes; it calls the operation's handler itself.

It stands in front of the framework (which serves pages) so that a 404, a 405, a broken body and a crash carry the same
headers and the same kind of document as everything else, and so that the order of refusals stands in one place:
`Edge._answer`.
"""

import time
import uuid
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import msgspec
import structlog

from sightline.api.app_context import AppContext
from sightline.api.edge.access import authorize, require_payer
from sightline.api.edge.auth import authenticate, count_anonymous
from sightline.api.edge.body import read_body, require_json
from sightline.api.edge.cors import Cors
from sightline.api.edge.degraded import name_of_copy
from sightline.api.edge.envelope import Page, PageMeta, current_request_id, with_request_id, without_request_id
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.idempotency import read_key, to_replay, to_stored_response
from sightline.api.edge.operations import PREFIXES, Front, Operation
from sightline.api.edge.problems import problem_reply
from sightline.api.edge.rate_headers import build_rate_headers
from sightline.api.edge.record import record
from sightline.api.edge.reply import Reply, Stream, StreamedReply
from sightline.api.edge.request_id import accept_client_id
from sightline.api.edge.routes import Match, Routes
from sightline.db.engine import DatabaseUnavailable
from sightline.errors import Problem, retry_later
from sightline.idempotency import claims
from sightline.idempotency.models import Claim, KeyScope, StoredResponse
from sightline.kit.clock import to_iso
from sightline.kit.crash import crash_point

log = structlog.get_logger()

AnyReply = Reply | StreamedReply
App = Callable[[Any, Any, Any], Awaitable[None]]
_API = "/api/v1/"
_encode = msgspec.json.Encoder().encode
_NOBODY = uuid.UUID(int=0)
_JSON = (b"content-type", b"application/json")
_DEGRADED = (b"x-data-degraded", b"true")
_ALWAYS = [(b"x-content-type-options", b"nosniff"), (b"cache-control", b"no-store")]


class Edge:
    """Both APIs; every other path goes to `app`."""

    def __init__(self, app: App, operations: Iterable[Operation], app_context: AppContext) -> None:
        self._app = app
        self._routes = Routes(operations)
        self._wiring = app_context
        self._cors = Cors(app_context.settings.cors_origins)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(_API):
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        match = self._routes.match(scope["method"], scope["path"])
        exchange = Exchange(scope, _front_of(scope["path"]), match, self._wiring)
        reply = self._cors.preflight(scope["method"], exchange.headers) or await self._settle(exchange, match, receive)
        if exchange.allowance is None:
            count_anonymous(exchange)
        assert exchange.allowance is not None
        extra = [*_ALWAYS, *build_rate_headers(exchange.allowance), *self._cors.headers_for(exchange.headers)]
        if not any(name == b"x-request-id" for name, _ in reply.headers):  # a replay brings its own
            extra.append((b"x-request-id", exchange.request_id.encode()))
        record(exchange, reply, started)
        await reply.send(send, receive, extra, without_body=scope["method"] == "HEAD")

    async def _settle(self, exchange: Exchange, match: Match, receive: Any) -> AnyReply:
        """Every failure becomes a problem document here, and nowhere else."""
        try:
            return await self._answer(exchange, match, receive)
        except Problem as failure:
            problem = failure
        except DatabaseUnavailable as failure:
            log.warning("database_unavailable", request_id=exchange.request_id, reason=str(failure))
            problem = retry_later("service_unavailable", 5)
        except Exception:
            log.exception("request_failed", request_id=exchange.request_id)
            problem = Problem("internal_error")
        return problem_reply(
            problem,
            request_id=exchange.request_id,
            path=exchange.path,
            base_url=self._wiring.settings.public_url,
            allowed_methods=match.allowed,
        )

    async def _answer(self, exchange: Exchange, match: Match, receive: Any) -> AnyReply:
        """The order of refusals: who (401, 403, 429), what (404, 405), body (413, 415), idempotency key (400),
        rights (403), replay or conflict, and then the handler's own 404, 400, 422 and 409."""
        if exchange.front is None:
            raise Problem("not_found")
        try:
            await authenticate(exchange)
        finally:
            self._take_request_id(exchange)
        operation = match.operation
        if operation is None:
            raise _no_such_operation(match)
        if operation.is_read:
            self._authorize(exchange, operation)
            return await self._read(exchange, operation)
        exchange.body = await _read_body(exchange, operation, receive)
        key = _idempotency_key(exchange, operation)
        self._authorize(exchange, operation)
        if operation.payer_only:
            await require_payer(self._wiring.db, exchange.actor)
        return await self._write(exchange, operation, key)

    def _take_request_id(self, exchange: Exchange) -> None:
        """The client's own id counts only once we know who it is."""
        if exchange.authenticated:
            exchange.request_id = accept_client_id(exchange.header(b"x-request-id")) or exchange.request_id
        current_request_id.set(exchange.request_id)

    def _authorize(self, exchange: Exchange, operation: Operation) -> None:
        """Public operations, and those on the session itself, act in no workspace and so need no right in one."""
        if exchange.actor_or_none is not None:
            authorize(operation, exchange.actor, self._wiring.plans)

    # Reads

    async def _read(self, exchange: Exchange, operation: Operation) -> AnyReply:
        if operation.streams is not None:
            return await _stream(exchange, operation)
        if not exchange.degraded:
            try:
                reply = await _call(exchange, operation)
            except DatabaseUnavailable:
                if exchange.actor_or_none is None or not operation.keeps_copy:
                    raise
            else:
                self._keep_copy(exchange, operation, reply)
                return reply
        return await self._from_copy(exchange, operation)

    def _keep_copy(self, exchange: Exchange, operation: Operation, reply: Reply) -> None:
        if not operation.keeps_copy or exchange.actor_or_none is None:
            return
        content = without_request_id(reply.body, exchange.request_id)
        if content is not None:
            name = name_of_copy(exchange.actor, exchange.path, exchange.query)
            self._wiring.copies.keep(name, content, now=exchange.now)

    async def _from_copy(self, exchange: Exchange, operation: Operation) -> Reply:
        """The last good copy; without one a list is empty, and a single resource is unavailable."""
        if not operation.keeps_copy:
            raise DatabaseUnavailable(f"{operation.name} keeps no copy")
        exchange.degraded = True
        copy = await self._wiring.copies.find(name_of_copy(exchange.actor, exchange.path, exchange.query))
        if copy is not None:
            stale_at = (b"x-data-stale-at", to_iso(copy.saved_at).encode())
            return Reply(200, [_JSON, _DEGRADED, stale_at], with_request_id(copy.content, exchange.request_id))
        if not operation.is_list:
            raise DatabaseUnavailable("no copy of this resource was saved")
        empty: Page[Any] = Page([], PageMeta(has_more=False, next_cursor=None, request_id=exchange.request_id))
        return Reply(200, [_JSON, _DEGRADED], _encode(empty))

    # Writes

    async def _write(self, exchange: Exchange, operation: Operation, key: str | None) -> Reply:
        if key is None:
            return await self._carry_out(exchange, operation, None)
        settings = self._wiring.settings
        claim = await claims.claim_or_replay(
            self._wiring.db,
            _key_scope(exchange, key),
            exchange.body,
            lease=settings.idempotency_lease,
            retention=settings.idempotency_retention,
            now=exchange.now,
        )
        if isinstance(claim, StoredResponse):
            return to_replay(claim)
        try:
            return await self._carry_out(exchange, operation, claim)
        except BaseException:
            await claims.release(self._wiring.db, claim)
            raise

    async def _carry_out(self, exchange: Exchange, operation: Operation, claim: Claim | None) -> Reply:
        """The effect and its stored response commit together, or neither does."""
        if operation.prepare is not None:
            exchange.prepared = await operation.prepare(exchange, **exchange.parameters)
        if not operation.transactional:
            return await _call(exchange, operation)
        async with self._wiring.db.transaction() as tx:
            exchange.tx = tx
            reply = await _call(exchange, operation)
            if claim is not None:
                stored = to_stored_response(
                    reply, request_id=exchange.request_id, secret_members=operation.secret_members
                )
                await claims.settle(tx, claim, stored, now=exchange.now)
            crash_point("before_write_commit")
        crash_point("after_write_commit")
        return reply


async def _read_body(exchange: Exchange, operation: Operation, receive: Any) -> bytes:
    body = await read_body(receive, exchange.header(b"content-length"), operation.body_limit)
    content_type = exchange.header(b"content-type")
    if operation.body is not None and (body or content_type):
        require_json(content_type, exchange.header(b"content-encoding"))
    return body


async def _call(exchange: Exchange, operation: Operation) -> Reply:
    made = await operation.handler(exchange, **exchange.parameters)
    status = exchange.response_status or operation.success
    return Reply(status, [_JSON, *exchange.response_headers], _encode(made))


async def _stream(exchange: Exchange, operation: Operation) -> StreamedReply:
    assert operation.streams is not None
    if exchange.degraded:
        raise DatabaseUnavailable(f"{operation.name} keeps no copy")
    stream: Stream = await operation.handler(exchange, **exchange.parameters)
    media_type = (b"content-type", operation.streams.encode())
    return StreamedReply(operation.success, [media_type, *exchange.response_headers], stream)


def _front_of(path: str) -> Front | None:
    for front, prefix in PREFIXES.items():
        if path.startswith(f"{prefix}/") or path == prefix:
            return front
    return None


def _no_such_operation(match: Match) -> Problem:
    if match.allowed:
        return Problem("method_not_allowed")
    return Problem("not_found", "No operation has this path; the reference is at /docs.")


def _idempotency_key(exchange: Exchange, operation: Operation) -> str | None:
    if operation.idempotency == "ignored":
        return None
    required = operation.idempotency == "required" and exchange.key_id is not None
    return read_key(exchange.header(b"idempotency-key"), required=required)


def _key_scope(exchange: Exchange, key: str) -> KeyScope:
    """By key: that API key. By session: user and workspace. Before there is either: the caller's address."""
    method = exchange.scope["method"]
    actor = exchange.actor_or_none
    if actor is None:
        return KeyScope(_NOBODY, uuid.uuid5(_NOBODY, exchange.client_address), method, exchange.path, key)
    # A person's test mode is a world of its own; a key has its mode for life.
    person = actor.user_id if actor.livemode else uuid.uuid5(actor.user_id, "test")
    return KeyScope(actor.workspace_id, actor.key_id or person, method, exchange.path, key)

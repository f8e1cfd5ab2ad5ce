"""The ASGI application at `/mcp`: authentication, refusals, the metadata of RFC 9728, and the SDK's transport."""

import hmac
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import msgspec
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware, get_access_token
from mcp.server.auth.middleware.bearer_auth import BearerAuthBackend, RequireAuthMiddleware
from mcp.server.request_state import RequestStateSecurity
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl
from starlette.middleware.authentication import AuthenticationMiddleware

from sightline.api.edge.authentication import count_anonymous
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.middleware import ApiMiddleware
from sightline.api.edge.problems import build_problem_response
from sightline.api.edge.rate_headers import build_rate_headers
from sightline.api.edge.responses import ApiResponse
from sightline.api.edge.routes import RouteMatch
from sightline.db.engine import DatabaseUnavailable, SchemaMissing
from sightline.errors import Problem, retry_later, schema_missing
from sightline.mcp.http.key_verifier import KeyToken, KeyVerifier, current_exchange
from sightline.mcp.http.local_source import LocalSource
from sightline.mcp.http.paths import METADATA_PATHS, PATH
from sightline.mcp.server import SightlineServer
from sightline.settings import Settings

_BODY_LIMIT = 64 * 1024
_NO_STORE = (b"cache-control", b"no-store")
_METHODS = ("POST",)
_METADATA_METHODS = ("GET", "HEAD")


class McpEndpoint:
    """The MCP server of one process. It keeps no session: any process answers any request.

    So there is no session to end (DELETE), and no stream of messages (GET) that would outlive the key that opened it.
    """

    def __init__(self, api: ApiMiddleware) -> None:
        self._api = api
        settings = api.context.settings
        keys = [hmac.digest(key, b"mcp_request_state", "sha256") for key in settings.signing_keys]
        server = SightlineServer(self, request_state=RequestStateSecurity(keys=keys))
        server.streamable_http_app(  # creates the session manager, which runs behind our own authentication
            json_response=True,
            stateless_http=True,
            max_request_body_size=_BODY_LIMIT,
            transport_security=_build_transport_security(settings),
        )
        self._manager = server.session_manager
        metadata_url = f"{settings.public_url}/.well-known/oauth-protected-resource{PATH}"
        required = RequireAuthMiddleware(self._manager.handle_request, [], AnyHttpUrl(metadata_url))
        self._app = AuthenticationMiddleware(AuthContextMiddleware(required), BearerAuthBackend(KeyVerifier()))
        challenge = f'Bearer error="invalid_token", resource_metadata="{metadata_url}"'
        self._challenge = (b"www-authenticate", challenge.encode())

    def find_source(self) -> LocalSource:
        token = get_access_token()
        assert isinstance(token, KeyToken), "every request has a key"
        return LocalSource(self._api, token.token, token.actor, token.address)

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        async with self._manager.run():
            yield

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        is_metadata = scope["path"] in METADATA_PATHS
        allowed = _METADATA_METHODS if is_metadata else _METHODS
        exchange = Exchange(scope, None, RouteMatch(None), self._api.context)
        if scope["method"] not in allowed:
            await self._refuse(exchange, Problem("method_not_allowed"), receive, send, allowed)
        elif is_metadata:
            await self._describe().send(send, receive, [], without_body=scope["method"] == "HEAD")
        else:
            await self._respond(exchange, receive, send)

    async def _respond(self, exchange: Exchange, receive: Any, send: Any) -> None:
        current_exchange.set(exchange)
        try:
            if not exchange.headers.get(b"authorization", b"").lower().startswith(b"bearer "):
                count_anonymous(exchange)  # the SDK then refuses the request without asking the verifier
            await self._app(exchange.scope, receive, send)
        except Problem as problem:
            await self._refuse(exchange, problem, receive, send)
        except DatabaseUnavailable:
            await self._refuse(exchange, retry_later("service_unavailable", 5), receive, send)
        except SchemaMissing:
            await self._refuse(exchange, schema_missing(), receive, send)

    async def _refuse(
        self, exchange: Exchange, problem: Problem, receive: Any, send: Any, allowed_methods: tuple[str, ...] = ()
    ) -> None:
        settings = self._api.context.settings
        response = build_problem_response(
            problem,
            request_id=exchange.request_id,
            path=exchange.path,
            base_url=settings.public_url,
            allowed_methods=allowed_methods,
        )
        extra = [_NO_STORE, (b"x-request-id", exchange.request_id.encode())]
        if exchange.allowance is not None:
            extra += build_rate_headers(exchange.allowance)
        if problem.kind.status == 401:
            extra.append(self._challenge)
        await response.send(send, receive, extra, without_body=exchange.scope["method"] == "HEAD")

    def _describe(self) -> ApiResponse:
        """Return the metadata of RFC 9728. There is no authorization server: keys are made in the Console."""
        settings = self._api.context.settings
        document = {
            "resource": f"{settings.public_url}{PATH}",
            "resource_name": "Sightline",
            "bearer_methods_supported": ["header"],
            "resource_documentation": f"{settings.public_url}/docs",
        }
        return ApiResponse(200, [(b"content-type", b"application/json")], msgspec.json.encode(document))


def _build_transport_security(settings: Settings) -> TransportSecuritySettings:
    """Allow the host of the public address and those of the settings.

    Otherwise a page in a browser could point a name of its own at this server and call it.
    """
    public = urlsplit(settings.public_url)
    hosts = [public.netloc, *filter(None, (host.strip() for host in settings.mcp_hosts.split(",")))]
    if public.hostname in {"127.0.0.1", "localhost", "::1"}:
        hosts += [f"{name}:{public.port}" for name in ("127.0.0.1", "localhost", "[::1]")]
    origins = [f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")]
    return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins)

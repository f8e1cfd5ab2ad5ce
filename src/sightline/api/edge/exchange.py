"""One request and its response: what is known of the request so far, and what its handler may use."""

import uuid
from datetime import datetime
from typing import Any, TypeVar, cast

import msgspec

from sightline.accounts.models import Actor
from sightline.accounts.sign_in.models import SignedIn
from sightline.api.app_context import AppContext
from sightline.api.edge.body import decode_body
from sightline.api.edge.cursors import Paging, describe_list, read_paging
from sightline.api.edge.operations import ApiName
from sightline.api.edge.query import read_parameters
from sightline.api.edge.request_id import make_request_id
from sightline.api.edge.responses import Header
from sightline.api.edge.routes import RouteMatch
from sightline.db.engine import Database, Transaction
from sightline.errors import FaultCollector, Problem
from sightline.kit.slow_work import run_slow_work
from sightline.kit.text import CONTROL_FAULT, has_control_characters
from sightline.usage.rate_limit import Allowance

Body = TypeVar("Body", bound=msgspec.Struct)

_SMALL_BODY = 16 * 1024  # bytes, which take a millisecond to decode or to refuse


class Exchange:
    """A request that the middleware completes step by step; handlers use `actor`, `now`, `db` or `tx`, and the body."""

    __slots__ = (
        "_actor",
        "_decoded",
        "_tx",
        "allowance",
        "api",
        "app_context",
        "authenticated",
        "body",
        "credential",
        "degraded",
        "headers",
        "key_id",
        "now",
        "operation",
        "parameters",
        "path",
        "prepared",
        "query",
        "request_id",
        "response_headers",
        "response_status",
        "scope",
        "signed_in",
        "turned_away",
        "workspace_id",
    )

    def __init__(self, scope: Any, api: ApiName | None, match: RouteMatch, app_context: AppContext) -> None:
        self.scope = scope
        self.path: str = scope["path"]
        self.query: str = scope["query_string"].decode("latin-1")
        self.headers: dict[bytes, bytes] = dict(scope["headers"])
        self.api = api
        self.operation = match.operation
        self.parameters = match.parameters
        self.app_context = app_context
        self.now: datetime = app_context.clock()
        self.request_id = make_request_id()
        self.authenticated = False
        self.allowance: Allowance | None = None
        # The digest of the key or session, recognized or not, and what it is used for.
        self.credential: tuple[bytes, str] | None = None
        # Refused from memory alone, because the caller was refused too often: the connection is closed, too.
        self.turned_away = False
        self.degraded = False
        self.body = b""
        self._decoded: Any = None
        # The recognized key, for counting; set even when the request is then refused.
        self.workspace_id: uuid.UUID | None = None
        self.key_id: uuid.UUID | None = None
        # The recognized session.
        self.signed_in: SignedIn | None = None
        self.prepared: Any = None
        self.response_headers: list[Header] = []
        self.response_status: int | None = None
        self._actor: Actor | None = None
        self._tx: Transaction | None = None

    def header(self, name: bytes) -> str | None:
        value = self.headers.get(name)
        return None if value is None else value.decode("latin-1")

    @property
    def client_address(self) -> str:
        client = self.scope.get("client")
        return client[0] if client else "unknown"

    # Used by handlers

    @property
    def actor(self) -> Actor:
        assert self._actor is not None, "the operation runs outside any workspace"
        return self._actor

    @actor.setter
    def actor(self, actor: Actor) -> None:
        self._actor = actor

    @property
    def actor_or_none(self) -> Actor | None:
        return self._actor

    @property
    def db(self) -> Database:
        return self.app_context.db

    @property
    def tx(self) -> Transaction:
        """Return the request's one transaction, which commits with the stored response after the handler returns."""
        assert self._tx is not None, "only writes run in a transaction"
        return self._tx

    @tx.setter
    def tx(self, tx: Transaction) -> None:
        self._tx = tx

    async def decode_large_body(self) -> None:
        """Decode a body that takes long, before a transaction is open. Its refusal waits for `decode_body`."""
        if self.operation is not None and self.operation.body is not None and len(self.body) > _SMALL_BODY:
            try:
                self._decoded = await run_slow_work(decode_body, self.body, self.operation.body)
            except Problem as problem:
                self._decoded = problem

    def decode_body(self, model: type[Body]) -> Body:
        """Return the decoded body.

        The handler calls this itself, because a missing resource (404) is refused before an invalid body (422).
        """
        assert self.operation is not None and self.operation.body is model, "the operation declares another body"
        if isinstance(self._decoded, Problem):
            raise self._take_refusal()
        return self._decoded or decode_body(self.body, model)

    def _take_refusal(self) -> Problem:
        """Return the refusal and forget it: its traceback will refer to this exchange, and must not keep it alive."""
        refusal, self._decoded = self._decoded, None
        return cast(Problem, refusal)

    @property
    def filters(self) -> dict[str, str]:
        """Return the declared filters that the request has. Refused: values that a filter cannot have (422)."""
        assert self.operation is not None
        parameters = read_parameters(self.query)
        found, faults = {}, FaultCollector()
        for declared in self.operation.filters:
            if declared.name not in parameters:
                continue
            value = parameters[declared.name]
            if has_control_characters(value):
                faults.add(declared.name, CONTROL_FAULT)
            elif declared.one_of and value not in declared.one_of:
                faults.add(declared.name, f"must be one of {', '.join(declared.one_of)}")
            elif self.operation.verify_filter:
                with faults.catch():
                    self.operation.verify_filter(declared.name, value.strip())
            found[declared.name] = value
        faults.raise_if_any()
        return found

    def paging(self, list_name: str) -> Paging:
        assert self.operation is not None
        return read_paging(
            self.query,
            describe_list(list_name, self.actor, self.filters),
            sized=self.operation.page_size,
            signing_keys=self.app_context.settings.signing_keys,
        )

    def respond_with(self, *, status: int | None = None, **headers: str) -> None:
        """Set a status or headers beyond the declared ones; header names are written with underscores."""
        self.response_status = status or self.response_status
        self.response_headers += [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]

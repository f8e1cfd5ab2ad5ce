"""What an operation is and needs. Declared beside its handler; read by the edge, the OpenAPI document and the tests."""

from collections.abc import Awaitable, Callable
from typing import Any, Literal, get_origin, get_type_hints

import msgspec

from sightline.accounts.models import Role
from sightline.api.edge.envelope import Page
from sightline.plans.table import DataApi

Front = Literal["console", "data"]
PREFIXES: dict[Front, str] = {"console": "/api/v1/console", "data": "/api/v1/ext"}
Handler = Callable[..., Awaitable[Any]]
DEFAULT_BODY_LIMIT = 64 * 1024


class Filter(msgspec.Struct, frozen=True):
    """A query parameter that narrows a list; it is part of what a cursor is bound to."""

    name: str
    meaning: str
    one_of: tuple[str, ...] = ()


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    front: Front
    method: Literal["GET", "POST", "PATCH", "DELETE"]
    path: str
    """Below the front's prefix, with parameters in braces."""
    name: str
    summary: str
    description: str
    tag: str
    handler: Handler
    returns: Any
    """The handler's return annotation: the schema of the answer."""

    access: Literal["key_or_session", "key", "session", "public"]
    role: Role = Role.VIEWER
    payer_only: bool = False
    """Only the member who has billing permission and pays for the workspace."""
    data_api: DataApi | None = None
    """The part of the Data API that the plan must include."""
    in_workspace: bool = True
    """False: acts on the person or the installation, so no X-Workspace-Id is asked for."""

    body: type[msgspec.Struct] | None = None
    body_limit: int = DEFAULT_BODY_LIMIT
    idempotency: Literal["ignored", "honoured", "required"] = "honoured"
    """`required` concerns keys; a session may always leave the header out."""
    secret_members: tuple[str, ...] = ()
    """Members of the response that are shown once; a stored response holds null in their place."""
    transactional: bool = True
    """False: the handler opens its own transaction, because it does slow work first."""
    prepare: Handler | None = None
    """Called before the transaction opens, for what must not be done inside of one: calls over the network, and short
    transactions around them. The handler finds what it returns in `exchange.prepared`. A crash between the two leaves
    what was prepared without a response, so it must be harmless alone."""

    is_list: bool = False
    paged: bool = False
    """Lists only: takes `cursor`; with `page_size` also that."""
    page_size: bool = False
    filters: tuple[Filter, ...] = ()
    keeps_copy: bool = True
    """Reads only: may be answered from the last good copy while the database is away."""

    streams: str | None = None
    """Reads only: the media type of an answer that is sent as it is made, without an envelope."""

    success: int = 200
    problems: tuple[str, ...] = ()
    """Codes that the handler itself raises; the edge's own are added by the OpenAPI document."""

    @property
    def full_path(self) -> str:
        return PREFIXES[self.front] + self.path

    @property
    def is_read(self) -> bool:
        return self.method == "GET"


def operation(front: Front, method: Any, path: str, **facts: Any) -> Callable[[Handler], Operation]:
    """Makes an operation of a function that takes the exchange and the path's parameters as text."""
    facts.setdefault("access", "key_or_session" if front == "console" else "key")

    def decorate(handler: Handler) -> Operation:
        returns = get_type_hints(handler, include_extras=True)["return"]
        declared = Operation(
            front=front,
            method=method,
            path=path,
            name=facts.pop("name", handler.__name__),
            description=" ".join((handler.__doc__ or "").split()),
            handler=handler,
            returns=returns,
            is_list=get_origin(returns) is Page,
            **facts,
        )
        # A stored response needs the handler's own transaction: effect and response commit together or not at all.
        assert declared.transactional or declared.idempotency == "ignored"
        assert declared.prepare is None or (declared.transactional and not declared.is_read)
        assert not declared.streams or (declared.is_read and not declared.keeps_copy)
        return declared

    return decorate

"""What an operation is and needs. Declared beside its handler; read by the edge, the OpenAPI document and the tests."""

from collections.abc import Awaitable, Callable
from typing import Any, Literal, get_origin, get_type_hints

import msgspec
from litestar.handlers import HTTPRouteHandler
from litestar.types import Scope

from sightline.accounts.models import Role
from sightline.api.edge.envelope import Page
from sightline.plans.table import DataApi

Front = Literal["console", "data"]
PREFIXES: dict[Front, str] = {"console": "/api/v1/console", "data": "/api/v1/ext"}
Handler = Callable[..., Awaitable[msgspec.Struct]]
DEFAULT_BODY_LIMIT = 64 * 1024


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    front: Front
    method: Literal["GET", "POST", "PATCH", "DELETE"]
    path: str
    """Below the front's prefix, with parameters in braces."""
    name: str
    summary: str
    description: str = ""
    tag: str

    access: Literal["key_or_session", "key", "session", "public"]
    role: Role = Role.VIEWER
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

    is_list: bool = False
    paged: bool = False
    """Lists only: takes `cursor`; with `page_size` also that."""
    page_size: bool = False
    keeps_copy: bool = True
    """Reads only: may be answered from the last good copy while the database is away."""

    success: int = 200
    problems: tuple[str, ...] = ()
    """Codes that the handler itself raises; the edge's own are added by the OpenAPI document."""

    @property
    def full_path(self) -> str:
        return PREFIXES[self.front] + self.path

    @property
    def is_read(self) -> bool:
        return self.method == "GET"


def operation(front: Front, method: Any, path: str, **facts: Any) -> Callable[[Handler], HTTPRouteHandler]:
    """Makes a route of a function that takes the exchange, the path's parameters as text and, where the operation
    declares a body, the decoded body as `given`."""
    facts.setdefault("access", "key_or_session" if front == "console" else "key")

    def decorate(handler: Handler) -> HTTPRouteHandler:
        returned = get_type_hints(handler)["return"]
        declared = Operation(
            front=front,
            method=method,
            path=path,
            name=facts.pop("name", handler.__name__),
            description=" ".join((handler.__doc__ or "").split()),
            is_list=get_origin(returned) is Page,
            **facts,
        )

        async def run(scope: Scope) -> Any:
            exchange = scope["exchange"]  # type: ignore[typeddict-item]
            arguments = dict(scope["path_params"])
            if declared.body is not None:
                arguments["given"] = exchange.decode_body()
            return await handler(exchange, **arguments)

        run.__name__ = handler.__name__
        run.__annotations__["return"] = returned
        return HTTPRouteHandler(
            declared.full_path.replace("}", ":str}"),
            http_method=method,
            status_code=declared.success,
            opt={"operation": declared},
            include_in_schema=False,
        )(run)

    return decorate

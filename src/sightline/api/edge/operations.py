"""What an operation is and needs: declared with its handler, read by the middleware, the OpenAPI document and tests."""

from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, Literal, get_origin, get_type_hints

import msgspec

from sightline.accounts.models import Role
from sightline.api.edge.envelope import Page
from sightline.api_keys.scopes import SCOPES, Scope
from sightline.plans.table import DataApi

ApiName = Literal["console", "data"]
PREFIXES: dict[ApiName, str] = {"console": "/api/v1/console", "data": "/api/v1/ext"}
OPENAPI_PATH = "/api/openapi.json"
Handler = Callable[..., Awaitable[Any]]
DEFAULT_BODY_LIMIT = 64 * 1024


class Resource(msgspec.Struct, frozen=True):
    """Operations that are together in the API reference. The modules of their handlers declare them with it."""

    api: ApiName
    name: str
    meaning: str
    sdk: Mapping[str, str] = {}
    """The resources of the SDKs that the operations belong to, and a title of each."""

    @property
    def tag(self) -> str:
        """Return its name among the resources of both APIs."""
        return f"{self.api.title()}: {self.name}"

    def operation(self, method: Any, path: str, **options: Any) -> Callable[[Handler], "Operation"]:
        """Make an operation of a handler, which takes the exchange and the path's parameters as text.

        A write that keys may call has to name its scope; without one the application does not start.
        """
        access = options.setdefault("access", "key_or_session" if self.api == "console" else "key")
        takes_key = access in {"key_or_session", "key"}
        options.setdefault("scope", "read" if takes_key and method == "GET" else None)

        def decorate(handler: Handler) -> Operation:
            response_type = get_type_hints(handler, include_extras=True)["return"]
            declared = Operation(
                resource=self,
                method=method,
                path=path,
                name=options.pop("name", handler.__name__),
                description=" ".join((handler.__doc__ or "").split()),
                handler=handler,
                response_type=response_type,
                is_list=get_origin(response_type) is Page,
                **options,
            )
            _verify(declared, takes_key=takes_key)
            return declared

        return decorate


class Filter(msgspec.Struct, frozen=True):
    """A query parameter that narrows a list; it is part of what a cursor is bound to."""

    name: str
    meaning: str
    one_of: tuple[str, ...] = ()
    format: str | None = None
    """The format of the value, as in JSON Schema. The handler verifies it."""


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """One method of one path of an API, with its handler and everything that the middleware enforces for it."""

    resource: Resource
    method: Literal["GET", "POST", "PATCH", "DELETE"]
    path: str
    """The path below the API's prefix, with parameters in braces."""
    name: str
    summary: str
    sdk: str | None = None
    """Its resource and method in the SDKs, such as `domains.list`; None where no key may call."""
    description: str
    handler: Handler
    response_type: Any
    """The handler's return annotation, which is the schema of the response."""

    access: Literal["key_or_session", "key", "session", "public"]
    role: Role = Role.VIEWER
    scope: Scope | None
    """The scope that a key needs; None where no key may call. A GET needs `read`, unless it names another."""
    live_only: bool = False
    """Refused in test mode: it changes what both modes share."""
    payer_only: bool = False
    """Only the member who has billing permission and pays for the workspace may call it."""
    recent_sign_in: bool = False
    """A session needs a proof of the person from the last 15 minutes; keys are not asked."""
    data_api: DataApi | None = None
    """The part of the Data API that the plan must include."""
    in_workspace: bool = True
    """False for operations on the person or the installation, which need no X-Workspace-Id."""

    body: type[msgspec.Struct] | None = None
    body_limit: int = DEFAULT_BODY_LIMIT
    idempotency: Literal["ignored", "optional", "required"] = "optional"
    """`required` applies to API keys; a session may always leave the header out."""
    secret_members: tuple[str, ...] = ()
    """Members of the response that are shown once; the stored response has null in their place."""
    transactional: bool = True
    """False for a handler that opens its own transaction, because it does slow work first."""
    prepare: Handler | None = None
    """Runs before the transaction opens, for work that must not be done inside one: slow work, network calls, and the
    short transactions around them. The handler finds the result in `exchange.prepared`. After a crash between the two,
    the prepared work stands alone, so it must be harmless without a response."""

    is_list: bool = False
    paged: bool = False
    """Lists only: the list takes the parameter `cursor`, and also `page_size` if that field is set."""
    page_size: bool = False
    filters: tuple[Filter, ...] = ()
    verify_filter: Callable[[str, str], None] | None = None
    """Takes the name and the value of a filter, and raises a problem for a value that it cannot have."""
    saves_copy: bool = True
    """Reads only: the last good response is saved and sent while the database is down."""

    stream_media_type: str | None = None
    """Reads only: the media type of a response that is streamed without an envelope."""
    stream_event: type[msgspec.Struct] | None = None
    """Event streams only: what one event is, with its id, its name and its data."""

    path_choices: Mapping[str, tuple[str, ...]] = {}
    """The values that a parameter of the path can have, where it is not an id. The handler refuses others."""
    negotiated: Mapping[str, "Operation"] = {}
    """Reads only: the operation that responds instead if the caller prefers this media type to JSON."""
    success_headers: tuple[str, ...] = ()
    """Headers that the handler adds to a success."""
    success_status: int = 200
    problems: tuple[str, ...] = ()
    """Problem codes that the handler raises; the OpenAPI document adds those of the middleware."""

    @property
    def api(self) -> ApiName:
        return self.resource.api

    @property
    def full_path(self) -> str:
        return PREFIXES[self.api] + self.path

    @property
    def is_read(self) -> bool:
        return self.method == "GET"


def _verify(declared: Operation, *, takes_key: bool) -> None:
    """Fail at the start of the application if the declaration of an operation contradicts itself."""
    allowed = declared.scope in SCOPES[declared.api] if takes_key else declared.scope is None
    assert allowed, f"the scope of {declared.name}"
    # A stored response needs the handler's own transaction: effect and response commit together or not at all.
    assert declared.transactional or declared.idempotency == "ignored"
    assert (declared.sdk is not None) == takes_key, f"the SDK method of {declared.name}"
    assert declared.sdk is None or declared.sdk.partition(".")[0] in declared.resource.sdk, declared.sdk
    assert declared.prepare is None or (declared.transactional and not declared.is_read)
    assert not declared.stream_media_type or (declared.is_read and not declared.saves_copy)
    assert (declared.stream_event is not None) == (declared.stream_media_type or "").startswith("text/event-stream")


def find_operations(*packages: ModuleType) -> tuple[Operation, ...]:
    """Return the operations that the modules of packages declare.

    The operations of a resource are together: first those of the module with its name, each in the order of their
    declaration. An alternative representation follows the operation that it belongs to, although it has to be
    declared first.
    """
    found = [
        (package.__name__, each.resource.name, name != each.resource.name.lower(), name, place, each)
        for package in packages
        for _, name, _ in iter_modules(package.__path__)
        for place, each in enumerate(vars(import_module(f"{package.__name__}.{name}")).values())
        if isinstance(each, Operation)
    ]
    declared = [each for *_, each in sorted(found, key=lambda entry: entry[:-1])]
    alternatives = {alternative.name for each in declared for alternative in each.negotiated.values()}
    main = [each for each in declared if each.name not in alternatives]
    return tuple(each for first in main for each in (first, *first.negotiated.values()))

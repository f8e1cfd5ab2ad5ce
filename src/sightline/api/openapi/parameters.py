"""Parameters of operations in the OpenAPI document: those of the path and the query, and the headers of requests."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from sightline.api.edge.cursors import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE
from sightline.api.edge.operations import Filter, Operation
from sightline.api.openapi.components import Json, reference
from sightline.api.openapi.examples import PATH_IDS
from sightline.kit.examples import REQUEST_ID, WORKSPACE_ID

_PARAMETER = re.compile(r"\{(\w+)\}")


def _parameter(place: str, name: str, description: str, *, required: bool = False, **schema: object) -> Json:
    return {
        "name": name,
        "in": place,
        "required": required,
        # An empty value of a query is the same as no value.
        **({"allowEmptyValue": True} if place == "query" else {}),
        "description": description,
        "schema": {"type": "string", **schema},
    }


_IDEMPOTENCY = (
    "A unique value for each operation, such as a new UUID. Send the same value when you retry: a repeated request "
    "returns the stored response."
)
_WORKSPACE = (
    "Required with a session: the workspace to act in. A key belongs to one workspace and does not need this header."
)

_KEY_SHAPE: Mapping[str, Any] = {"minLength": 1, "maxLength": 255, "pattern": "^[!-~]{1,255}$"}

# A component, so that a generated client has one type for all operations.
PARAMETER_SCHEMAS: Mapping[str, Json] = {
    "Mode": {"type": "string", "enum": ["live", "test"], "description": "Live data or test data. They never mix."}
}
PARAMETERS: Mapping[str, Json] = {
    "Cursor": _parameter("query", "cursor", "`meta.next_cursor` of the previous page. Omit it for the first page."),
    "TableCursor": _parameter(
        "query",
        "cursor",
        "`meta.next_cursor` for the next page, or `X-Next-Cursor` of an earlier read for what changed since. Omit "
        "it to read the whole table.",
    ),
    "TableStreamCursor": _parameter(
        "query",
        "cursor",
        "`X-Next-Cursor` of an earlier read, for what changed since. Omit it to read the whole table.",
    ),
    "PageSize": _parameter(
        "query",
        "page_size",
        "Number of rows in a page.",
        type="integer",
        minimum=1,
        maximum=MAX_PAGE_SIZE,
        default=DEFAULT_PAGE_SIZE,
    ),
    "IdempotencyKey": _parameter("header", "Idempotency-Key", _IDEMPOTENCY, **_KEY_SHAPE),
    "RequiredIdempotencyKey": _parameter(
        "header",
        "Idempotency-Key",
        _IDEMPOTENCY,
        required=True,
        **_KEY_SHAPE,
    ),
    "WorkspaceId": _parameter("header", "X-Workspace-Id", _WORKSPACE, examples=[str(WORKSPACE_ID)]),
    "RequiredWorkspaceId": _parameter(
        "header",
        "X-Workspace-Id",
        "The workspace to act in.",
        required=True,
        format="uuid",
        examples=[str(WORKSPACE_ID)],
    ),
    "Mode": _parameter(
        "header",
        "X-Sightline-Mode",
        "With a session: `test` uses test data. `live`, or no header, uses live data. With a "
        "key, leave the header out: the prefix of the key states its mode. A different mode is "
        "refused (400 `mode_conflict`).",
    )
    | {"schema": reference("Mode")},
    "LastEventId": _parameter(
        "header",
        "Last-Event-ID",
        "`id` of the last event that you received. The stream continues after that event. If the scan has ended, the "
        "stream always sends the event `end`.",
    ),
    "CsrfToken": _parameter(
        "header",
        "X-CSRF-Token",
        "With a session: `csrf_token` from `GET /session`. Not needed for requests from Sightline's own pages.",
    ),
    "RequestId": _parameter(
        "header",
        "X-Request-Id",
        "Your own id for this request, used instead of a generated one. It has 1 to 128 characters of "
        "`A-Z a-z 0-9 . _ : -`; any other value is ignored.",
        examples=[REQUEST_ID],
    ),
}


def build_parameters(operation: Operation) -> list[Json]:
    own = [
        _path_parameter(operation, name) | {"example": PATH_IDS[operation.api][name]}
        for name in _PARAMETER.findall(operation.path)
    ]
    own += [_parameter("query", each.name, each.meaning, **_allowed_values(each)) for each in operation.filters]
    return own + [{"$ref": f"#/components/parameters/{name}"} for name in _shared_parameters(operation)]


def _path_parameter(operation: Operation, name: str) -> Json:
    subject, _, kind = name.rpartition("_")
    if kind == "id":
        return _parameter("path", name, f"Id of the {subject}.", required=True, format="uuid")
    choices = operation.path_choices.get(name, ())
    allowed = {"enum": list(choices)} if choices else {}
    return _parameter("path", name, f"The `{kind}` of the {subject}.", required=True, **allowed)


def _allowed_values(query_filter: Filter) -> Json:
    if query_filter.format is not None:
        return {"format": query_filter.format}
    return {"enum": list(query_filter.one_of)} if query_filter.one_of else {}


def _choose_cursor(operation: Operation) -> str:
    if operation.resource.name != "Tables":
        return "Cursor"
    return "TableStreamCursor" if operation.stream_media_type else "TableCursor"


def _shared_parameters(operation: Operation) -> Iterator[str]:
    if operation.paged:
        yield _choose_cursor(operation)
    if operation.page_size:
        yield "PageSize"
    if operation.stream_event is not None:
        yield "LastEventId"
    if not operation.is_read and operation.idempotency != "ignored":
        yield "RequiredIdempotencyKey" if operation.idempotency == "required" else "IdempotencyKey"
    if operation.access in {"session", "key_or_session"}:
        if operation.in_workspace:
            yield "RequiredWorkspaceId" if operation.access == "session" else "WorkspaceId"
            yield "Mode"
        if not operation.is_read:
            yield "CsrfToken"
    if operation.access != "public":
        yield "RequestId"

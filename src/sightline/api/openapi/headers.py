"""Headers of responses in the OpenAPI document."""

from collections.abc import Mapping

from sightline.api.edge.operations import Operation
from sightline.api.openapi.components import Json


def _header(description: str, kind: str = "string", *, always: bool = False, **schema: object) -> Json:
    required = {"required": True} if always else {}
    return {"description": description, **required, "schema": {"type": kind, **schema}}


HEADERS: Mapping[str, Json] = {
    "X-Request-Id": _header(
        "Id of this request in the logs, also in the body. A response with `X-Idempotent-Replay` has the id of the "
        "original request.",
        always=True,
    ),
    "X-RateLimit-Limit": _header("Requests allowed in this minute.", "integer", always=True),
    "X-RateLimit-Remaining": _header("Requests left in this minute.", "integer", always=True),
    "X-RateLimit-Reset": _header("Seconds until the next minute window starts.", "integer", always=True),
    "X-RateLimit-Limit-Month": _header("Requests allowed in this calendar month (UTC). With a key only.", "integer"),
    "X-RateLimit-Remaining-Month": _header("Requests left in this calendar month. With a key only.", "integer"),
    "X-Idempotent-Replay": _header("Present if this is the stored response of an earlier request.", const="true"),
    "X-Data-Degraded": _header(
        "Present if the database is unavailable and the response is a saved copy, or an empty list if there is none. "
        "Some reads and all writes get 503 `service_unavailable` instead.",
        const="true",
    ),
    "X-Data-Stale-At": _header("When the copy was saved. Absent if there is no copy.", format="date-time"),
    "Set-Cookie": _header("The session cookie: HttpOnly, SameSite=Lax, Secure over https."),
    "X-Next-Cursor": _header(
        "Tables only: the cursor for your next read of the table, which then returns only the rows that changed. If "
        "you read a table in pages, only the last page has this header."
    ),
    "Location": _header("Path of the new scan."),
    "Retry-After": _header("Seconds to wait before trying again.", "integer"),
}
ALWAYS = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]
BY_KEY = ["X-RateLimit-Limit-Month", "X-RateLimit-Remaining-Month"]


def response_headers(operation: Operation) -> list[str]:
    """Return the names of the headers that every response of the operation has, errors included."""
    return ALWAYS + BY_KEY if operation.access in {"key", "key_or_session"} else ALWAYS


def success_headers(operation: Operation) -> list[str]:
    """Return the names of the headers that a success of the operation has or may have."""
    names = [*response_headers(operation), *operation.success_headers]
    if operation.is_read and operation.saves_copy:
        names = [*names, "X-Data-Degraded", "X-Data-Stale-At"]
    if not operation.is_read and operation.idempotency != "ignored":
        names = [*names, "X-Idempotent-Replay"]
    if operation.name == "submit_scan":
        names = [*names, "Location"]
    if not operation.is_read and operation.resource.name == "Session":
        names = [*names, "Set-Cookie"]
    return names

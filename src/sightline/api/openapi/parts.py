"""Parts of the OpenAPI document that operations share: headers, parameters, ways to authenticate, tags."""

import re
from collections.abc import Iterator, Mapping

from sightline.api.edge.auth import SECURE_SESSION_COOKIE, SESSION_COOKIE
from sightline.api.edge.cursors import DEFAULT_PAGE_SIZE, MAXIMUM_PAGE_SIZE
from sightline.api.edge.operations import Filter, Operation
from sightline.api.openapi.example import REQUEST_ID, WORKSPACE_ID
from sightline.api.openapi.examples import PATH_IDS
from sightline.api.openapi.schemas import Json
from sightline.api.openapi.topics import competitors, insights, prompts, reports, scans, tracking, webhooks
from sightline.api.openapi.topics import credits as credit_topics

_PARAMETER = re.compile(r"\{(\w+)\}")


def _header(description: str, kind: str = "string", *, always: bool = False, **schema: object) -> Json:
    required = {"required": True} if always else {}
    return {"description": description, **required, "schema": {"type": kind, **schema}}


HEADERS: Mapping[str, Json] = {
    "X-Request-Id": _header(
        "Names this exchange in our logs; also in the body. A replay carries that of the original.", always=True
    ),
    "X-RateLimit-Limit": _header("Requests allowed in this minute.", "integer", always=True),
    "X-RateLimit-Remaining": _header("Requests left in this minute.", "integer", always=True),
    "X-RateLimit-Reset": _header("Seconds until the minute's window starts again.", "integer", always=True),
    "X-RateLimit-Limit-Month": _header("Requests allowed in this calendar month (UTC). By key only.", "integer"),
    "X-RateLimit-Remaining-Month": _header("Requests left in this calendar month. By key only.", "integer"),
    "X-Idempotent-Replay": _header("Present when this is the stored response of an earlier request.", const="true"),
    "X-Data-Degraded": _header("Present while the data store is away: the data is the last good copy.", const="true"),
    "X-Data-Stale-At": _header("When that copy was saved; absent when there is none.", format="date-time"),
    "Set-Cookie": _header("The session cookie: HttpOnly, SameSite=Lax, Secure over https."),
    "Location": _header("Path of what was accepted, to follow it."),
    "Retry-After": _header("Seconds to wait before trying again.", "integer"),
}
ALWAYS = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]
BY_KEY = ["X-RateLimit-Limit-Month", "X-RateLimit-Remaining-Month"]


def _parameter(place: str, name: str, description: str, *, required: bool = False, **schema: object) -> Json:
    return {
        "name": name,
        "in": place,
        "required": required,
        "description": description,
        "schema": {"type": "string", **schema},
    }


_IDEMPOTENCY = (
    "A fresh UUID for each logical operation, the same one when you retry it: a repeated request is answered with the "
    "stored response."
)
_WORKSPACE = "By session: the workspace to act in. A key names its workspace by itself."

PARAMETERS: Mapping[str, Json] = {
    "Cursor": _parameter("query", "cursor", "`meta.next_cursor` of the page before. Left out: the first page."),
    "PageSize": _parameter(
        "query",
        "page_size",
        "Rows in a page.",
        type="integer",
        minimum=1,
        maximum=MAXIMUM_PAGE_SIZE,
        default=DEFAULT_PAGE_SIZE,
    ),
    "IdempotencyKey": _parameter("header", "Idempotency-Key", _IDEMPOTENCY, minLength=1, maxLength=255),
    "RequiredIdempotencyKey": _parameter(
        "header",
        "Idempotency-Key",
        f"{_IDEMPOTENCY} Required with an API key; a session may leave it out.",
        required=True,
        minLength=1,
        maxLength=255,
    ),
    "WorkspaceId": _parameter("header", "X-Workspace-Id", _WORKSPACE, examples=[WORKSPACE_ID]),
    "RequiredWorkspaceId": _parameter(
        "header", "X-Workspace-Id", "The workspace to act in.", required=True, format="uuid", examples=[WORKSPACE_ID]
    ),
    "Mode": _parameter(
        "header",
        "X-Sightline-Mode",
        "By session: `test` acts on test data. A key has its mode in its name.",
        enum=["live", "test"],
        default="live",
    ),
    "CsrfToken": _parameter(
        "header",
        "X-CSRF-Token",
        "By session: `csrf_token` of `GET /session`, unless the request comes from this origin's own pages.",
    ),
    "RequestId": _parameter(
        "header",
        "X-Request-Id",
        "Your own id for this request, used instead of a generated one. Anything else than 1 to 128 characters of "
        "`A-Z a-z 0-9 . _ : -` is ignored.",
        examples=[REQUEST_ID],
    ),
}


def parameters_of(operation: Operation) -> list[Json]:
    own = [
        _parameter("path", name, f"Id of the {name.removesuffix('_id')}.", required=True, format="uuid")
        | {"example": PATH_IDS[operation.front][name]}
        for name in _PARAMETER.findall(operation.path)
    ]
    own += [_parameter("query", each.name, each.meaning, **_one_of(each)) for each in operation.filters]
    return own + [{"$ref": f"#/components/parameters/{name}"} for name in _shared_parameters(operation)]


def _one_of(given: Filter) -> Json:
    return {"enum": list(given.one_of)} if given.one_of else {}


def _shared_parameters(operation: Operation) -> Iterator[str]:
    if operation.paged:
        yield "Cursor"
    if operation.page_size:
        yield "PageSize"
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


def response_headers(operation: Operation) -> list[str]:
    """Headers of every response of the operation, refusals included."""
    return ALWAYS + BY_KEY if operation.access in {"key", "key_or_session"} else ALWAYS


def success_headers(operation: Operation) -> list[str]:
    names = response_headers(operation)
    if operation.is_read and operation.keeps_copy:
        names = [*names, "X-Data-Degraded", "X-Data-Stale-At"]
    if not operation.is_read and operation.idempotency != "ignored":
        names = [*names, "X-Idempotent-Replay"]
    if operation.name == "submit_scan":
        names = [*names, "Location"]
    if not operation.is_read and operation.tag == "Session":
        names = [*names, "Set-Cookie"]
    return names


def security_schemes(base_url: str) -> dict[str, Json]:
    cookie = SECURE_SESSION_COOKIE if base_url.startswith("https://") else SESSION_COOKIE
    key = {"type": "apiKey", "in": "header", "name": "X-API-Key"}
    return {
        "ConsoleKey": {**key, "description": "A key `sk_live_…` or `sk_test_…`."},
        "DataKey": {**key, "description": "A key `dk_live_…`."},
        "Session": {
            "type": "apiKey",
            "in": "cookie",
            "name": cookie,
            "description": "The cookie that signing in sets. A key sent beside it wins.",
        },
    }


def security_of(operation: Operation) -> list[Json]:
    key: Json = {"ConsoleKey" if operation.front == "console" else "DataKey": []}
    session: Json = {"Session": []}
    return {"public": [], "key": [key], "session": [session], "key_or_session": [key, session]}[operation.access]


def tag_of(operation: Operation) -> str:
    return f"{operation.front.title()}: {operation.tag}"


TAGS: Mapping[str, str] = {
    "Console: Session": "Signing in with e-mail and password, for people and for tools that act as a person.",
    "Console: Account": "The profile of the workspace, and the first owner of an installation.",
    "Console: Keys": "API keys of the workspace. A key acts with the present role of the member who minted it.",
    "Console: Usage": "How many requests the workspace's keys have made.",
    "Console: Platforms": "The AI platforms that a check can run on.",
    "Console: Domains": "Domains that checks can be submitted for. Those that the dashboard tracks are apart.",
    **scans.TAGS,
    **credit_topics.TAGS,
    **webhooks.TAGS,
    **tracking.TAGS,
    "Data: Domains": "Domains that the workspace tracks, with the latest figures of the scoreboard.",
    **prompts.TAGS,
    **competitors.TAGS,
    **reports.TAGS,
    **insights.TAGS,
}

"""Problems in the OpenAPI document: which codes an operation can respond with, and what their documents look like.

The rules mirror those of `api/edge/`: `authentication.py`, `middleware.py` (body and idempotency) and
`authorization.py`.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from sightline.api.edge.operations import Operation
from sightline.api.edge.problems import MEDIA_TYPE, build_problem_document
from sightline.api.openapi.components import Json, reference
from sightline.api.openapi.examples import PATH_IDS
from sightline.errors import CATALOG, Problem, ProblemKind


class ProblemMember(NamedTuple):
    """A member that some problems have in addition to the standard ones."""

    schema: Json
    example: Any


def _member(kind: str, description: str, example: object, **more: object) -> ProblemMember:
    return ProblemMember({"type": kind, **more, "description": description}, example)


MEMBERS: Mapping[str, ProblemMember] = {
    "retry_after": _member("integer", "Seconds to wait, as in the header `Retry-After`.", 5),
    "errors": _member(
        "array",
        "Every invalid field, and why it is invalid.",
        [{"field": "domain", "message": "is required", "code": "required"}],
        items=reference("FieldError"),
    ),
    "limit": _member("integer", "Maximum number allowed.", 10),
    "current": _member("integer", "Number that exists now.", 10),
    "reason": _member(
        "string",
        "Condition that is not met: `plan`, `scope`, `role` or `mode`.",
        "role",
        enum=["plan", "scope", "role", "mode"],
    ),
    "required_role": _member("string", "The lowest role that may do this. Only if `reason` is `role`.", "editor"),
    "required_plans": _member(
        "array", "The plans that include this.", ["professional", "agency"], items={"type": "string"}
    ),
    "required_scope": _member("string", "The scope that the key needs.", "scans"),
    "factor_token": _member(
        "string",
        "The sign-in that waits for the factor, for ten minutes.",
        "Zk3vT8qXr1yB5mWn0aLcPd7uEh2sJg9fQ4tR6wX8zA1",
    ),
    "methods": _member(
        "array",
        "With what the person can continue: `app`, `passkey` or `recovery_code`.",
        ["app", "recovery_code"],
        items={"type": "string"},
    ),
    "required_credits": _member("integer", "Credits that the scan costs.", 6),
    "balance": _member("integer", "Credits that the workspace has.", 2),
    "platforms": _member(
        "array", "The `key` of each affected platform, as in `GET /platforms`.", ["grok"], items={"type": "string"}
    ),
    "not_connected": _member(
        "array",
        "The platforms in `platforms` that an operator must connect first. The others are paused.",
        [],
        items={"type": "string"},
    ),
    "scan_status": _member("string", "Current status of the scan.", "running"),
    "active_scan_id": _member(
        "string", "The scan that is pending or running.", PATH_IDS["console"]["scan_id"], format="uuid"
    ),
    "domain_id": _member(
        "string", "The domain that is already registered.", PATH_IDS["console"]["domain_id"], format="uuid"
    ),
    "correction_id": _member(
        "string", "Correction that covers some of the same words.", PATH_IDS["data"]["correction_id"], format="uuid"
    ),
    "language_code": ProblemMember(
        {"type": ["string", "null"], "description": "Language of the existing prompt. Null if it has none."}, "de"
    ),
    "spend_cap_cents": _member("integer", "The workspace's spending limit per calendar month, in US cents.", 50_000),
    "current_month_spend_cents": _member(
        "integer",
        "Purchases credited in this calendar month (UTC) minus their refunds, in US cents.",
        47_600,
    ),
}

# For codes with which a member has a more specific meaning.
_SPECIAL_DESCRIPTIONS: Mapping[str, Mapping[str, str]] = {
    "unknown_platform": {"platforms": "The values that are not the `key` of a platform."},
    "payload_too_large": {"limit": "Largest body allowed, in bytes."},
    "pin_limit_reached": {
        "current": "Number of pinned prompts of the domain.",
        "limit": "Maximum number of pinned prompts for each domain.",
    },
    "prompt_limit_reached": {
        "current": "Number of tracked prompts of the workspace.",
        "limit": "Maximum number of tracked prompts of the workspace.",
    },
    "key_limit_reached": {
        "current": "Number of active keys of this kind.",
        "limit": "Maximum number of active keys of this kind.",
    },
    "correction_limit_reached": {
        "current": "Number of corrections of the domain.",
        "limit": "Maximum number of corrections for each domain.",
    },
}

# For codes with which the usual example of a member would make no sense.
_SPECIAL_EXAMPLES: Mapping[str, Mapping[str, Any]] = {
    "payload_too_large": {"limit": 65_536},
    "rate_limited": {"retry_after": 23},
    "quota_exceeded": {"retry_after": 1_412_998},
    "prompt_limit_reached": {"current": 150, "limit": 150},
    "key_limit_reached": {"current": 50, "limit": 50},
    "correction_limit_reached": {"current": 500, "limit": 500},
    "scan_not_cancellable": {"scan_status": "completed"},
    "unknown_platform": {"platforms": ["askjeeves"]},
    "invalid_webhook_url": {
        "errors": [{"field": "url", "message": "must not have a fragment", "code": "invalid_webhook_url"}]
    },
    "invalid_domain": {
        "errors": [
            {
                "field": "domain",
                "message": "a single label is not a domain; send a name such as acme.com",
                "code": "invalid_domain",
            }
        ]
    },
}

# For codes whose example would not be typical of the first operation that can respond with them.
TYPICAL_OPERATIONS: Mapping[str, str] = {
    **dict.fromkeys(
        ("key_invalid", "key_revoked", "key_expired", "wrong_key_kind", "address_not_allowed"), "read_domain"
    ),
    **dict.fromkeys(("key_missing", "mode_conflict", "rate_limited", "quota_exceeded"), "read_domain"),
    **dict.fromkeys(("service_disabled", "service_unavailable", "internal_error"), "read_domain"),
    **dict.fromkeys(("invalid_json", "unsupported_media_type", "payload_too_large"), "register_domain"),
    **dict.fromkeys(("validation_failed", "workspace_access_required"), "register_domain"),
    **dict.fromkeys(("idempotency_in_progress", "idempotency_conflict", "scope_required"), "submit_scan"),
    "session_only": "start_checkout",
}


# One schema for each status: a generated client has one class for each of them, whatever operation was called. Names
# are written here, because those of Python's `HTTPStatus` change with its version.
_SCHEMA_NAMES: Mapping[int, str] = {
    400: "BadRequestProblem",
    401: "UnauthorizedProblem",
    402: "PaymentRequiredProblem",
    403: "ForbiddenProblem",
    404: "NotFoundProblem",
    406: "NotAcceptableProblem",
    409: "ConflictProblem",
    410: "GoneProblem",
    413: "TooLargeProblem",
    415: "UnsupportedMediaTypeProblem",
    422: "ValidationProblem",
    429: "TooManyRequestsProblem",
    500: "InternalErrorProblem",
    503: "UnavailableProblem",
}


def problem_schemas(operations: Iterable[Operation]) -> dict[str, Json]:
    """Return a schema for each status, with all codes of that status that an operation can respond with."""
    used = {code for operation in operations for code in possible_codes(operation)}
    by_status = _group_by_status(code for code in CATALOG if code in used)
    schemas = {_SCHEMA_NAMES[status]: _problem_schema(status, kinds) for status, kinds in sorted(by_status.items())}
    return schemas | {"FieldError": _field_error_schema()}


def _group_by_status(codes: Iterable[str]) -> dict[int, dict[str, ProblemKind]]:
    by_status: dict[int, dict[str, ProblemKind]] = {}
    for code in codes:
        by_status.setdefault(CATALOG[code].status, {})[code] = CATALOG[code]
    return by_status


def _problem_schema(status: int, kinds: Mapping[str, ProblemKind]) -> Json:
    standard: dict[str, Json] = {
        "type": {"type": "string", "format": "uri", "description": "URL of the documentation of this code."},
        "title": {"type": "string", "description": "Short summary of the code, the same for every occurrence."},
        "status": {"type": "integer", "description": "The HTTP status.", "const": status},
        "detail": {"type": "string", "description": "What happened, and what to do about it."},
        "instance": {"type": "string", "description": "The path of the request."},
        "code": {
            "type": "string",
            "description": "Stable code of the problem. Use it to handle the error.",
            "enum": list(kinds),
        },
        "request_id": {"type": "string", "description": "Same value as the header `X-Request-Id`."},
    }
    members: dict[str, Json] = {}
    for name in dict.fromkeys(name for kind in kinds.values() for name in kind.members):
        described = {describe_member(code, name) for code, kind in kinds.items() if name in kind.members}
        members[name] = MEMBERS[name].schema | ({"description": described.pop()} if len(described) == 1 else {})
    return {
        "type": "object",
        "description": f"An error with the status {status}, as in RFC 9457. Its optional fields depend on `code`.",
        "properties": standard | members,
        "required": list(standard),
    }


def _field_error_schema() -> Json:
    parts = {
        "field": {
            "type": "string",
            "description": "Field, header or parameter as you sent it, such as `competitors[3].domain`.",
        },
        "message": {
            "type": "string",
            "description": "What is wrong with the value and what is allowed, as a sentence that names the field.",
        },
        "code": {"type": "string", "description": "Code of the error."},
    }
    return {
        "type": "object",
        "description": "One error in the request.",
        "properties": parts,
        "required": list(parts),
    }


def describe_member(code: str, name: str) -> str:
    """Return what a member means in problems of this code."""
    general: str = MEMBERS[name].schema["description"]
    return _SPECIAL_DESCRIPTIONS.get(code, {}).get(name, general)


def problem_example(code: str, *, path: str, request_id: str, base_url: str) -> Json:
    kind = CATALOG[code]
    special = _SPECIAL_EXAMPLES.get(code, {})
    members = {name: special.get(name, MEMBERS[name].example) for name in kind.members}
    document = build_problem_document(Problem(code, **members), request_id=request_id, path=path, base_url=base_url)
    return {"summary": kind.title, "value": document}


def problem_responses(operation: Operation, headers: list[str]) -> dict[str, Json]:
    """Return one response per status, each with its possible codes and an example of each."""
    by_status = _group_by_status(possible_codes(operation))
    return {str(status): _response(status, kinds, headers) for status, kinds in sorted(by_status.items())}


def _response(status: int, kinds: Mapping[str, ProblemKind], headers: list[str]) -> Json:
    is_temporary = any("retry_after" in kind.members for kind in kinds.values())
    names = [*headers, "Retry-After"] if is_temporary else headers
    return {
        "description": " · ".join(kind.title for kind in kinds.values()),
        "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in names},
        "content": {
            MEDIA_TYPE.decode(): {
                "schema": reference(_SCHEMA_NAMES[status]),
                "examples": {code: {"$ref": f"#/components/examples/{code}"} for code in kinds},
            }
        },
    }


def possible_codes(operation: Operation) -> list[str]:
    """Return every code that the operation can respond with, in the order of the catalog."""
    possible = {
        *operation.problems,
        *_authentication_codes(operation),
        *_permission_codes(operation),
        *_request_codes(operation),
    }
    possible |= {"rate_limited", "internal_error", "service_unavailable"}
    return [code for code in CATALOG if code in possible]


def _authentication_codes(operation: Operation) -> Iterator[str]:
    if operation.access == "public":
        return
    yield from ("key_invalid", "key_revoked", "key_expired", "wrong_key_kind", "address_not_allowed")
    if operation.access == "session":
        yield from ("session_required", "session_only", "quota_exceeded")
    else:
        yield from ("key_missing", "quota_exceeded", "mode_conflict")
    if operation.api == "console":
        yield "service_disabled"
    if operation.access != "key":
        yield from ("session_expired", "validation_failed")  # the latter for X-Workspace-Id and X-Sightline-Mode
        if not operation.is_read:
            yield "csrf_failed"
        if operation.recent_sign_in:
            yield "reauthentication_required"
        if operation.in_workspace:
            yield from ("workspace_not_found", "second_factor_setup_required", "single_sign_on_required")


def _permission_codes(operation: Operation) -> Iterator[str]:
    if operation.in_workspace and operation.access != "public":
        yield "workspace_access_required"  # for reads as well: the member who created the key may have left
    if operation.api == "console" and operation.scope is not None:
        yield "scope_required"  # a Data key can always read, and writing has a code of its own
    if operation.data_api not in {None, "write"}:
        yield "plan_required"


def _request_codes(operation: Operation) -> Iterator[str]:
    if operation.paged:
        yield "invalid_cursor"
    if operation.page_size:
        yield "validation_failed"
    if operation.is_read:
        return
    yield "payload_too_large"
    if operation.body is not None:
        yield from ("unsupported_media_type", "invalid_json", "validation_failed")
    if operation.idempotency != "ignored":
        yield from ("idempotency_in_progress", "idempotency_conflict", "validation_failed")
    if operation.idempotency == "required":
        yield "idempotency_required"

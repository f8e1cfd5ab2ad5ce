"""Every refusal of either API: one catalog of problem codes and one exception.

The problem documents, the OpenAPI responses and the page /docs/errors are all built from `CATALOG`; a test proves that
no other code is raised anywhere.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

Fault = tuple[str, str, str]
"""A field of the request, what is wrong with it, and a code."""
# How a message begins that needs the field as its subject.
_PREDICATES = ("must ", "is ", "are ", "has ", "needs ", "was ", "does ", "contains ", "cannot ")


class ProblemKind(NamedTuple):
    """What all problems of one code have in common. `members` are the extra members of their documents."""

    status: int
    title: str
    explanation: str
    members: tuple[str, ...] = ()


CATALOG: Mapping[str, ProblemKind] = {
    # 400
    "invalid_json": ProblemKind(400, "The body is not JSON", "Send one JSON document in UTF-8."),
    "invalid_cursor": ProblemKind(
        400,
        "The cursor is not valid here",
        "Pass `meta.next_cursor` of the same list with the same filters, unchanged, or leave `cursor` out to start "
        "from the first page.",
    ),
    "idempotency_required": ProblemKind(
        400,
        "Idempotency-Key is required",
        "Send the header `Idempotency-Key` with a fresh UUID for each logical operation, and the same one when you "
        "retry it.",
    ),
    "mode_conflict": ProblemKind(
        400,
        "The key has another mode",
        "`X-Sightline-Mode` contradicts the key, whose prefix states its mode. Leave the header out, or use a key of "
        "the mode that you want.",
    ),
    # 401
    "key_missing": ProblemKind(401, "No API key", "Send your key in the header `X-API-Key`."),
    "key_invalid": ProblemKind(
        401, "The API key is not valid", "The key is mistyped or unknown. Copy it again, or mint a new one."
    ),
    "key_revoked": ProblemKind(401, "The API key is revoked", "Mint a new key and replace this one."),
    "key_expired": ProblemKind(401, "The API key has expired", "Mint a new key and replace this one."),
    "session_required": ProblemKind(401, "Sign in first", "This operation needs a signed-in session."),
    "session_expired": ProblemKind(401, "The session has ended", "Sign in again."),
    "sign_in_failed": ProblemKind(
        401,
        "E-mail or password is wrong",
        "Check both and try again; we do not say which of the two is wrong.",
    ),
    "bootstrap_token_invalid": ProblemKind(
        401,
        "The bootstrap token is not valid",
        "The token is wrong, used or expired. `sightline bootstrap-token` makes a new one.",
    ),
    # 402
    "insufficient_credits": ProblemKind(
        402, "Not enough credits", "Buy credits or choose fewer platforms.", ("required_credits", "balance")
    ),
    # 403
    "session_only": ProblemKind(
        403, "API keys cannot do this", "Only a signed-in person may; use a session instead of a key."
    ),
    "wrong_key_kind": ProblemKind(
        403,
        "The key is for the other API",
        "Keys `sk_…` open the Console API, keys `dk_…` open the Data API.",
    ),
    "address_not_allowed": ProblemKind(
        403,
        "The key does not work from this address",
        "Call from one of the key's `allowed_addresses`, or mint a key without that limit.",
    ),
    "plan_required": ProblemKind(
        403,
        "The plan does not include this",
        "Change the workspace's plan to one of those listed.",
        ("required_plans",),
    ),
    "scope_required": ProblemKind(
        403, "The key lacks a scope", "Mint a key with the scope named.", ("required_scope",)
    ),
    "billing_permission_required": ProblemKind(
        403, "Billing permission is needed", "Only the member who pays for the workspace may do this."
    ),
    "workspace_access_required": ProblemKind(
        403,
        "The workspace does not grant this",
        "The plan, the key's scope, its mode or the present role of the member who made the key does not allow it; "
        "`reason` says which.",
        ("reason", "required_role"),
    ),
    "csrf_failed": ProblemKind(
        403,
        "The request may come from another site",
        "Send `X-CSRF-Token` with the `csrf_token` of `GET /session`, or call from the same origin.",
    ),
    # 404
    "not_found": ProblemKind(404, "Not found", "There is nothing at this address that you may see."),
    "domain_not_found": ProblemKind(404, "Domain not found", "No such domain is readable with these credentials."),
    "scan_not_found": ProblemKind(404, "Scan not found", "No such scan is readable with these credentials."),
    "workspace_not_found": ProblemKind(
        404, "Workspace not found", "`X-Workspace-Id` must name a workspace that you are a member of."
    ),
    "invitation_invalid": ProblemKind(
        404,
        "The invitation is not valid",
        "It is incomplete, used, revoked or older than seven days. Ask for a new one.",
    ),
    "reset_link_invalid": ProblemKind(
        404,
        "The link is not valid",
        "It is incomplete, used, replaced by a newer one or older than 30 minutes. Request a new one.",
    ),
    # 405
    "method_not_allowed": ProblemKind(405, "Method not allowed", "The header `Allow` lists the methods of this path."),
    # 409
    "results_not_ready": ProblemKind(
        409, "No results", "Only a completed scan has results; `scan_status` is its current status.", ("scan_status",)
    ),
    "idempotency_in_progress": ProblemKind(
        409,
        "The original request is still running",
        "Wait as long as `Retry-After` says and send the same request again.",
        ("retry_after",),
    ),
    "idempotency_conflict": ProblemKind(
        409,
        "The Idempotency-Key belongs to another body",
        "The body must be resent byte for byte; use a fresh key for a new operation.",
    ),
    "pin_limit_reached": ProblemKind(
        409, "Too many pinned prompts", "Unpin a prompt of this domain first.", ("current", "limit")
    ),
    "prompt_limit_reached": ProblemKind(
        409, "The workspace's prompt limit is reached", "Remove a prompt or change the plan.", ("current", "limit")
    ),
    "key_limit_reached": ProblemKind(
        409, "Too many active keys", "Revoke a key of this kind that is no longer used.", ("current", "limit")
    ),
    "correction_limit_reached": ProblemKind(
        409, "Too many corrections", "Undo a correction of this domain first.", ("current", "limit")
    ),
    "correction_conflict": ProblemKind(
        409,
        "This place of the answer is corrected already",
        "Undo the correction named by `correction_id` first, or correct another place.",
        ("correction_id",),
    ),
    "scan_in_progress": ProblemKind(
        409,
        "A scan of this domain is active",
        "Wait for it or cancel it: a domain has at most one pending or running scan.",
        ("active_scan_id",),
    ),
    "check_not_retryable": ProblemKind(
        409,
        "The check cannot be tried again",
        "Only the first check of a new domain can, and only after it failed; later ones are scheduled.",
    ),
    "scan_not_cancellable": ProblemKind(409, "The scan has ended", "An ended scan stays as it is.", ("scan_status",)),
    "domain_exists": ProblemKind(
        409, "The domain is registered already", "Use the domain named by `domain_id`.", ("domain_id",)
    ),
    "language_conflict": ProblemKind(
        409,
        "The prompt is recorded in another language",
        "A record is never reassigned to another language.",
        ("language_code",),
    ),
    "max_credits_exceeded": ProblemKind(
        409, "The scan costs more than max_credits", "Nothing was charged.", ("required_credits",)
    ),
    "spend_cap_exceeded": ProblemKind(
        409,
        "The monthly spend cap would be exceeded",
        "Wait for the next month or have the operator raise the cap.",
        ("spend_cap_cents", "current_month_spend_cents"),
    ),
    "last_owner": ProblemKind(409, "A workspace needs an owner", "Make another member an owner first."),
    "payer_stays": ProblemKind(
        409, "This member pays for the workspace", "Have another member with billing permission pay first."
    ),
    "sandbox_only": ProblemKind(
        409,
        "The demonstration needs a sandbox",
        "It is built only where no platform is connected and in a workspace without a domain: its checks are made up.",
    ),
    # 413, 415, 422
    "payload_too_large": ProblemKind(413, "The body is too large", "Send less; `limit` is in bytes.", ("limit",)),
    "unsupported_media_type": ProblemKind(415, "Send application/json", "Set `Content-Type: application/json`."),
    "validation_failed": ProblemKind(
        422, "The request is not valid", "`errors` names each field and what is wrong with it.", ("errors",)
    ),
    "invalid_domain": ProblemKind(
        422,
        "The domain name is not valid",
        "Send a registrable host name such as `acme.com`; addresses, single labels and reserved names are refused.",
        ("errors",),
    ),
    "unknown_platform": ProblemKind(
        422, "Unknown platform", "`GET /platforms` lists the keys that exist.", ("platforms",)
    ),
    "platform_unavailable": ProblemKind(
        422,
        "A platform is not available",
        "It is paused or not connected; `not_connected` lists those that only an operator can make available. Nothing "
        "was charged.",
        ("platforms", "not_connected"),
    ),
    "invalid_webhook_url": ProblemKind(
        422, "The webhook URL is not valid", "Send an https URL of a public host.", ("errors",)
    ),
    # 429
    "rate_limited": ProblemKind(
        429, "Too many requests this minute", "Wait as long as `Retry-After` says.", ("retry_after",)
    ),
    "quota_exceeded": ProblemKind(
        429, "The month's quota is used up", "It starts again with the next calendar month (UTC).", ("retry_after",)
    ),
    # 5xx
    "internal_error": ProblemKind(
        500, "Something broke on our side", "Nothing was saved. Give `request_id` to the operator."
    ),
    "service_disabled": ProblemKind(503, "The Console API is switched off", "The operator has switched it off."),
    "service_unavailable": ProblemKind(
        503,
        "Temporarily unavailable",
        "Try again in a moment, with the same Idempotency-Key: nothing happens twice.",
        ("retry_after",),
    ),
}


class Problem(Exception):
    """The only exception that becomes a refusal. `detail` says in one sentence what happened or what to do."""

    def __init__(self, code: str, detail: str | None = None, **members: Any) -> None:
        self.code = code
        self.kind = CATALOG[code]
        self.detail = detail or self.kind.explanation
        self.members = members
        super().__init__(f"{code}: {self.detail}")


def invalid_field(field: str, message: str, code: str = "invalid") -> Problem:
    """Return 422 `validation_failed` for one field of the request."""
    return invalid_fields((field, message, code))


def invalid_fields(*faults: Fault, problem: str = "validation_failed") -> Problem:
    """Return one problem for several faults."""
    errors = [{"field": field, "message": message, "code": code} for field, message, code in faults]
    return Problem(problem, "; ".join(name_field(field, message) for field, message, _ in faults), errors=errors)


def name_field(field: str, message: str) -> str:
    """Return a message with the field that it is about: as its subject if it lacks one, else in front of it."""
    return f"{field} {message}" if message.startswith(_PREDICATES) else f"{field}: {message}"


class FaultCollector:
    """Collects the faults of several checks, so that one problem names all of them."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self._problem = "validation_failed"

    def __bool__(self) -> bool:
        return bool(self._faults)

    def add(self, field: str, message: str, code: str = "invalid") -> None:
        self._faults.append((field, message, code))

    @contextmanager
    def catch(self, at: str = "") -> Iterator[None]:
        """Collect the faults of a problem that names fields, each below the place `at`. Other problems pass."""
        try:
            yield
        except Problem as problem:
            if "errors" not in problem.members:
                raise
            self._faults += [(at + each["field"], each["message"], each["code"]) for each in problem.members["errors"]]
            if problem.code != "validation_failed":
                self._problem = problem.code

    def raise_if_any(self) -> None:
        """Raise one problem for all faults; its code is that of the most specific one."""
        if self._faults:
            raise invalid_fields(*self._faults, problem=self._problem)


def retry_later(code: str, seconds: int, detail: str | None = None) -> Problem:
    """Return a refusal that ends by itself. The API sends its member `retry_after` as `Retry-After`, too."""
    return Problem(code, detail, retry_after=seconds)


def schema_missing() -> Problem:
    """Return the refusal of every request while the database is empty."""
    detail = "The database has no schema yet. The operator has to run: sightline migrate"
    return retry_later("service_unavailable", 30, detail)

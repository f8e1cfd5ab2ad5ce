"""Every exception that the SDK raises. A problem document of the server becomes a `ProblemError`."""

from collections.abc import Mapping
from typing import Any

import msgspec

from sightline_sdk._problem_codes import ProblemCode


class SightlineError(Exception):
    """The base of all exceptions of the SDK."""


class ConfigurationError(SightlineError):
    """The client was not given what it needs, such as an API key."""


class WrongKeyKindError(SightlineError):
    """The key is for the other API. Nothing was sent."""


class ConnectionFailedError(SightlineError):
    """The server could not be reached, or the connection ended before the response was complete."""


class RequestTimeoutError(ConnectionFailedError):
    """The server did not respond in time."""


class UnreadableResponseError(SightlineError):
    """The response is not one of Sightline: perhaps `base_url` is the address of something else."""


class WaitTimeoutError(SightlineError):
    """The scan has not ended in the given time. It goes on, and can be waited for again."""


class WebhookVerificationError(SightlineError):
    """The delivery is not signed with the secret, is too old, or is not complete. Do not trust its content."""


class FieldError(msgspec.Struct, frozen=True):
    """One invalid field of a request."""

    field: str
    message: str
    code: str = ""


class ProblemError(SightlineError):
    """The server refused the request. `code` is stable: use it to handle the error."""

    def __init__(self, status: int, problem: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        self.status = status
        self.code: ProblemCode = _text(problem.get("code")) or "unknown"
        self.title = _text(problem.get("title")) or f"HTTP {status}"
        self.detail = _text(problem.get("detail"))
        self.request_id = _text(problem.get("request_id")) or headers.get("x-request-id")
        self.errors = _read_field_errors(problem.get("errors"))
        self.retry_after = _read_seconds(headers.get("retry-after"))
        """Seconds after which the same request may succeed. None where the server does not say."""
        self.members = dict(problem)
        """The whole problem document, with the members that only some codes have."""
        self.headers = dict(headers)
        super().__init__(self._describe())

    def __reduce__(self) -> tuple[Any, ...]:
        """Let the error be copied to another process, as pools of workers do."""
        return type(self), (self.status, self.members, self.headers)

    def _describe(self) -> str:
        fields = "".join(f" [{error.field}: {error.message}]" for error in self.errors)
        sentence = self.detail or self.title
        return f"{self.status} {self.code}: {sentence}{fields} (request {self.request_id})"


class BadRequestError(ProblemError):
    """400, 405, 413, 415: the request cannot be understood."""


class AuthenticationError(ProblemError):
    """401: the key is missing, mistyped, revoked or expired."""


class InsufficientCreditsError(ProblemError):
    """402: the workspace has fewer credits than this costs."""


class PermissionDeniedError(ProblemError):
    """403: the key, its scopes, the role of its creator or the plan does not allow this."""


class NotFoundError(ProblemError):
    """404, 410: it does not exist, belongs to another workspace, or is no longer stored."""


class ConflictError(ProblemError):
    """409: the current state does not allow this, such as a second scan of a domain."""


class ValidationError(ProblemError):
    """422: `errors` names every invalid field."""


class RateLimitError(ProblemError):
    """429: too many requests in this minute or month, or too many open streams."""


class ServerError(ProblemError):
    """5xx: the server failed, or is not available now."""


_CLASSES: Mapping[int, type[ProblemError]] = {
    401: AuthenticationError,
    402: InsufficientCreditsError,
    403: PermissionDeniedError,
    404: NotFoundError,
    410: NotFoundError,
    409: ConflictError,
    422: ValidationError,
    429: RateLimitError,
}


def build_problem_error(status: int, body: bytes, headers: Mapping[str, str]) -> ProblemError:
    """Return the exception for a refusal. What is not a problem document, such as a proxy's page, has no code."""
    try:
        problem = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        problem = None
    kind = ServerError if status >= 500 else _CLASSES.get(status, BadRequestError)
    return kind(status, problem if isinstance(problem, dict) else {}, headers)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _read_field_errors(value: object) -> list[FieldError]:
    try:
        return msgspec.convert(value or [], list[FieldError])
    except msgspec.ValidationError:
        return []


def _read_seconds(value: str | None) -> float | None:
    try:
        return None if value is None else max(0.0, float(value))
    except ValueError:  # a date, which Sightline does not send
        return None

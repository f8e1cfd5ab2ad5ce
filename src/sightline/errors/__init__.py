"""Every refusal of either API: one exception, and one catalog of problem codes in `catalog.py`.

The problem documents, the OpenAPI responses and the page /docs/errors are all built from `CATALOG`; a test proves that
no other code is raised anywhere.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sightline.errors.catalog import CATALOG, ProblemKind

__all__ = [
    "CATALOG",
    "MAX_FAULTS",
    "Fault",
    "FaultCollector",
    "Problem",
    "ProblemKind",
    "console_disabled",
    "invalid_field",
    "invalid_fields",
    "name_errors",
    "name_field",
    "retry_later",
    "role_required",
    "schema_missing",
]

Fault = tuple[str, str, str]
"""A field of the request, what is wrong with it, and a code."""
MAX_FAULTS = 100  # that one problem names
# A message that begins with one of these needs the field as its subject.
_PREDICATES = ("must ", "is ", "are ", "has ", "needs ", "was ", "does ", "contains ", "cannot ")


class Problem(Exception):
    """The only exception that becomes a refusal. `detail` is for what the catalog cannot say."""

    def __init__(self, code: str, detail: str | None = None, **members: Any) -> None:
        self.code = code
        self.kind = CATALOG[code]
        self.detail = detail or self.kind.explain(members)
        self.members = members
        super().__init__(f"{code}: {self.detail}")


def invalid_field(field: str, message: str, code: str = "invalid") -> Problem:
    """Return 422 `validation_failed` for one field of the request."""
    return invalid_fields((field, message, code))


def invalid_fields(*faults: Fault, problem: str = "validation_failed") -> Problem:
    """Return one problem for several faults, of which it names the first 100."""
    named = faults[:MAX_FAULTS]
    errors = [{"field": field, "message": message, "code": code} for field, message, code in named]
    return Problem(problem, "; ".join(name_field(field, message) for field, message, _ in named), errors=errors)


def name_field(field: str, message: str) -> str:
    """Return a message with the field that it is about: as its subject if it lacks one, else in front of it."""
    return f"{field} {message}" if message.startswith(_PREDICATES) else f"{field}: {message}"


def name_errors(problem: Problem) -> dict[str, Any]:
    """Return the members of a problem, with messages in `errors` that can be read alone."""
    if "errors" not in problem.members:
        return problem.members
    errors = [each | {"message": name_field(each["field"], each["message"])} for each in problem.members["errors"]]
    return problem.members | {"errors": errors}


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
        """Collect the faults of a problem that names fields, each with the prefix `at`. Other problems are raised."""
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
    """Return a temporary problem. The API also sends its member `retry_after` as the header `Retry-After`."""
    return Problem(code, detail, retry_after=seconds)


def console_disabled() -> Problem:
    """Return the refusal of every request to the Console while the operator has switched it off."""
    return retry_later("service_disabled", 60)


def role_required(needed: str, current: str | None, *, by_key: bool = False) -> Problem:
    """Return the refusal of a member whose role is too low, or of a key whose maker's role is."""
    who = "the member who made this key has" if by_key else "you have"
    detail = f"This needs the role {needed} or above; {who} {current or 'left the workspace'} today."
    return Problem("workspace_access_required", detail, reason="role", required_role=str(needed))


def schema_missing() -> Problem:
    """Return the refusal of every request while the database is empty."""
    detail = "The database has no schema yet. The operator has to run: sightline migrate"
    return retry_later("service_unavailable", 30, detail)

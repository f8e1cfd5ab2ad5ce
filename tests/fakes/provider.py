"""The interface of a fake provider."""

import json
from dataclasses import dataclass, field
from typing import Any

from tests.fakes import content
from tests.fakes.content import Statement


@dataclass(frozen=True)
class Reply:
    payload: Any
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ProviderRequest:
    """One request, as the server received it."""

    method: str
    path: str
    headers: dict[str, str]
    query: dict[str, str]
    body: Any
    base_url: str

    def header(self, name: str) -> str:
        return self.headers.get(name.lower(), "")

    @property
    def fields(self) -> dict[str, Any]:
        return self.body if isinstance(self.body, dict) else {}


class Provider:
    """The paths, request validation and replies of a provider. Paths are relative to its base address."""

    name: str
    key: str
    paths: tuple[tuple[str, str], ...]
    model = "fake-model-1"

    def refusal(self, request: ProviderRequest) -> Reply | None:
        """Return the error of the real provider for an invalid request, or None."""
        raise NotImplementedError

    def prompt(self, request: ProviderRequest) -> str:
        raise NotImplementedError

    def answer(self, request: ProviderRequest, statements: tuple[Statement, ...]) -> Reply:
        raise NotImplementedError

    def error(self, kind: str, status: int) -> Reply:
        """Return the reply for one of: rate_limited, no_money, unauthorised, server_error, overloaded."""
        raise NotImplementedError

    def inner_error(self, request: ProviderRequest) -> Reply:
        raise NotImplementedError

    def missing_fields(self, request: ProviderRequest) -> Reply:
        complete = self.answer(request, content.statements()).payload
        return Reply({name: value for name, value in complete.items() if not isinstance(value, list | dict)})

    def nothing_found(self, request: ProviderRequest) -> Reply:
        return self.answer(request, (Statement(" "),))

    def settings(self, base_url: str) -> dict[str, str]:
        prefix = f"SIGHTLINE_{self.name.upper()}"
        return {f"{prefix}_BASE_URL": base_url + self.base_path, f"{prefix}_API_KEY": self.key}

    base_path = ""


def bearer_token(request: ProviderRequest) -> str:
    scheme, _, token = request.header("authorization").partition(" ")
    return token if scheme == "Bearer" else ""


def as_json(payload: Any) -> bytes:
    return json.dumps(payload, ensure_ascii=False, indent=1).encode()

"""What a fake of any provider has to say for itself."""

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
class Asked:
    """One request, as the server got it."""

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
    """A provider's paths, its checks and its replies. Paths are below the provider's own base address."""

    name: str
    key: str
    paths: tuple[tuple[str, str], ...]
    model = "fake-model-1"

    def refusal(self, asked: Asked) -> Reply | None:
        """What is wrong with the request, as the real one would say it."""
        raise NotImplementedError

    def prompt(self, asked: Asked) -> str:
        raise NotImplementedError

    def answer(self, asked: Asked, told: tuple[Statement, ...]) -> Reply:
        raise NotImplementedError

    def error(self, kind: str, status: int) -> Reply:
        """The reply to one of: rate_limited, no_money, unauthorised, server_error, overloaded."""
        raise NotImplementedError

    def inner_error(self, asked: Asked) -> Reply:
        raise NotImplementedError

    def missing_fields(self, asked: Asked) -> Reply:
        whole = self.answer(asked, content.statements()).payload
        return Reply({name: value for name, value in whole.items() if not isinstance(value, list | dict)})

    def nothing_found(self, asked: Asked) -> Reply:
        return self.answer(asked, (Statement(" "),))

    def settings(self, base_url: str) -> dict[str, str]:
        prefix = f"SIGHTLINE_{self.name.upper()}"
        return {f"{prefix}_BASE_URL": base_url + self.base_path, f"{prefix}_API_KEY": self.key}

    base_path = ""


def bearer_of(asked: Asked) -> str:
    scheme, _, token = asked.header("authorization").partition(" ")
    return token if scheme == "Bearer" else ""


def as_json(payload: Any) -> bytes:
    return json.dumps(payload, ensure_ascii=False, indent=1).encode()

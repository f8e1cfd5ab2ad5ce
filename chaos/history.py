"""What the clients saw, recorded as it happened; the checker uses nothing else from them."""

import time
from pathlib import Path

import msgspec

# Definite answers. Anything else (no answer, 5xx, "still in progress") does not tell the client what happened.
IN_PROGRESS = "idempotency_in_progress"
HEALED = "healed"


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """A request and its response. `status` is None if the connection broke or no response came in time."""

    kind: str
    """submit, cancel, read, balance, checkout, pay, recover"""
    workspace: str
    began: float
    ended: float
    key: str | None = None
    domain: str | None = None
    status: int | None = None
    code: str | None = None
    scan: str | None = None
    scan_status: str | None = None
    balance: int | None = None
    reference: str | None = None
    degraded: bool = False
    replayed: bool = False
    error: str | None = None
    healed: bool = False
    """Whether it was sent after the chaos, when nothing was broken any more."""

    @property
    def is_definite(self) -> bool:
        return self.status is not None and self.status < 500 and self.code != IN_PROGRESS

    @property
    def is_accepted(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


class Blow(msgspec.Struct, frozen=True):
    """A fault that the nemesis caused, or that everything was healed."""

    at: float
    what: str
    detail: str = ""


class History:
    def __init__(self) -> None:
        self.began = time.monotonic()
        self.calls: list[Call] = []
        self.blows: list[Blow] = []
        self.healed = False

    def now(self) -> float:
        return time.monotonic() - self.began

    def add(self, call: Call) -> None:
        self.calls.append(call)

    def strike(self, what: str, detail: str = "") -> None:
        self.blows.append(Blow(round(self.now(), 2), what, detail))

    def heal(self) -> None:
        self.healed = True
        self.strike(HEALED)

    def save(self, path: Path) -> None:
        lines = [msgspec.json.encode(record) for record in (*self.blows, *self.calls)]
        path.write_bytes(b"\n".join(lines) + b"\n")

"""What the clients saw, written down as it happened; the checker believes nothing else of them."""

import time
from pathlib import Path

import msgspec

# Answers after which a client knows where it stands. Anything else (no answer, 5xx, "still in progress") is no answer.
IN_PROGRESS = "idempotency_in_progress"


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One request and what came of it. `status` None: the connection broke or nothing came in time."""

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
    """Made after the chaos, when nothing was broken any more."""

    @property
    def is_definite(self) -> bool:
        return self.status is not None and self.status < 500 and self.code != IN_PROGRESS

    @property
    def is_accepted(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


class Blow(msgspec.Struct, frozen=True):
    """Something that the nemesis did."""

    at: float
    what: str


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

    def strike(self, what: str) -> None:
        self.blows.append(Blow(round(self.now(), 2), what))

    def heal(self) -> None:
        self.healed = True
        self.strike("healed")

    def save(self, path: Path) -> None:
        lines = [msgspec.json.encode(record) for record in (*self.blows, *self.calls)]
        path.write_bytes(b"\n".join(lines) + b"\n")

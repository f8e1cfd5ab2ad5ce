"""The security log: who signed in or failed to, and who changed keys, members, webhooks, platforms and the like.

It holds ids and names of roles, platforms and fields only. What happens in a transaction is logged when the transaction
has committed, because what was rolled back did not happen. docs/operate/logs.md lists the events.
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import structlog

log = structlog.get_logger()

_Fields = dict[str, object]
_caller: ContextVar[dict[str, str] | None] = ContextVar("caller", default=None)
_held: ContextVar[list[tuple[str, _Fields]] | None] = ContextVar("held_security_events", default=None)


def identify_caller(**ids: object) -> None:
    """Set who causes the events of this request or command, replacing earlier values. None values are left out.

    `address` is for the audit log: log lines do not contain it.
    """
    _caller.set({name: str(value) for name, value in ids.items() if value is not None})


def read_caller() -> dict[str, str]:
    """Return who causes the events of this request or command, with their address if they have one."""
    return _caller.get() or {}


def record_security_event(event: str, **fields: object) -> None:
    """Log an event now, or once the open transaction has committed. Fields are ids, names and counts, never secrets."""
    shown = {name: str(value) if isinstance(value, uuid.UUID) else value for name, value in fields.items()}
    caller = {name: value for name, value in read_caller().items() if name != "address"}
    fields = {"category": "security", **caller, **shown}
    held = _held.get()
    if held is None:
        log.info(event, **fields)
    else:
        held.append((event, fields))


@contextmanager
def hold_security_events() -> Iterator[None]:
    """Hold the events of a block, and log them when it has ended without an exception."""
    before, held = _held.get(), list[tuple[str, _Fields]]()
    _held.set(held)
    try:
        yield
    finally:
        _held.set(before)
    if before is not None:
        before += held
        return
    for event, fields in held:
        log.info(event, **fields)


@contextmanager
def omit_security_events() -> Iterator[None]:
    """Log no events of a block: the people of a demonstration are made up."""
    before = _held.get()
    _held.set([])
    try:
        yield
    finally:
        _held.set(before)

"""Loops that run as long as their process, and wait while the database is unavailable or has no schema.

However many loops of a process wait, one line says so, and one says when all of them continue.
"""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from sightline.db.failures import DatabaseUnavailable, SchemaMissing
from sightline.kit.shell_command import format_command

log = structlog.get_logger()

Step = Callable[[], Awaitable[object]]


class _WaitingLoops:
    """The loops of this process that wait for the database, each with the kind of failure that it waits for."""

    def __init__(self) -> None:
        self._failures: dict[object, type[Exception]] = {}

    def add(self, loop: object, failure: DatabaseUnavailable | SchemaMissing) -> None:
        is_known = type(failure) in self._failures.values()
        self._failures[loop] = type(failure)
        if not is_known:
            command = format_command("migrate") if isinstance(failure, SchemaMissing) else format_command("doctor")
            log.warning("waiting_for_database", reason=str(failure), remedy=f"run: {command}")

    def remove(self, loop: object) -> None:
        if self._failures.pop(loop, None) is not None and not self._failures:
            log.info("database_available")

    def forget(self, loop: object) -> None:
        """Forget a loop that has ended."""
        self._failures.pop(loop, None)


_waiting = _WaitingLoops()


async def run_forever(
    step: Step,
    *,
    every: float | Callable[[], float],
    failure_event: str | None = None,
    failure_delay: float = 0.0,
    wait_first: bool = False,
    until: asyncio.Event | None = None,
) -> None:
    """Run `step` again and again, with a pause of `every` seconds in between, until cancelled or `until` is set.

    While PostgreSQL is unavailable or has no schema, the step is tried again, after `failure_delay` seconds on top of
    the pause. Any other exception is logged as `failure_event` and treated the same; without a `failure_event` it ends
    the loop.
    """
    loop = object()
    if wait_first:
        await asyncio.sleep(every() if callable(every) else every)
    try:
        while until is None or not until.is_set():
            try:
                await step()
                _waiting.remove(loop)
            except (DatabaseUnavailable, SchemaMissing) as failure:
                _waiting.add(loop, failure)
                await asyncio.sleep(failure_delay)
            except Exception:
                if failure_event is None:
                    raise
                log.exception(failure_event)
                await asyncio.sleep(failure_delay)
            await asyncio.sleep(every() if callable(every) else every)
    finally:
        _waiting.forget(loop)

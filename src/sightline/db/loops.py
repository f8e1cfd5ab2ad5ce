"""Loops that run as long as their process and survive an outage of the database."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from sightline.db.engine import DatabaseUnavailable

log = structlog.get_logger()

Step = Callable[[], Awaitable[object]]


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

    While PostgreSQL is unavailable the step is tried again, after `failure_delay` seconds on top of the pause. Any
    other exception is logged as `failure_event` and treated the same; without a `failure_event` it ends the loop.
    """
    if wait_first:
        await asyncio.sleep(every() if callable(every) else every)
    while until is None or not until.is_set():
        try:
            await step()
        except DatabaseUnavailable as error:
            log.debug("loop_delayed", loop=failure_event, reason=str(error))
            await asyncio.sleep(failure_delay)
        except Exception:
            if failure_event is None:
                raise
            log.exception(failure_event)
            await asyncio.sleep(failure_delay)
        await asyncio.sleep(every() if callable(every) else every)

"""The lag of the event loop: how much later than asked a timer wakes up, because something blocks the process."""

import asyncio

from prometheus_client import Histogram

_EVERY_SECONDS = 0.5
_LAG = Histogram(
    "sightline_event_loop_lag_seconds",
    "Delay of a timer of this process beyond its due time, measured twice a second.",
    buckets=(0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5),
)


async def watch_event_loop() -> None:
    """Measure the lag until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + _EVERY_SECONDS
        await asyncio.sleep(_EVERY_SECONDS)
        _LAG.observe(max(0.0, loop.time() - due))

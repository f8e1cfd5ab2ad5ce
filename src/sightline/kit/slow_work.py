"""The thread for work that would make other requests wait: more than about 20 ms on the event loop.

There is one thread, so the work of many requests is done one after the other. Several threads would each compete with
the event loop for the interpreter.
"""

import asyncio
import contextvars
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

_THREAD = ThreadPoolExecutor(1, thread_name_prefix="slow_work")
# A thread that computes gives the interpreter back after this time; Python's default is ten times as long. The event
# loop waits for it after every wait for the database, so a page with eight statements would take 40 ms longer.
_SWITCH_SECONDS = 0.0005


def favor_event_loop() -> None:
    """Let the event loop of this process interrupt its threads more often. For a process that serves requests."""
    sys.setswitchinterval(_SWITCH_SECONDS)


async def run_slow_work(
    function: Callable[Arguments, Result], /, *arguments: Arguments.args, **options: Arguments.kwargs
) -> Result:
    """Call a function in the thread, in the caller's context, while the event loop serves others."""
    context = contextvars.copy_context()
    return await asyncio.get_running_loop().run_in_executor(
        _THREAD, lambda: context.run(function, *arguments, **options)
    )

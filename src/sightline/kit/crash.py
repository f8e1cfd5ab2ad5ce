"""Crash points: named places at which a test kills or stops the process. Otherwise they do nothing."""

import os
import signal

_CRASH_AT = os.environ.get("SIGHTLINE_TEST_CRASH_AT")
_STOP_AT = os.environ.get("SIGHTLINE_TEST_STOP_AT")


def crash_point(name: str) -> None:
    if name == _CRASH_AT:
        os._exit(137)
    if name == _STOP_AT:
        os.kill(os.getpid(), signal.SIGSTOP)

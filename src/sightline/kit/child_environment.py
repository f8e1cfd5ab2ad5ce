"""The environment of child processes: what a Python program needs to run, and none of our settings.

Our settings hold secrets, and so may other variables, such as PGPASSWORD. So only names on a list are passed on.
"""

import os
from collections.abc import Mapping

_NAMES = {"HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "TEMP", "TMP", "TMPDIR", "TZ", "USER", "VIRTUAL_ENV"}
_PREFIXES = (
    "DYLD_",
    "FONTCONFIG_",
    "LC_",
    "LD_",
    "OMP_",
    "OPENBLAS_",
    "PYTHON",
    "SIGHTLINE_TEST_CRASH_AT",  # crash points of tests
    "SIGHTLINE_TEST_STOP_AT",
    "XDG_",
)


def build_child_environment(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the variables of the environment, ours by default, that a child process may have."""
    given = os.environ if environment is None else environment
    return {name: value for name, value in given.items() if name in _NAMES or name.startswith(_PREFIXES)}

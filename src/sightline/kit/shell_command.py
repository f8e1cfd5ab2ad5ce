"""Commands of this program, written so that they can be pasted into a shell where it was started."""

import os
import shlex
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

_INSTALLATION = ("SIGHTLINE_DATA_DIR", "SIGHTLINE_HOST", "SIGHTLINE_PORT", "SIGHTLINE_BASE_URL")
"""Variables without a secret that say which installation a command works on, and which address it prints."""

_NAMES = ("sightline", "sightline-ai")


def format_command(*words: str, **variables: str) -> str:
    """Return the command `sightline` with these words, with the path and the variables that it was started with.

    Another shell may lack the variables, and the command would then work on another installation. `variables` add to
    them or replace them. Variables with secrets, such as SIGHTLINE_DATABASE_URL, are never printed.
    """
    given = {name: value for name in _INSTALLATION if (value := os.environ.get(name))} | variables
    if data_dir := given.get("SIGHTLINE_DATA_DIR"):
        given["SIGHTLINE_DATA_DIR"] = str(Path(data_dir).expanduser().absolute())
    settings = [f"{name}={value}" for name, value in given.items()]
    return shlex.join([*(["env", *settings] if settings else []), *_find_program(), *words])


def format_install(requirement: str) -> str:
    """Return the command that installs a package next to this program. An environment that uv made has no pip."""
    if find_spec("pip") is None:
        return shlex.join(["uv", "pip", "install", "--python", sys.executable, requirement])
    return shlex.join([_shorten(Path(sys.executable)), "-m", "pip", "install", requirement])


def _find_program() -> list[str]:
    """Return how this program is started: by its name if the shell finds it, and by its path otherwise."""
    program = Path(sys.argv[0])
    if (program.parent.name, program.name) == ("sightline", "__main__.py"):
        return [_shorten(Path(sys.executable)), "-m", "sightline"]
    if program.name not in _NAMES or not program.exists():
        return ["sightline"]  # it runs inside another program
    found = shutil.which(program.name)
    is_found = found is not None and Path(found).samefile(program)
    return [program.name if is_found else _shorten(program)]


def _shorten(program: Path) -> str:
    """Return the path from the working directory if it is below it. It has a slash, so that a shell takes it as one."""
    place, here = program.absolute(), Path.cwd()
    if not place.is_relative_to(here):
        return str(place)
    relative = str(place.relative_to(here))
    return relative if os.sep in relative else f"{os.curdir}{os.sep}{relative}"

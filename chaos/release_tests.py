"""Run the tests of the release before on the schema of this one: `python -m chaos.release_tests [pytest options]`.

The old tests run every query of the old source. They get the migrations of this release, and nothing else of the new
source: what fails here fails in old processes during an upgrade.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from chaos.release import ReleaseMissing, unpack_commit

_ROOT = Path(__file__).resolve().parents[1]
_MIGRATIONS = Path("src", "sightline", "db", "migrations", "versions")
# Without a database of their own, about the migrations themselves, or about programs that are started by hand.
_LEFT_OUT = ("browser", "db", "docs", "process", "sdk", "mcp", "cli")


def main(options: list[str]) -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            unpack_commit(_ROOT, folder)
        except ReleaseMissing as missing:
            print(f"The tests of the release before cannot be run here: {missing}")
            return 2
        added = _replace_migrations(folder)
        print(f"{len(added)} migrations since the release before: {' '.join(added) or 'none'}", flush=True)
        return _run_tests(folder, options)


def _replace_migrations(folder: Path) -> list[str]:
    """Replace the migrations of the release before, and return the names of those that are newer."""
    newest = max(path.name for path in (folder / _MIGRATIONS).glob("[0-9]*_*.py"))
    shutil.rmtree(folder / _MIGRATIONS)
    shutil.copytree(_ROOT / _MIGRATIONS, folder / _MIGRATIONS, ignore=shutil.ignore_patterns("__pycache__"))
    numbers = newest.partition("_")[0]
    return sorted(path.stem for path in (folder / _MIGRATIONS).glob("*.py") if path.name.partition("_")[0] > numbers)


def _run_tests(folder: Path, options: list[str]) -> int:
    left_out = [f"--ignore=tests/{name}" for name in _LEFT_OUT]
    command = [sys.executable, "-m", "pytest", "-q", "-m", "not slow", *left_out, *options]
    environment = os.environ | {"PYTHONPATH": f"{folder / 'src'}{os.pathsep}{folder}"}
    return subprocess.run(command, cwd=folder, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Every benchmark of `python -m bench` runs in its shortest form and prints its figures."""

import subprocess
import sys
from pathlib import Path

import pytest

from bench.__main__ import NAMES

ROOT = Path(__file__).parents[2]
# All parts of `engine` take minutes, even in their shortest form. One of them starts what the others start.
SHORT_NAMES = [*(name for name in NAMES if name != "engine"), "engine-200ms"]


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", SHORT_NAMES)
def test_a_benchmark_ends_well_and_prints_its_figures(name):
    command = [sys.executable, "-m", "bench", name, "--quick"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    title, *lines = [line for line in done.stdout.splitlines() if line.startswith("  ")] or [""]
    assert title and any(any(char.isdigit() for char in line) for line in lines), done.stdout

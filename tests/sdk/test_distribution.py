"""The wheel of the SDK in an environment of its own, and the examples of its README, which run there."""

import os
import subprocess
import sys
import venv
from importlib.metadata import distribution
from pathlib import Path

import msgspec
import pytest
from packaging.requirements import Requirement

from sightline import __version__
from tests.process.crashes.scenario import open_scenario
from tests.sdk.clients import open_client

SDK = Path(__file__).parents[2] / "sdk/python"
README = (SDK / "README.md").read_text()
EXAMPLES = sorted((SDK / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda file: file.stem)
def test_the_readme_shows_the_examples_that_are_run_and_type_checked(example):
    assert f"```python\n{example.read_text()}```\n" in README


def test_the_first_example_has_at_most_20_lines():
    assert len((SDK / "examples/first_scan.py").read_text().splitlines()) <= 20


def copy_distribution(name: str, target: Path, copied: set[str]) -> None:
    """Copy an installed distribution and what it requires: the clean environment has that, and nothing else."""
    if name in copied:
        return
    copied.add(name)
    installed = distribution(name)
    for file in installed.files or []:
        if ".." not in file.parts and "__pycache__" not in file.parts:
            (target / file).parent.mkdir(parents=True, exist_ok=True)
            (target / file).write_bytes(Path(installed.locate_file(file)).read_bytes())
    for text in installed.requires or []:
        needed = Requirement(text)
        if needed.marker is None or needed.marker.evaluate({"extra": ""}):
            copy_distribution(needed.name, target, copied)


def build_wheel(project: Path, target: Path) -> Path:
    """Build as `make dist` does: without a network, with what is installed."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)]
    subprocess.run(build, cwd=project, check=True, capture_output=True)
    (wheel,) = target.glob("*.whl")
    return wheel


def install(wheel: Path, interpreter: Path, *options: str) -> None:
    command = [interpreter, "-m", "pip", "install", "--no-index", "--quiet", "--disable-pip-version-check", *options]
    subprocess.run([*command, wheel], check=True)


@pytest.fixture
def python(tmp_path):
    """Return the interpreter of a fresh environment with the wheel. pip verifies that all requirements are met."""
    home = tmp_path / "clean"
    venv.create(home, with_pip=True)
    (packages,) = home.glob("lib/python*/site-packages")
    copied: set[str] = set()
    for name in ("httpx2", "msgspec"):
        copy_distribution(name, packages, copied)
    install(build_wheel(SDK, tmp_path / "sdk"), home / "bin/python")
    return home / "bin/python"


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_the_examples_run_with_the_wheel_alone(python, database_url, tmp_path):
    def run(*arguments: str | Path, **environment: str) -> str:
        done = subprocess.run(
            [python, "-W", "error", *arguments],
            cwd=tmp_path,
            env={"PATH": os.environ["PATH"], **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    timed = "import time; began = time.process_time(); import sightline_sdk; print(time.process_time() - began)"
    best = min(float(run("-I", "-c", timed)) for _ in range(4))
    assert best < 0.6  # 0.15 s on a quiet machine; the first run compiles
    missing = "import importlib.util; print(importlib.util.find_spec('sightline'), importlib.util.find_spec('aiohttp'))"
    assert run("-I", "-c", missing) == "None None\n"

    async with open_scenario(database_url, tmp_path) as scenario:
        await open_client(scenario.installation, scenario.tenant.live).domains.remove(scenario.domain_id)
        await scenario.installation.tracked_domain(scenario.tenant)
        with scenario.serving() as process:
            address = {"SIGHTLINE_BASE_URL": process.url}
            for _ in range(2):  # the second time the domain is registered already
                printed = run(SDK / "examples/first_scan.py", SIGHTLINE_API_KEY=scenario.tenant.live, **address)
                assert "2 answers cost 2 of" in printed and "of 2 answers, range" in printed
            printed = run(SDK / "examples/tracked_domains.py", SIGHTLINE_API_KEY=scenario.tenant.data, **address)
            assert printed == "acme.com: None (None to None)\n"
    assert run(SDK / "examples/receive_webhook.py") == ""

    # The wheel of the server next to it. What that requires is read from the environment of the tests.
    wheel = build_wheel(SDK.parents[1], tmp_path / "server")
    install(wheel, python, "--no-deps")
    (packages,) = python.parents[1].glob("lib/python*/site-packages")
    (packages / "required.pth").write_text(f"{Path(msgspec.__file__).parents[1]}\n")
    where = "import sightline, sightline_sdk; print(sightline.__file__, sightline_sdk.__file__)"
    assert run("-c", where).split() == [str(packages / name / "__init__.py") for name in ("sightline", "sightline_sdk")]
    assert run(python.with_name("sightline"), "--version").split()[-1] == __version__

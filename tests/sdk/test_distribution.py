"""The wheel of the SDK in an environment of its own, and the examples of its README, which run there."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.clean_environment import build_wheel, create_environment, install
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


@pytest.fixture
def python(tmp_path):
    """Return the interpreter of a fresh environment with the wheel. pip verifies that all requirements are met."""
    interpreter = create_environment(tmp_path / "clean", "httpx2", "msgspec")
    install(build_wheel(SDK, tmp_path / "sdk"), interpreter)
    return interpreter


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

"""deploy/image/try: two of them can run at once, or one next to a service, because it takes its ports."""

import json
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "deploy/image/try"


@pytest.fixture(scope="module")
def script():
    module = ModuleType("image_try")  # not imported, which would leave compiled code next to the script
    exec(compile(SCRIPT.read_text(), SCRIPT, "exec"), vars(module))
    return module


@pytest.fixture
def image(tmp_path):
    config = {"Env": ["SIGHTLINE_HOST=0.0.0.0"], "Entrypoint": ["tini", "--", "sightline"], "Cmd": ["serve"]}
    (tmp_path / "config.json").write_text(json.dumps(config))
    return tmp_path


def test_every_part_uses_the_ports_that_were_given(script, image):
    ports = ["--port", "1111", "--worker-port", "2222", "--postgresql-port", "3333"]
    parts = script.Parts(script.parse_arguments([str(image), "--parts", *ports]))
    environment = parts.environment
    assert (environment["SIGHTLINE_PORT"], environment["SIGHTLINE_WORKER_PORT"]) == ("1111", "2222")
    assert "@127.0.0.1:3333/" in environment["SIGHTLINE_DATABASE_URL"]
    assert parts.image.environment["SIGHTLINE_PORT"] == "1111"


def test_a_container_gets_its_command_unchanged(script, image):
    command = ["65534", "sh", "-c", "echo --port", "--", "--parts"]
    options = script.parse_arguments([str(image), "--inside", *command])
    assert options.inside == command and not options.parts

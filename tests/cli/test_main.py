"""The command itself."""

import subprocess
import sys

import pytest
from typer.main import get_group

from sightline.cli.main import app

_LIST_MODULES = "import sys; from sightline.cli.main import app; print(*sys.modules)"


def test_the_version_needs_no_feature_and_no_database():
    found = subprocess.run([sys.executable, "-c", _LIST_MODULES], capture_output=True, text=True, check=True)
    loaded = set(found.stdout.split())
    assert "sightline.cli.failures" in loaded
    assert not loaded & {"asyncpg", "pydantic", "sightline.settings", "sightline.db.engine", "sightline.cli.serving"}


@pytest.mark.parametrize("name", list(get_group(app).commands))
def test_every_command_can_be_loaded_under_its_name(name):
    command = get_group(app).commands[name]
    assert command.name == name
    assert command.get_short_help_str()

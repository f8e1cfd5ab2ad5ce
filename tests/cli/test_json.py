"""Every command that prints something prints JSON on request: results on stdout, failures on stderr."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from sightline import __version__
from sightline.cli.context import print_result
from sightline.cli.main import app

# These run until they are stopped, and write logs; SIGHTLINE_LOG_FORMAT=json makes those JSON.
LONG_RUNNING = {"serve", "api", "worker", "mcp"}


def walk(command: Any, path: str = "") -> Iterator[tuple[str, set[str]]]:
    if hasattr(command, "commands"):
        for name, inner in command.commands.items():
            yield from walk(inner, f"{path} {name}".strip())
    else:
        yield path, {option for parameter in command.params for option in parameter.opts}


COMMANDS = dict(walk(typer.main.get_command(app)))


@pytest.mark.parametrize("name", sorted(COMMANDS.keys() - LONG_RUNNING))
def test_every_command_has_the_option(name):
    assert "--json" in COMMANDS[name]


def test_the_version_is_an_option_and_a_command():
    assert CliRunner().invoke(app, ["--version"]).output.strip() == __version__
    assert json.loads(CliRunner().invoke(app, ["version", "--json"]).stdout) == {"version": __version__}


def test_times_are_written_as_the_apis_write_them(capsys):
    print_result({"at": datetime(2026, 11, 16, 9, 30, tzinfo=UTC)}, as_json=True, print_text=print)
    assert json.loads(capsys.readouterr().out) == {"at": "2026-11-16T09:30:00.000000+00:00"}


@pytest.mark.parametrize(
    ("arguments", "exit_code", "code", "words"),
    [
        (["key", "list", "--json"], 2, "invalid_arguments", "--workspace"),
        (["key", "list", "--json", "--workspace", "x"], 2, "invalid_arguments", "valid UUID"),
        (["nothing", "--json"], 2, "invalid_arguments", "No such command"),
        (["check", "acme", "--json"], 2, "invalid_arguments", "single label"),
        (["platform", "pause", "x", "--json"], 1, "command_failed", "There is no platform 'x'"),
        (["console", "maybe", "--json"], 1, "command_failed", "Use on or off"),
    ],
)
def test_a_failure_is_a_document_on_stderr(arguments, exit_code, code, words):
    done = CliRunner().invoke(app, arguments)
    document = json.loads(done.stderr)
    assert (done.exit_code, document["code"], done.stdout) == (exit_code, code, "")
    assert words in document["detail"] and document["title"]


def test_without_the_option_a_failure_is_a_sentence():
    done = CliRunner().invoke(app, ["console", "maybe"])
    assert done.exit_code == 1 and re.fullmatch("Error: There is no state 'maybe'. Use on or off.\n", done.stderr)


def test_settings_that_are_not_valid_are_all_named(monkeypatch):
    monkeypatch.setenv("SIGHTLINE_PORT", "x")
    monkeypatch.setenv("SIGHTLINE_LOG_FORMAT", "x")
    done = CliRunner().invoke(app, ["platform", "list", "--json"])
    document = json.loads(done.stderr)
    assert (done.exit_code, document["code"]) == (2, "invalid_settings")
    assert "SIGHTLINE_PORT" in document["detail"] and "SIGHTLINE_LOG_FORMAT" in document["detail"]


def test_the_refusal_of_a_feature_keeps_its_code_and_members(database_url, monkeypatch, tmp_path):
    for name, value in {"DATABASE_URL": database_url, "SECRET_KEY": "s" * 40, "DATA_DIR": str(tmp_path)}.items():
        monkeypatch.setenv(f"SIGHTLINE_{name}", value)
    done = CliRunner().invoke(app, ["user", "add", "nobody", "--password", "correct horse battery", "--json"])
    document = json.loads(done.stderr)
    assert (done.exit_code, document["code"]) == (1, "validation_failed")
    assert document["errors"][0]["message"].startswith("email must be one e-mail address")

"""Commands that the program prints can be pasted: each one parses, and starts the same program on the same data."""

import ast
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

import sightline
from sightline.cli.main import app
from sightline.kit.shell_command import format_command, format_install

SOURCE = Path(sightline.__file__).parent
# Answers, pages and e-mails are read on another machine, where no path of the server is of use.
REMOTE = ("api/", "errors/", "web/", "monitoring/", "onboarding/", "mcp/", "credits/checkout/")
PROGRAM = Path(sys.executable).with_name("sightline")


def find_hints():
    """Yield the place and the words of every printed command. What is known only when it is printed is a number."""
    for file in sorted(SOURCE.rglob("*.py")):
        text = file.read_text()
        if "format_command(" not in text:
            continue  # every test process reads them all before its first test
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "format_command":
                words = [str(each.value) if isinstance(each, ast.Constant) else "1" for each in node.args]
                yield pytest.param(words, id=f"{file.relative_to(SOURCE)}:{node.lineno}")


def find_texts():
    """Yield the texts of the program that people read on this machine: not docstrings, help and descriptions."""
    for file in sorted(SOURCE.rglob("*.py")):
        if str(file.relative_to(SOURCE)).startswith(REMOTE):
            continue
        tree = ast.parse(file.read_text())
        ignored = {
            id(part)
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) or (isinstance(node, ast.keyword) and node.arg in {"help", "description"})
            for part in ast.walk(node.value)
            if not isinstance(node, ast.Expr) or isinstance(node.value, ast.Constant)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in ignored:
                yield f"{file.relative_to(SOURCE)}:{node.lineno}", node.value


def parse(words):
    """Parse words as the command line does, without running the command."""
    command = get_command(app)
    while commands := getattr(command, "commands", None):
        name, *words = words
        command = commands[name]
    command.make_context(command.name, words)


HINTS = list(find_hints())


@pytest.mark.parametrize("words", HINTS)
def test_a_printed_command_exists_and_has_all_arguments(words):
    parse(list(words))


def test_commands_are_printed_in_a_form_that_can_be_pasted():
    names = set(getattr(get_command(app), "commands"))  # noqa: B009 - groups alone have it
    assert len(HINTS) > 10
    for place, text in find_texts():
        for before, after in zip(text.split("sightline ")[:-1], text.split("sightline ")[1:], strict=True):
            word = after.split()[0].strip("`.,:;") if after.split() else ""
            assert word not in names or before.endswith("/"), f"{place} names a command without format_command: {text}"


@pytest.fixture
def elsewhere(tmp_path):
    folder = tmp_path / "a folder"
    folder.mkdir()
    return folder


def print_hint(command, folder, **variables):
    """Run a command that fails in this folder, and return the command that its error prints."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SIGHTLINE_")}
    done = subprocess.run(
        [*command, "platform", "test", "nothing"],
        cwd=folder,
        env=environment | variables,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1, done.stderr
    return done.stderr.strip().rpartition("run: ")[2]


@pytest.mark.parametrize("way", ["path", "module", "relative", "name"])
def test_the_hint_starts_the_same_program_however_it_was_started(elsewhere, way):
    (elsewhere / "sightline").symlink_to(PROGRAM)
    path = os.pathsep.join((str(PROGRAM.parent), os.environ["PATH"])) if way == "name" else "/usr/bin:/bin"
    command = {
        "path": [str(PROGRAM)],
        "module": [sys.executable, "-m", "sightline"],
        "relative": ["./sightline"],
        "name": ["sightline"],
    }[way]
    data_dir = elsewhere / "its data"
    hint = print_hint(command, elsewhere, PATH=path, SIGHTLINE_DATA_DIR=str(data_dir))
    assert shlex.split(hint)[-2:] == ["platform", "list"]
    pasted = subprocess.run(
        ["/bin/sh", "-c", f"{hint} --help"],
        cwd=elsewhere,
        env={"PATH": path, "HOME": "/"},
        check=False,
        capture_output=True,
        text=True,
    )
    assert pasted.returncode == 0 and "--json" in pasted.stdout, pasted.stderr
    assert f"SIGHTLINE_DATA_DIR={data_dir}" in shlex.split(hint)


def test_secrets_are_never_printed(monkeypatch):
    for name in ("SIGHTLINE_DATABASE_URL", "SIGHTLINE_SECRET_KEY", "SIGHTLINE_OPENAI_API_KEY"):
        monkeypatch.setenv(name, "hidden")
    monkeypatch.setenv("SIGHTLINE_PORT", "9000")
    assert format_command("demo", SIGHTLINE_PORT="9001").endswith("SIGHTLINE_PORT=9001 sightline demo")
    assert "hidden" not in format_command("demo")


def test_a_package_is_installed_into_the_environment_of_the_program():
    words = shlex.split(format_install("sightline-ai[mcp]"))
    assert words[-1] == "sightline-ai[mcp]"
    assert Path(sys.executable) in {Path(word).absolute() for word in words}

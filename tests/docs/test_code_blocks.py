"""Every code block of the documents is run by a test, or says that it is shown only, and then it is still checked.

`text` is output. `console` are commands that no test can run, such as those of Docker. `json` is a value. Blocks of
other languages have to be run: a test reads them with `read_blocks`.
"""

import json
import re
from typing import Any

import pytest
from typer.main import get_command

from sightline.cli.main import app
from sightline.settings import FORMER_NAMES, REMOVED, Settings
from tests.docs.code_blocks import DOCUMENTS, ROOT, list_blocks

SHOWN = {"text", "console", "json", "mermaid", "ini", "nginx"}
# Read otherwise than with `read_blocks`: the README of the SDK has a test of its own.
RUN_ELSEWHERE = {("docs/guides/python-sdk.md", "sh"), ("docs/guides/python-sdk.md", "python")}
CALL = re.compile(r'read_blocks\("([^"]+)", "(\w+)"\)')
SETTING = re.compile(r"\bSIGHTLINE_[A-Z][A-Z_0-9]+\b")
COMMAND = re.compile(
    r"""(?:^|\$\(|^[A-Z_]+=\S+\ |sightline-ai\ )(?:\.venv/bin/)?sightline((?:\ +(?:[^\s|>;)#"']+|"[^"]*"))+)""",
    re.MULTILINE | re.VERBOSE,
)


def find_run_blocks() -> set[tuple[str, str]]:
    sources = "\n".join(file.read_text() for file in (ROOT / "tests").rglob("test_*.py"))
    return set(CALL.findall(sources)) | RUN_ELSEWHERE


def check_command(words: list[str]) -> str | None:
    """Return what is wrong with the words after `sightline`: a command or an option that does not exist."""
    command: Any = get_command(app)
    for word in words:
        if word.startswith("--"):
            options = {name for each in command.params for name in (*each.opts, *each.secondary_opts)} | {"--help"}
            if word.partition("=")[0] not in options:
                return f"{command.name} has no option {word}"
        elif hasattr(command, "commands"):
            if word not in command.commands:
                return f"{command.name} has no command {word}"
            command = command.commands[word]
    return None


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_block_is_run_or_marked_as_shown(document):
    run, name = find_run_blocks(), str(document.relative_to(ROOT))
    for language, text in list_blocks(document):
        assert language in SHOWN or (name, language) in run, (language, text[:80])
        if language == "json":
            lines = text.splitlines()
            for value in lines if all(line.startswith("{") for line in lines) else [text]:
                json.loads(value)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_and_settings_in_blocks_exist(document):
    known = {f"SIGHTLINE_{name.upper()}" for name in Settings.model_fields} | {*FORMER_NAMES, *REMOVED}
    others = {"BASE_URL", "API_KEY", "TEST_DATABASE_URL", "HOST_NAME"}  # of clients, tests and Compose
    known |= {f"SIGHTLINE_{name}" for name in others}
    for language, text in list_blocks(document):
        if language in {"sh", "console", "ini"}:
            assert set(SETTING.findall(text)) <= known, document
        if language in {"sh", "console"}:
            for found in COMMAND.findall(text.replace("\\\n", " ")):
                assert check_command(found.split()) is None, found


def test_a_command_that_does_not_exist_is_found():
    assert check_command(["credits", "verify"]) is check_command(["backup", "--verify", "file"]) is None
    assert check_command(["credits", "verfy"]) == "credits has no command verfy"
    assert check_command(["backup", "--verfy"]) == "backup has no option --verfy"

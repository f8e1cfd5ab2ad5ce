"""The group of all commands, and how their failures are reported.

A failure is a sentence for people, or with `--json` a document like the problems of the API.
"""

import json
import sys
from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any, NoReturn

import typer
from rich.markup import escape
from typer.core import TyperGroup

from sightline.cli.terminal import Terminal
from sightline.errors import Problem, name_errors

err = Terminal(stderr=True, soft_wrap=True)
_as_json: ContextVar[bool] = ContextVar("failures_as_json", default=False)
_command: ContextVar[str] = ContextVar("command", default="sightline")


class SightlineCommands(TyperGroup):
    """The group of all commands. With `--json`, wrong arguments are reported as JSON, too."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        given = sys.argv[1:] if args is None else args
        _command.set(self._name_command(given))
        as_json = standalone_mode and "--json" in given
        if not as_json:
            return super().main(args, prog_name, complete_var, standalone_mode, windows_expand_args, **extra)
        token = _as_json.set(True)
        try:
            code = super().main(
                args, prog_name, complete_var, standalone_mode=False, windows_expand_args=windows_expand_args, **extra
            )
        except typer.TyperException as error:
            _print_json("Invalid arguments", error.format_message(), "invalid_arguments")
            code = error.exit_code
        except typer.Abort:
            _print_json("Aborted", "The command was aborted before it was complete.", "aborted")
            code = 1
        finally:
            _as_json.reset(token)
        sys.exit(code if isinstance(code, int) else 0)

    def _name_command(self, given: Sequence[str]) -> str:
        found: Any = self
        names = ["sightline"]
        for word in given:
            found = getattr(found, "commands", {}).get(word)
            if found is None:
                break
            names.append(word)
        return " ".join(names)


def command_name() -> str:
    """Return the command that runs, such as `sightline worker` or `sightline platform list`."""
    return _command.get()


def fail(
    message: str,
    *,
    title: str = "The command failed",
    code: str = "command_failed",
    exit_code: int = 1,
    **members: object,
) -> NoReturn:
    """Print the error and exit. `title`, `code` and `members` are printed with `--json` only."""
    if _as_json.get():
        _print_json(title, message, code, **members)
    else:
        err.print(f"[red]Error:[/red] {escape(message)}", highlight=False)
    raise typer.Exit(exit_code)


def fail_with_problem(problem: Problem) -> NoReturn:
    """Fail with the refusal of a feature, under the code that the APIs give it."""
    if not _as_json.get():
        fail(f"{problem.kind.title}. {problem.detail}")
    fail(problem.detail, title=problem.kind.title, code=problem.code, **name_errors(problem))


def _print_json(title: str, detail: str, code: str, **members: object) -> None:
    document = {"title": title, "detail": detail, "code": code, **members}
    print(json.dumps(document, indent=2, default=str), file=sys.stderr)

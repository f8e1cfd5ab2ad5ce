"""`sightline`: the command and its subcommands."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.main import get_command, get_group

from sightline import __version__
from sightline.cli.failures import SightlineCommands

# Where each command is: a function, or a group of commands.
_COMMANDS = {
    "serve": "serving.serve",
    "api": "serving.api",
    "worker": "serving.worker",
    "migrate": "serving.migrate_database",
    "audit": "audit.audit",
    "backup": "backups.backup",
    "restore": "backups.restore",
    "doctor": "doctor.doctor",
    "rotate-secrets": "secrets.rotate_secrets",
    "bootstrap-token": "accounts.bootstrap_token",
    "check": "check.check",
    "analyze": "analyze.analyze",
    "demo": "demo.demo",
    "export": "export.export",
    "gold": "gold.gold",
    "metrics": "metrics.metrics",
    "mcp": "mcp.mcp",
    "console": "accounts.switch_console",
    "costs": "costs.costs",
    "version": "doctor.version",
    "user": "accounts.user_commands",
    "sso": "single_sign_on.sso_commands",
    "plan": "accounts.plan_commands",
    "key": "keys.key_commands",
    "platform": "platforms.platform_commands",
    "job": "jobs.job_commands",
    "payloads": "payloads.payload_commands",
    "credits": "credits.credit_commands",
    "domain": "domains.domain_commands",
    "competitor": "competitors.competitor_commands",
    "prompt": "prompts.prompt_commands",
}


class _LazyCommands(Mapping[str, Any]):
    """The commands by name. Each is imported when it is used: `--version` needs none of them."""

    def __init__(self) -> None:
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            self._loaded[name] = _load_command(name, _COMMANDS[name])
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_COMMANDS)

    def __len__(self) -> int:
        return len(_COMMANDS)


def _load_command(name: str, place: str) -> Any:
    module, _, attribute = place.partition(".")
    found = getattr(import_module(f"sightline.cli.{module}"), attribute)
    if isinstance(found, typer.Typer):
        group = get_group(found)
        group.name = name
        return group
    alone = typer.Typer(add_completion=False)
    alone.command(name)(found)
    return get_command(alone)


class _AllCommands(SightlineCommands):
    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands: Any = _LazyCommands()


app = typer.Typer(
    name="sightline",
    cls=_AllCommands,
    help="Measure how a brand appears in the answers of AI platforms.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def sightline(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Declare the options of `sightline` itself."""

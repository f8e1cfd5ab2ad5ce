"""`sightline`: the command and its subcommands."""

from typing import Annotated

import typer

from sightline import __version__
from sightline.cli import (
    accounts,
    analyze,
    backups,
    check,
    competitors,
    costs,
    demo,
    doctor,
    export,
    gold,
    keys,
    mcp,
    metrics,
    platforms,
    secrets,
    serving,
)
from sightline.cli.credits import credit_commands
from sightline.cli.domains import domain_commands
from sightline.cli.failures import SightlineCommands
from sightline.cli.jobs import job_commands
from sightline.cli.payloads import payload_commands
from sightline.cli.prompts import prompt_commands

app = typer.Typer(
    name="sightline",
    cls=SightlineCommands,
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


app.command("serve")(serving.serve)
app.command("api")(serving.api)
app.command("worker")(serving.worker)
app.command("migrate")(serving.migrate_database)
app.command("backup")(backups.backup)
app.command("restore")(backups.restore)
app.command("doctor")(doctor.doctor)
app.command("rotate-secrets")(secrets.rotate_secrets)
app.command("bootstrap-token")(accounts.bootstrap_token)
app.command("check")(check.check)
app.command("analyze")(analyze.analyze)
app.command("demo")(demo.demo)
app.command("export")(export.export)
app.command("gold")(gold.gold)
app.command("metrics")(metrics.metrics)
app.command("mcp")(mcp.mcp)
app.command("console")(accounts.switch_console)
app.command("costs")(costs.costs)
app.command("version")(doctor.version)
app.add_typer(accounts.user_commands, name="user")
app.add_typer(accounts.plan_commands, name="plan")
app.add_typer(keys.key_commands, name="key")
app.add_typer(platforms.platform_commands, name="platform")
app.add_typer(job_commands, name="job")
app.add_typer(payload_commands, name="payloads")
app.add_typer(credit_commands, name="credits")
app.add_typer(domain_commands, name="domain")
app.add_typer(competitors.competitor_commands, name="competitor")
app.add_typer(prompt_commands, name="prompt")

"""demo: build the demonstration data and print its logins and keys."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from sightline.cli.context import AsJson, out, print_result, run_on_database
from sightline.cli.failures import err, fail
from sightline.credits.ledger import build_credit_rules
from sightline.db.engine import Database
from sightline.kit.clock import utc_now
from sightline.kit.counting import count
from sightline.kit.security_log import omit_security_events
from sightline.platforms.access import is_sandbox
from sightline.settings import Settings

if TYPE_CHECKING:
    from sightline.onboarding.demo.build import DemoCredentials


def demo(
    weeks: Annotated[int, typer.Option(min=0, max=52, help="Number of weeks of past checks to simulate.")] = 8,
    as_json: AsJson = False,
) -> None:
    """Build demonstration data: users, workspaces on every plan, API keys, domains with past checks, and 100 credits.

    If you run it again, it keeps all data, resets the passwords, and creates
    new keys in addition to the old ones.
    """

    async def action(db: Database, settings: Settings) -> "DemoCredentials":
        if not is_sandbox(settings):
            fail(
                "The demonstration works only while no platform is connected, because its checks would "
                "cost money. Use a separate installation with another SIGHTLINE_DATA_DIR and without "
                "credentials."
            )
        # These imports take half a second, and other commands do not need them.
        from sightline.onboarding.demo.build import build_demo, list_demo_domains
        from sightline.onboarding.demo.history import build_demo_history, count_demo_checks
        from sightline.onboarding.demo.replay import DemoReplay
        from sightline.worker.follow_up import follow_up_in_process

        now = utc_now()
        with omit_security_events():
            built = await build_demo(db, base_url=settings.public_url, rules=build_credit_rules(settings), now=now)
        if weeks:
            domains = await list_demo_domains(db)
            replay = DemoReplay.from_settings(settings, partial(follow_up_in_process, db, settings), now=now)
            with _show_progress(count_demo_checks(len(domains), weeks=weeks, now=now)) as advance:
                await build_demo_history(db, replay, domains, weeks=weeks, advance=advance)
        return built

    try:
        result = run_on_database(action, log_level="WARNING")  # not a line for each made-up check
    except KeyboardInterrupt:
        err.print("Stopped. Run the command again: it goes on from here.")
        raise typer.Exit(130) from None
    print_result(result, as_json, lambda: _print_demo(result))


@contextmanager
def _show_progress(checks: int) -> Iterator[Callable[[], None]]:
    """Show a bar on a terminal, and elsewhere one line. Yield what moves it on by a check."""
    if not err.is_terminal:
        err.print(f"Simulating {count(checks, 'past check')}.")
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=24), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task("Simulating past checks", total=checks)
        yield lambda: progress.advance(task)


def _print_demo(result: "DemoCredentials") -> None:
    out.print("\n[bold]The demonstration is ready.[/bold] All of its data is made up.\n")
    out.print("Users (e-mail, password):")
    for person, login in result.users.items():
        out.print(f"  {person:<26} {login.email}  {login.password}", highlight=False)
    out.print("\nKeys:")
    for name, key in result.keys.items():
        out.print(f"  {name:<26} {key}", highlight=False)
    out.print("\nTry:")
    out.print(
        f"  curl -H 'X-API-Key: {result.keys['console_live']}' {result.base_url}/api/v1/console/domains\n"
        f"  curl -H 'X-API-Key: {result.keys['data_agency_read']}' {result.base_url}/api/v1/ext/domains\n",
        highlight=False,
    )

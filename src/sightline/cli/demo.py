"""demo: builds the demonstration world, once, and prints how to get in."""

from functools import partial
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from sightline.cli.context import err, fail, out, run_on_database, show
from sightline.credits.ledger import build_credit_rules
from sightline.db.engine import Database
from sightline.kit.clock import utc_now
from sightline.platforms.access import is_sandbox
from sightline.settings import Settings

if TYPE_CHECKING:
    from sightline.onboarding.demo.build import DemoCredentials


def demo(
    weeks: Annotated[int, typer.Option(min=0, max=52, help="Weeks of past checks of the tracked domains.")] = 8,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Build, once, a made-up world to try things on: people, workspaces on every plan, keys, domains with weeks of
    past checks, 100 credits.

    A later call keeps everything, resets the passwords and mints new keys beside the old ones.
    """

    async def action(db: Database, settings: Settings) -> "DemoCredentials":
        if not is_sandbox(settings):
            fail(
                "The demonstration world exists only where no platform is connected: its checks would cost you money. "
                "Give it an installation of its own, with another SIGHTLINE_DATA_DIR and without credentials."
            )
        # Imported here: all that follows a check takes half a second to load, and other commands need none of it.
        from sightline.cli.following import follow_up_here
        from sightline.onboarding.demo.build import build_demo, list_demo_domains
        from sightline.onboarding.demo.history import build_demo_history
        from sightline.onboarding.demo.replay import DemoReplay

        now = utc_now()
        built = await build_demo(db, base_url=settings.public_url, rules=build_credit_rules(settings), now=now)
        if weeks:
            with err.status("Living through the past weeks of the demonstration: a minute or two …"):
                replay = DemoReplay.of(settings, partial(follow_up_here, db, settings), now=now)
                await build_demo_history(db, replay, await list_demo_domains(db), weeks=weeks)
        return built

    made = run_on_database(action)
    show(msgspec.to_builtins(made), as_json, lambda: _print_demo(made))


def _print_demo(made: "DemoCredentials") -> None:
    out.print("\n[bold]The demonstration world is ready.[/bold] Everything in it is made up.\n")
    out.print("People (e-mail, password):")
    for person, login in made.users.items():
        out.print(f"  {person:<26} {login.email}  {login.password}", highlight=False)
    out.print("\nKeys:")
    for name, key in made.keys.items():
        out.print(f"  {name:<26} {key}", highlight=False)
    out.print("\nTry:")
    out.print(
        f"  curl -H 'X-API-Key: {made.keys['console_live']}' {made.base_url}/api/v1/console/domains\n"
        f"  curl -H 'X-API-Key: {made.keys['data_agency_read']}' {made.base_url}/api/v1/ext/domains\n",
        highlight=False,
    )

"""demo: builds the demonstration world, once, and prints how to get in."""

from typing import Annotated

import msgspec
import typer

from sightline.cli.context import fail, out, run_on_database, show
from sightline.credits.ledger import rules_of
from sightline.db.engine import Database
from sightline.kit.clock import utc_now
from sightline.onboarding.demo import Demo, build_demo
from sightline.plans.table import plan_table
from sightline.platforms.access import is_sandbox
from sightline.settings import Settings


def demo(as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False) -> None:
    """Build, once, a made-up world to try things on: people, workspaces on every plan, keys, domains, 100 credits.

    A later call keeps everything, resets the passwords and mints new keys beside the old ones.
    """

    async def action(db: Database, settings: Settings) -> Demo:
        if not is_sandbox(settings):
            fail(
                "The demonstration world exists only where no platform is connected: its checks would cost you money. "
                "Give it an installation of its own, with another SIGHTLINE_DATA_DIR and without credentials."
            )
        return await build_demo(
            db, plan_table(settings.plans), base_url=settings.public_url, rules=rules_of(settings), now=utc_now()
        )

    made = run_on_database(action)
    show(msgspec.to_builtins(made), as_json, lambda: _print_demo(made))


def _print_demo(made: Demo) -> None:
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

"""`sightline payloads`: moving what platforms sent between stores."""

import asyncio

import typer

from sightline.cli.context import AsJson, out, print_result, run_on_database
from sightline.cli.failures import fail
from sightline.db.engine import Database
from sightline.kit.clock import utc_now
from sightline.scans.payloads.move import move_payloads_any_workspace
from sightline.scans.payloads.object_store import StoreUnavailable, open_payload_stores
from sightline.settings import Settings

payload_commands = typer.Typer(help="Move payloads: the stored raw responses of platforms.", no_args_is_help=True)

_BATCH = 1_000
_WAIT_SECONDS = 1  # while a worker moves or removes payloads


@payload_commands.command("move")
def move(as_json: AsJson = False) -> None:
    """Move all payloads to SIGHTLINE_PAYLOAD_STORE, from the database and from SIGHTLINE_PAYLOAD_STORE_FORMER.

    You can stop the command at any time and start it again. Workers also move
    payloads in the background, more slowly.
    """

    async def action(db: Database, settings: Settings) -> int:
        stores, moved = open_payload_stores(settings), 0
        try:
            while (batch := await move_payloads_any_workspace(db, stores, limit=_BATCH, now=utc_now())) != 0:
                if batch is None:
                    await asyncio.sleep(_WAIT_SECONDS)
                moved += batch or 0
        except StoreUnavailable as error:
            fail(f"{moved:,} payloads were moved, then a store did not respond ({error}). Run the command again.")
        return moved

    moved = run_on_database(action)
    print_result({"moved": moved}, as_json, lambda: out.print(f"{moved:,} payloads were moved.", highlight=False))

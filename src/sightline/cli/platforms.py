"""platform: list the AI platforms, test a connection, and pause or resume a platform."""

import asyncio
from typing import Annotated, Any

import typer

from sightline.cli.context import AsJson, build_table, load_settings, out, print_result, run_on_database
from sightline.cli.failures import err, fail
from sightline.cli.platform_call import describe_call, print_call
from sightline.db import embedded
from sightline.db.engine import Database
from sightline.kit.clock import utc_now
from sightline.kit.shell_command import format_command
from sightline.platforms import pauses
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.models import Connector, PlatformConnection, Question
from sightline.platforms.queries import read_paused
from sightline.platforms.schemas import Platform
from sightline.presentation.numbers import format_cost
from sightline.settings import Settings, SettingsError

platform_commands = typer.Typer(help="List, connect, test, pause and resume AI platforms.", no_args_is_help=True)


_TEST_PROMPT = "Which three customer relationship tools suit a company of five people? One sentence on each."


@platform_commands.command("list")
def list_platforms(as_json: AsJson = False) -> None:
    """List all platforms with their state, provider and model, and the settings that connect them."""
    settings = load_settings()
    settings, paused = _read_saved(settings)
    rows, sandbox = _describe_all(settings, paused)

    def print_text() -> None:
        if sandbox:
            out.print(
                "[yellow]Sandbox mode:[/yellow] no credentials are set, so all answers are made up.\nSet "
                "one or more of the settings below to ask real platforms.\n",
                highlight=False,
            )
        rows_table = build_table("Platform", "State", "Through", "Model", "Surface", "Cites", "To connect it, set")
        for row in rows:
            rows_table.add_row(
                row["platform"],
                row["state"],
                row["vendor"] or "",
                row["model"] or "",
                row["surface"] or "",
                "yes" if row["cites"] else "no",
                "" if row["configured"] else " or ".join(" and ".join(way) for way in row["set_to_connect"]),
            )
        out.print(rows_table)

    print_result({"answers_source": "sandbox" if sandbox else "live", "platforms": rows}, as_json, print_text)


def _read_saved(settings: Settings) -> tuple[Settings, frozenset[str]]:
    """Return the settings with saved connections, and the platforms paused in the database.

    No database is created where there is none yet.
    """
    if settings.is_embedded and embedded.describe(settings.data_dir).cluster is None:
        return settings, frozenset()

    async def action(db: Database, loaded: Settings) -> tuple[Settings, frozenset[str]]:
        return loaded, await read_paused(db)

    return run_on_database(action)


def _describe_all(settings: Settings, stored: frozenset[str]) -> tuple[list[dict[str, Any]], bool]:
    from sightline.platforms import access

    try:
        found, paused = access.find_connections(settings), access.find_paused_by_settings(settings) | stored
        sandbox = access.is_sandbox(settings)
        enabled = access.find_enabled_platforms(settings) - stored
        access.build_policy(settings)
    except SettingsError as error:
        fail(str(error))
    rows = [
        _describe(platform, found.get(platform.key), platform.key in enabled, platform.key in paused, sandbox=sandbox)
        for platform in PLATFORMS
    ]
    return rows, sandbox


def _describe(
    platform: Platform, way: tuple[Connector, PlatformConnection] | None, enabled: bool, paused: bool, *, sandbox: bool
) -> dict[str, Any]:
    from sightline.platforms import access

    state = "paused" if paused else "sandbox" if sandbox else "connected" if way else "not connected"
    return {
        "platform": platform.key,
        "name": platform.name,
        "company": platform.company,
        "state": state,
        "configured": way is not None,
        "enabled": enabled,
        "paused": paused,
        "vendor": way[0].vendor if way else None,
        "model": way[1].model if way else None,
        "surface": way[0].surface if way else "sandbox" if sandbox else None,
        "cites": way[0].cites if way else access.can_cite(platform.key),
        "set_to_connect": access.connection_settings(platform.key),
    }


@platform_commands.command("connect")
def connect(
    key: Annotated[str, typer.Argument(help="Key of the platform, as `platform list` shows it.")],
    api_key: Annotated[
        str, typer.Option("--api-key", prompt="API key", hide_input=True, help="If left out, you are asked for it.")
    ] = "",
    vendor: Annotated[str, typer.Option(help="Provider, such as dataforseo. Default: the platform's own.")] = "",
    login: Annotated[str, typer.Option(help="Login of DataForSEO.")] = "",
    address: Annotated[str, typer.Option(help="Address of your own server, for the platform `local`.")] = "",
    model: Annotated[str, typer.Option(help="Id of the model. Default: the platform's default model.")] = "",
    test: Annotated[
        bool, typer.Option("--test/--no-test", help="Ask one question first, and save the key only if it works.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Connect a platform and save its key encrypted. Running processes use it within seconds."""
    from sightline.onboarding.sandbox_end.leave import leave_sandbox
    from sightline.platforms.connections import save
    from sightline.platforms.connections.load import load_connections
    from sightline.platforms.connections.trial_question import explain_fault, try_connection
    from sightline.platforms.connectors import find_vendors

    _require_known(key)
    chosen = vendor or find_vendors(key)[0]
    if chosen not in find_vendors(key):
        fail(f"{key} can be asked through {' or '.join(find_vendors(key))}.")
    entered = save.CredentialInput(key=api_key, login=login, base_url=address, model=model)

    async def action(db: Database, settings: Settings) -> str:
        draft, candidate = await save.prepare_credential(db, settings, chosen, entered, now=utc_now())
        outcome = await try_connection(candidate, chosen, key) if test else None
        if outcome is not None and outcome.fault is not None:
            fail(f"{explain_fault(outcome.fault, outcome.model_asked)} Nothing was saved.")
        async with db.transaction() as tx:
            await save.save_credential(tx, draft)
        await load_connections(db, settings)
        await leave_sandbox(db, settings, now=utc_now())
        return draft.hint

    hint = run_on_database(action)
    print_result(
        {"platform": key, "vendor": chosen, "connected": True, "key_ends_in": hint or None},
        as_json,
        lambda: out.print(f"{key} is connected through {chosen}.", highlight=False),
    )


@platform_commands.command("disconnect")
def disconnect(
    key: Annotated[str, typer.Argument(help="Key of the platform, as `platform list` shows it.")],
    vendor: Annotated[str, typer.Option(help="Provider whose key is deleted. Default: the platform's own.")] = "",
    as_json: AsJson = False,
) -> None:
    """Delete the saved key of a platform. A platform that an environment variable connects stays connected."""
    from sightline.platforms.connections import save
    from sightline.platforms.connectors import find_vendors

    _require_known(key)
    chosen = vendor or find_vendors(key)[0]

    async def action(db: Database, _: Settings) -> bool:
        async with db.transaction() as tx:
            return await save.disconnect_vendor(tx, chosen)

    changed = run_on_database(action)
    message = f"The key of {chosen} is deleted." if changed else f"No key of {chosen} is saved."
    print_result({"platform": key, "vendor": chosen, "changed": changed}, as_json, lambda: out.print(message))


@platform_commands.command("surface")
def surface(
    key: Annotated[str, typer.Argument(help="Key of the platform, as `platform list` shows it.")],
    surface: Annotated[str, typer.Argument(help="A connected surface: api, serp or app; or default.")],
    as_json: AsJson = False,
) -> None:
    """Choose on which surface a platform is asked. The next check starts a new line in all trends."""
    from sightline.platforms.connections import save
    from sightline.platforms.connections.load import load_connections

    _require_known(key)

    async def action(db: Database, settings: Settings) -> None:
        await load_connections(db, settings)
        async with db.transaction() as tx:
            chosen = "" if surface == "default" else surface
            await save.save_surface(tx, settings, key, chosen, now=utc_now())

    run_on_database(action)
    message = f"The next check asks {key} through: {surface}."
    print_result({"platform": key, "surface": surface}, as_json, lambda: out.print(message, highlight=False))


@platform_commands.command("pause")
def pause(
    key: Annotated[str, typer.Argument(help="Key of the platform, as `platform list` shows it.")],
    as_json: AsJson = False,
) -> None:
    """Pause a platform. New scans that name it are refused; accepted scans continue."""
    _require_known(key)

    async def action(db: Database, _: Settings) -> bool:
        async with db.transaction() as tx:
            return await pauses.pause_platform(tx, key, now=utc_now())

    changed = run_on_database(action)
    message = f"{key} is paused." if changed else f"{key} was already paused."
    print_result(
        {"platform": key, "paused": True, "changed": changed}, as_json, lambda: out.print(message, highlight=False)
    )


@platform_commands.command("resume")
def resume(
    key: Annotated[str, typer.Argument(help="Key of the platform, as `platform list` shows it.")],
    as_json: AsJson = False,
) -> None:
    """Resume a paused platform. If the platform has reached its monthly limit, raise the limit first.

    A pause by SIGHTLINE_PAUSED_PLATFORMS ends when the service restarts without
    the platform in that setting.
    """
    _require_known(key)

    async def action(db: Database, settings: Settings) -> tuple[bool, bool]:
        from sightline.platforms import access

        async with db.transaction() as tx:
            return await pauses.resume_platform(tx, key, now=utc_now()), key in access.find_paused_by_settings(settings)

    changed, still_paused = run_on_database(action)
    message = f"{key} is resumed." if changed else f"{key} was not paused in the database."
    if still_paused:
        message += " It stays paused until the service starts without it in SIGHTLINE_PAUSED_PLATFORMS."
    result = {"platform": key, "paused": still_paused, "changed": changed}
    print_result(result, as_json, lambda: out.print(message, highlight=False))


def _require_known(key: str) -> None:
    if key not in {platform.key for platform in PLATFORMS}:
        fail(f"There is no platform {key!r}. To list them, run: {format_command('platform', 'list')}")


@platform_commands.command("test")
def call_platform(
    key: Annotated[str, typer.Argument(help="Key of the platform, as `platform list` shows it.")],
    prompt: Annotated[str, typer.Option(help="What to ask.")] = _TEST_PROMPT,
    country: Annotated[str | None, typer.Option(help="Country to ask from: two-letter code, such as DE.")] = None,
    as_json: AsJson = False,
) -> None:
    """Make one real call, which the provider charges for, and print the result. Exits with 1 if the call fails."""
    # The HTTP client takes a while to import, so only this command imports it.
    from sightline.platforms import access
    from sightline.platforms.connections.trial_question import ask_once

    _require_known(key)
    settings, _ = _read_saved(load_settings())
    way = access.find_connections(settings).get(key)
    ways = " or ".join(" and ".join(names) for names in access.connection_settings(key))
    if way is None:
        what = {"platform": key, "verdict": "not_connected", "remedy": f"Set {ways}."}
        print_result(
            what, as_json, lambda: err.print(f"[red]{key} is not connected.[/red] Set {ways}.", highlight=False)
        )
        raise typer.Exit(1)
    try:
        outcome = asyncio.run(ask_once(settings, way, Question(prompt, country=country)))
    except SettingsError as error:
        fail(str(error))
    report = describe_call(outcome, ways)
    print_result(report, as_json, lambda: print_call(report))
    if outcome.status == "failed":
        raise typer.Exit(1)


@platform_commands.command("status")
def show_status(as_json: AsJson = False) -> None:
    """Show for each connected platform whether it works, why not, and what it has cost. No platform is called."""
    from sightline.web.pages.operator.platform_state import PlatformState, read_states

    async def action(db: Database, settings: Settings) -> list[PlatformState]:
        return [each for each in await read_states(db, settings, now=utc_now()) if each.is_connected]

    states = run_on_database(action)
    rows = [
        {
            "platform": each.platform.key,
            "state": "paused" if each.pause else "failing" if each.failing else "connected",
            "pause": each.pause,
            "failing_since": each.failing.failing_since if each.failing else None,
            "failed_calls": each.failing.calls if each.failing else 0,
            "fault": each.failing.fault if each.failing else None,
            "spent_today_usd": float(each.spend.today),
            "spent_this_month_usd": float(each.spend.month),
            "monthly_limit_usd": None if each.limit is None else float(each.limit),
        }
        for each in states
    ]

    def print_text() -> None:
        if not states:
            hint = f"To see how to connect one, run: {format_command('platform', 'list')}"
            out.print(f"No platform is connected, so all answers are made up. {hint}", highlight=False, markup=False)
            return
        table = build_table("Platform", "State", "Spent today", "Spent this month", "Monthly limit", "What to do")
        for each in states:
            limit = "" if each.limit is None else format_cost(each.limit)
            spent = (format_cost(each.spend.today), format_cost(each.spend.month))
            table.add_row(each.platform.key, each.word, *spent, limit, each.failure or "")
        out.print(table)

    print_result({"platforms": rows}, as_json, print_text)

"""domain: tracked domains: add, set up, look at, change, retry the first check, remove."""

import uuid
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from sightline.accounts.actors import build_operator_actor
from sightline.cli.context import fail, out, run_on_database, show, table
from sightline.db.engine import Database
from sightline.domains.models import TrackedDomainRow
from sightline.domains.schemas import CompetitorInput, to_tracked_domain
from sightline.domains.tracking import change, track
from sightline.domains.tracking.read import (
    find_tracked_domain,
    find_workspace_of_domain_any_workspace,
    list_tracked_domains,
)
from sightline.kit.clock import utc_now
from sightline.plans.table import build_plan_table
from sightline.presentation.dates import format_datetime
from sightline.settings import Settings

# Checks take half a second to load. What needs them imports them when it is called; the other commands need none.
if TYPE_CHECKING:
    from sightline.onboarding.setup import CompletedSetup, SetupInput
    from sightline.scans.stored import ScanRow

domains_commands = typer.Typer(
    help="Tracked domains: add, list, show, set up, change, retry, remove.", no_args_is_help=True
)

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
WorkspaceId = Annotated[uuid.UUID, typer.Option("--workspace", help="Id of the workspace.")]
DomainId = Annotated[uuid.UUID, typer.Argument(help="Id of the tracked domain.")]
BrandName = Annotated[str | None, typer.Option("--brand", help="Name of the brand.")]
Aliases = Annotated[list[str] | None, typer.Option("--alias", help="Another name of the brand; may be repeated.")]
Owned = Annotated[list[str] | None, typer.Option("--owned", help="Another domain of the brand; may be repeated.")]
_MOST = 1_000


def _on_domain(domain: uuid.UUID, action: Callable[[Database, Settings, uuid.UUID], Awaitable[Any]]) -> Any:
    """On a tracked domain, in whichever workspace it is."""

    async def run(db: Database, settings: Settings) -> Any:
        workspace_id = await find_workspace_of_domain_any_workspace(db, domain)
        if workspace_id is None:
            fail(f"There is no tracked domain {domain}. `sightline domain list` shows those of a workspace.")
        return await action(db, settings, workspace_id)

    return run_on_database(run)


@domains_commands.command("add")
def add_domain(
    domain: Annotated[str, typer.Argument(help="The domain to track, such as acme.com.")],
    workspace: WorkspaceId,
    as_json: AsJson = False,
) -> None:
    """Track a domain. Nothing is checked before it is set up."""

    async def action(db: Database, settings: Settings) -> TrackedDomainRow:
        async with db.transaction() as tx:
            plans, given = build_plan_table(settings.plans), track.TrackInput(domain)
            return await track.track_domain(tx, workspace, given, plans=plans, now=utc_now())

    _show_domains(run_on_database(action), as_json)


@domains_commands.command("list")
def list_domains(workspace: WorkspaceId, as_json: AsJson = False) -> None:
    """Every tracked domain of a workspace, most recently added first."""

    async def action(db: Database, _: Settings) -> list[TrackedDomainRow]:
        return (await list_tracked_domains(db, build_operator_actor(workspace), after=None, page_size=_MOST)).rows

    _show_domains(run_on_database(action), as_json)


@domains_commands.command("show")
def show_domain(domain: DomainId, as_json: AsJson = False) -> None:
    """One tracked domain."""

    async def action(db: Database, _: Settings, workspace: uuid.UUID) -> TrackedDomainRow | None:
        return await find_tracked_domain(db, workspace, domain)

    _show_domains(_on_domain(domain, action), as_json)


@domains_commands.command("setup")
def set_up_domain(
    domain: DomainId,
    language: Annotated[str, typer.Option(help="Language of the prompts, such as en or de.")],
    brand: BrandName = None,
    alias: Aliases = None,
    owned: Owned = None,
    competitor: Annotated[
        list[str] | None, typer.Option(help="A rival: globex.com, or globex.com=Globex; may be repeated.")
    ] = None,
    country: Annotated[
        list[str] | None, typer.Option(help="A market, such as US; may be repeated. Left out: Global.")
    ] = None,
    prompt: Annotated[
        list[str] | None, typer.Option(help="What to ask; may be repeated. Left out: prompts are suggested.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Complete the setup of a domain. Its first check starts at once."""
    from sightline.onboarding.setup import SetupInput, complete_setup
    from sightline.scans.scheduling.models import check_rules

    given = SetupInput(
        **_brand_fields(brand, alias, owned),
        competitors=[_to_rival(text) for text in competitor or []],
        language_code=language,
        countries=country or [],
        prompts=prompt or [],
    )

    async def action(db: Database, settings: Settings, workspace: uuid.UUID) -> "CompletedSetup":
        whole = given if given.prompts else await _suggest(db, settings, workspace, domain, given)
        async with db.transaction() as tx:
            return await complete_setup(tx, workspace, domain, whole, rules=check_rules(settings), now=utc_now())

    made = _on_domain(domain, action)
    first = made.first_check

    def human() -> None:
        _print_domains([made.domain])
        out.print(_say_started(first) if first else "No check was started: the workspace has had its free audit.")

    found = {"domain": msgspec.to_builtins(to_tracked_domain(made.domain)), "first_check": first and _shape_scan(first)}
    show(found, as_json, human)


@domains_commands.command("change")
def change_domain(
    domain: DomainId, brand: BrandName = None, alias: Aliases = None, owned: Owned = None, as_json: AsJson = False
) -> None:
    """Change what is known of the brand. A list replaces the old one. Stored answers are read again."""

    async def action(db: Database, _: Settings, workspace: uuid.UUID) -> TrackedDomainRow:
        async with db.transaction() as tx:
            changes = change.BrandChanges(**_brand_fields(brand, alias, owned))
            return await change.change_tracked_domain(tx, workspace, domain, changes, now=utc_now())

    _show_domains(_on_domain(domain, action), as_json)


@domains_commands.command("retry")
def retry_check(domain: DomainId, as_json: AsJson = False) -> None:
    """Start the first check of a domain again, after it failed."""
    from sightline.scans.scheduling.first import retry_first_check
    from sightline.scans.scheduling.models import check_rules

    async def action(db: Database, settings: Settings, workspace: uuid.UUID) -> "ScanRow":
        async with db.transaction() as tx:
            return await retry_first_check(tx, workspace, domain, rules=check_rules(settings), now=utc_now())

    scan = _on_domain(domain, action)
    show(_shape_scan(scan), as_json, lambda: out.print(_say_started(scan)))


@domains_commands.command("remove")
def remove_domain(domain: DomainId, as_json: AsJson = False) -> None:
    """Track a domain no more. Its history stays, and adding it again brings the record back."""

    async def action(db: Database, _: Settings, workspace: uuid.UUID) -> None:
        async with db.transaction() as tx:
            await track.remove_tracked_domain(tx, workspace, domain, now=utc_now())

    _on_domain(domain, action)
    show({"id": domain, "deleted": True}, as_json, lambda: out.print(f"{domain} is tracked no more."))


async def _suggest(
    db: Database, settings: Settings, workspace: uuid.UUID, domain: uuid.UUID, given: "SetupInput"
) -> "SetupInput":
    """The setup with prompts that we suggest. A connected platform is asked, so no transaction is open."""
    from sightline.answers.models import Brand
    from sightline.onboarding.setup_suggestions import suggest_prompts_at_setup
    from sightline.scans.brands import name_of_domain

    found = await find_tracked_domain(db, workspace, domain)
    if found is None:
        fail(f"There is no tracked domain {domain}.")
    if given.brand_name is not msgspec.UNSET:
        found = msgspec.structs.replace(found, brand_name=given.brand_name)
    rivals = [Brand(each.name, (), (each.domain,)) if each.name else name_of_domain(each.domain)
              for each in given.competitors]  # fmt: skip
    country = given.countries[0] if given.countries else None
    suggested = await suggest_prompts_at_setup(
        settings, found, rivals, language=given.language_code, country=country, day=utc_now().date()
    )
    return msgspec.structs.replace(given, suggested=list(suggested.prompts))


def _brand_fields(brand: str | None, alias: list[str] | None, owned: list[str] | None) -> dict[str, Any]:
    given = {"brand_name": brand, "aliases": alias, "owned_domains": owned}
    return {name: value for name, value in given.items() if value}


def _to_rival(text: str) -> CompetitorInput:
    domain, _, name = text.partition("=")
    return CompetitorInput(domain, name or None)


def _shape_scan(scan: "ScanRow") -> dict[str, Any]:
    return {
        "id": scan.id,
        "measurement_scope": scan.measurement_scope,
        "status": scan.status,
        "selected_platforms": scan.selected_platforms,
        "answers_total": scan.answers_total,
    }


def _say_started(scan: "ScanRow") -> str:
    return f"The first check {scan.id} waits to be run: {scan.answers_total} answers."


def _show_domains(found: TrackedDomainRow | list[TrackedDomainRow], as_json: bool) -> None:
    rows = found if isinstance(found, list) else [found]
    shaped = [msgspec.to_builtins(to_tracked_domain(row)) for row in rows]
    show(shaped if isinstance(found, list) else shaped[0], as_json, lambda: _print_domains(rows))


def _print_domains(rows: list[TrackedDomainRow]) -> None:
    rows_table = table("Id", "Domain", "Brand", "Status", "Prompts", "Next check")
    for row in rows:
        due = f"{format_datetime(row.next_check_at)} {row.next_check_scope}" if row.next_check_at else ""
        rows_table.add_row(str(row.id), row.domain, row.brand_name, row.status, str(row.prompt_count), due)
    out.print(rows_table)

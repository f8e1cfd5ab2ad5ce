"""domain: add, set up, show, change and remove tracked domains, and retry their first check."""

import uuid
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from sightline.accounts.models import build_operator_actor
from sightline.cli.context import (
    AsJson,
    build_table,
    fail_with_unknown_domain,
    out,
    print_result,
    run_on_database,
)
from sightline.cli.failures import err, fail
from sightline.db.engine import Database
from sightline.domains.models import TrackedDomainRow
from sightline.domains.schemas import CompetitorInput, to_tracked_domain
from sightline.domains.tracking import change, track
from sightline.domains.tracking.queries import find_tracked_domain, find_workspace_of_domain_any_workspace
from sightline.domains.tracking.read import list_tracked_domains
from sightline.kit.clock import utc_now
from sightline.plans.table import build_plan_table
from sightline.presentation.dates import format_datetime
from sightline.prompts.remove import remove_tracked_domain
from sightline.settings import Settings

# Importing scans takes half a second, so commands that need them import them when they are called.
if TYPE_CHECKING:
    from sightline.insights.findings.schemas import LatestFindings
    from sightline.onboarding.setup import CompletedSetup, SetupInput
    from sightline.scans.stored import ScanRow

domain_commands = typer.Typer(
    help="Add, list, show, set up, change, retry and remove tracked domains, and show their findings.",
    no_args_is_help=True,
)

WorkspaceId = Annotated[uuid.UUID, typer.Option("--workspace", help="Id of the workspace.")]
DomainId = Annotated[uuid.UUID, typer.Argument(help="Id of the tracked domain.")]
BrandName = Annotated[str | None, typer.Option("--brand", help="Name of the brand.")]
Aliases = Annotated[list[str] | None, typer.Option("--alias", help="Another name of the brand; can be repeated.")]
Owned = Annotated[list[str] | None, typer.Option("--owned", help="Another domain of the brand; can be repeated.")]
_MAX_ROWS = 1_000


def _on_domain(domain: uuid.UUID, action: Callable[[Database, Settings, uuid.UUID], Awaitable[Any]]) -> Any:
    """Run an action in the workspace of the tracked domain."""

    async def run(db: Database, settings: Settings) -> Any:
        workspace_id = await find_workspace_of_domain_any_workspace(db, domain)
        if workspace_id is None:
            fail_with_unknown_domain(domain)
        return await action(db, settings, workspace_id)

    return run_on_database(run)


@domain_commands.command("add")
def add_domain(
    domain: Annotated[str, typer.Argument(help="The domain to track, such as acme.com.")],
    workspace: WorkspaceId,
    as_json: AsJson = False,
) -> None:
    """Add a domain to track. Its checks start after `sightline domain setup`."""

    async def action(db: Database, settings: Settings) -> TrackedDomainRow:
        async with db.transaction() as tx:
            plans = build_plan_table(settings.plans)
            return await track.track_domain(tx, workspace, track.TrackInput(domain), plans=plans, now=utc_now())

    _show_domains(run_on_database(action), as_json)


@domain_commands.command("list")
def list_domains(workspace: WorkspaceId, as_json: AsJson = False) -> None:
    """List the tracked domains of a workspace, most recently added first."""

    async def action(db: Database, _: Settings) -> list[TrackedDomainRow]:
        return (await list_tracked_domains(db, build_operator_actor(workspace), after=None, page_size=_MAX_ROWS)).rows

    _show_domains(run_on_database(action), as_json)


@domain_commands.command("show")
def show_domain(domain: DomainId, as_json: AsJson = False) -> None:
    """Show a tracked domain."""

    async def action(db: Database, _: Settings, workspace: uuid.UUID) -> TrackedDomainRow | None:
        return await find_tracked_domain(db, workspace, domain)

    _show_domains(_on_domain(domain, action), as_json)


@domain_commands.command("findings")
def show_findings(domain: DomainId, as_json: AsJson = False) -> None:
    """Show what is worth saying about a tracked domain, the most important first."""
    from sightline.insights.findings.read import read_latest_findings

    async def action(db: Database, _: Settings, workspace: uuid.UUID) -> "LatestFindings | None":
        found = await find_tracked_domain(db, workspace, domain)
        return None if found is None else await read_latest_findings(db, workspace, found)

    latest = _on_domain(domain, action)
    if latest is None:
        fail_with_unknown_domain(domain)

    def print_text() -> None:
        out.print(latest.headline, highlight=False, markup=False)
        for each in latest.findings:
            out.print(f"  {each.tier:<6} {each.text}", highlight=False, markup=False)

    print_result(msgspec.to_builtins(latest), as_json, print_text)


@domain_commands.command("setup")
def set_up_domain(
    domain: DomainId,
    language: Annotated[str, typer.Option(help="Language of the prompts, such as en or de.")],
    brand: BrandName = None,
    alias: Aliases = None,
    owned: Owned = None,
    competitor: Annotated[
        list[str] | None, typer.Option(help="A competitor, such as globex.com or globex.com=Globex; can be repeated.")
    ] = None,
    country: Annotated[
        list[str] | None, typer.Option(help="A country, such as US; can be repeated. Default: Global.")
    ] = None,
    prompt: Annotated[
        list[str] | None, typer.Option(help="A prompt; can be repeated. Default: prompts are suggested.")
    ] = None,
    category: Annotated[
        str | None,
        typer.Option(help="What the brand sells, such as 'running shoes': suggested prompts ask about it."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Complete the setup of a domain. Its first check starts immediately."""
    from sightline.cli.check_input import parse_category
    from sightline.onboarding.setup import SetupInput, complete_setup
    from sightline.scans.scheduling.models import build_check_rules

    setup = SetupInput(
        **_brand_fields(brand, alias, owned),
        competitors=[_to_competitor(text) for text in competitor or []],
        language_code=language,
        countries=country or [],
        prompts=prompt or [],
        category=parse_category(category),
    )

    async def action(db: Database, settings: Settings, workspace: uuid.UUID) -> "CompletedSetup":
        complete = setup if setup.prompts else await _suggest(db, settings, workspace, domain, setup)
        async with db.transaction() as tx:
            return await complete_setup(
                tx, workspace, domain, complete, rules=build_check_rules(settings), now=utc_now()
            )

    result = _on_domain(domain, action)
    first = result.first_check

    def print_text() -> None:
        _print_domains([result.domain])
        out.print(
            _describe_started(first)
            if first
            else "No check was started, because the workspace has already used its free audit."
        )

    output = {
        "domain": msgspec.to_builtins(to_tracked_domain(result.domain)),
        "first_check": first and _to_scan_dict(first),
    }
    print_result(output, as_json, print_text)


@domain_commands.command("change")
def change_domain(
    domain: DomainId, brand: BrandName = None, alias: Aliases = None, owned: Owned = None, as_json: AsJson = False
) -> None:
    """Change the details of the brand. A list replaces the old list. Stored answers are analyzed again."""

    async def action(db: Database, _: Settings, workspace: uuid.UUID) -> TrackedDomainRow:
        async with db.transaction() as tx:
            changes = change.BrandChanges(**_brand_fields(brand, alias, owned))
            return await change.change_tracked_domain(tx, workspace, domain, changes, now=utc_now())

    _show_domains(_on_domain(domain, action), as_json)


@domain_commands.command("retry")
def retry_check(domain: DomainId, as_json: AsJson = False) -> None:
    """Retry the first check of a domain after it failed."""
    from sightline.scans.scheduling.first_check import retry_first_check
    from sightline.scans.scheduling.models import build_check_rules

    async def action(db: Database, settings: Settings, workspace: uuid.UUID) -> "ScanRow":
        async with db.transaction() as tx:
            return await retry_first_check(tx, workspace, domain, rules=build_check_rules(settings), now=utc_now())

    scan = _on_domain(domain, action)
    print_result(_to_scan_dict(scan), as_json, lambda: out.print(_describe_started(scan)))


@domain_commands.command("remove")
def remove_domain(domain: DomainId, as_json: AsJson = False) -> None:
    """Stop tracking a domain. Its history is kept, and adding it again restores the domain."""

    async def action(db: Database, _: Settings, workspace: uuid.UUID) -> None:
        async with db.transaction() as tx:
            await remove_tracked_domain(tx, workspace, domain, now=utc_now())

    _on_domain(domain, action)
    print_result({"id": domain, "deleted": True}, as_json, lambda: out.print(f"{domain} is no longer tracked."))


async def _suggest(
    db: Database, settings: Settings, workspace: uuid.UUID, domain: uuid.UUID, setup: "SetupInput"
) -> "SetupInput":
    """Return the setup with suggested prompts. This may call a platform, so no transaction is open."""
    from sightline.answers.models import Brand
    from sightline.onboarding.suggestions.request import build_request, suggest_prompts_at_setup
    from sightline.scans.brands import brand_from_domain

    found = await find_tracked_domain(db, workspace, domain)
    if found is None:
        fail(f"There is no tracked domain {domain}.")
    if setup.brand_name is not msgspec.UNSET:
        found = msgspec.structs.replace(found, brand_name=setup.brand_name)
    competitors = [
        Brand(each.name, (), (each.domain,)) if each.name else brand_from_domain(each.domain)
        for each in setup.competitors
    ]
    country = setup.countries[0] if setup.countries else None
    job = build_request(
        workspace, found, competitors, language=setup.language_code, country=country, category=setup.category
    )
    suggested = await suggest_prompts_at_setup(db, settings, job, plans=build_plan_table(settings.plans), now=utc_now())
    if suggested.note:
        err.print(suggested.note, highlight=False, markup=False)
    return msgspec.structs.replace(setup, suggested=list(suggested.prompts))


def _brand_fields(brand: str | None, alias: list[str] | None, owned: list[str] | None) -> dict[str, Any]:
    fields = {"brand_name": brand, "aliases": alias, "owned_domains": owned}
    return {name: value for name, value in fields.items() if value}


def _to_competitor(text: str) -> CompetitorInput:
    domain, _, name = text.partition("=")
    return CompetitorInput(domain, name or None)


def _to_scan_dict(scan: "ScanRow") -> dict[str, Any]:
    return {
        "id": scan.id,
        "measurement_scope": scan.measurement_scope,
        "status": scan.status,
        "selected_platforms": scan.selected_platforms,
        "answers_total": scan.answers_total,
    }


def _describe_started(scan: "ScanRow") -> str:
    return f"The first check {scan.id} is queued: {scan.answers_total} answers."


def _show_domains(found: TrackedDomainRow | list[TrackedDomainRow], as_json: bool) -> None:
    rows = found if isinstance(found, list) else [found]
    shaped = [msgspec.to_builtins(to_tracked_domain(row)) for row in rows]
    print_result(shaped if isinstance(found, list) else shaped[0], as_json, lambda: _print_domains(rows))


def _print_domains(rows: list[TrackedDomainRow]) -> None:
    rows_table = build_table("Id", "Domain", "Brand", "Status", "Prompts", "Next check")
    for row in rows:
        due = f"{format_datetime(row.next_check_at)} {row.next_check_scope}" if row.next_check_at else ""
        rows_table.add_row(str(row.id), row.domain, row.brand_name, row.status, str(row.prompt_count), due)
    out.print(rows_table)

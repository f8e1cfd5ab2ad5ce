"""prompt: list, add, pin and remove the prompts of a tracked domain, and review suggestions."""

import uuid
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import msgspec
import typer

from sightline.cli.context import AsJson, build_table, out, print_result, run_on_database
from sightline.cli.failures import fail
from sightline.db.engine import Database, Transaction
from sightline.domains.tracking.queries import find_workspace_of_domain_any_workspace
from sightline.kit.clock import utc_now
from sightline.plans.table import PlanTable, build_plan_table
from sightline.prompts import add, pin, read, remove
from sightline.prompts.models import PromptRow
from sightline.prompts.schemas import PromptInput, to_prompt
from sightline.prompts.suggestions import review
from sightline.prompts.suggestions.models import SuggestionRow
from sightline.prompts.suggestions.origins import describe_origin
from sightline.settings import Settings

prompt_commands = typer.Typer(
    help="List, add, pin and remove the prompts of a tracked domain, and review suggestions.", no_args_is_help=True
)

DomainId = Annotated[uuid.UUID, typer.Argument(help="Id of the tracked domain.")]
PromptId = Annotated[uuid.UUID, typer.Argument(help="Id of the prompt.")]
SuggestionId = Annotated[uuid.UUID, typer.Argument(help="Id of the suggestion.")]
# An action takes the transaction, the workspace of the domain, and the plan table.
Action = Callable[[Transaction, uuid.UUID, PlanTable], Awaitable[Any]]
_MAX_ROWS = 1_000


def _on_domain(domain: uuid.UUID, action: Action) -> Any:
    """Run an action in one transaction, in the workspace of the tracked domain."""

    async def run(db: Database, settings: Settings) -> Any:
        async with db.transaction() as tx:
            workspace_id = await find_workspace_of_domain_any_workspace(tx, domain)
            if workspace_id is None:
                fail(f"There is no tracked domain {domain}.")
            return await action(tx, workspace_id, build_plan_table(settings.plans))

    return run_on_database(run)


@prompt_commands.command("list")
def list_prompts(
    domain: DomainId,
    limit: Annotated[int, typer.Option(min=1, max=_MAX_ROWS, help="Maximum number of rows.")] = _MAX_ROWS,
    as_json: AsJson = False,
) -> None:
    """List the active prompts: pinned first, then most recently added."""

    async def action(tx: Transaction, workspace: uuid.UUID, _: PlanTable) -> list[PromptRow]:
        return (await read.list_prompts(tx, workspace, domain, after=None, page_size=limit)).rows

    _show_prompts(_on_domain(domain, action), as_json)


@prompt_commands.command("add")
def add_prompt(
    domain: DomainId,
    text: Annotated[str, typer.Argument(help="Text of the prompt.")],
    language: Annotated[str, typer.Option(help="Language, such as en or de.")],
    country: Annotated[str | None, typer.Option(help="Country, such as US. Default: Global.")] = None,
    as_json: AsJson = False,
) -> None:
    """Track a prompt and pin it. It counts toward the workspace's prompt limit, unless the domain already has it."""

    async def action(tx: Transaction, workspace: uuid.UUID, plans: PlanTable) -> PromptRow:
        prompt_input = PromptInput(text, language, country)
        return await add.add_prompt(tx, workspace, domain, prompt_input, plans, now=utc_now())

    _show_prompts(_on_domain(domain, action), as_json)


@prompt_commands.command("pin")
def pin_prompt(domain: DomainId, prompt: PromptId, as_json: AsJson = False) -> None:
    """Pin an active prompt. A domain has at most 10 pins."""

    async def action(tx: Transaction, workspace: uuid.UUID, _: PlanTable) -> PromptRow:
        return await pin.pin_prompt(tx, workspace, domain, prompt, now=utc_now())

    _show_prompts(_on_domain(domain, action), as_json)


@prompt_commands.command("unpin")
def unpin_prompt(domain: DomainId, prompt: PromptId, as_json: AsJson = False) -> None:
    """Unpin a prompt. It stays tracked."""

    async def action(tx: Transaction, workspace: uuid.UUID, _: PlanTable) -> PromptRow:
        return await pin.unpin_prompt(tx, workspace, domain, prompt)

    _show_prompts(_on_domain(domain, action), as_json)


@prompt_commands.command("remove")
def remove_prompt(domain: DomainId, prompt: PromptId, as_json: AsJson = False) -> None:
    """Stop tracking a prompt. Its history is kept."""

    async def action(tx: Transaction, workspace: uuid.UUID, _: PlanTable) -> uuid.UUID:
        return await remove.remove_prompt(tx, workspace, domain, prompt, now=utc_now())

    removed = _on_domain(domain, action)
    print_result({"id": removed, "deleted": True}, as_json, lambda: out.print(f"{removed} is no longer tracked."))


@prompt_commands.command("suggestions")
def list_suggestions(
    domain: DomainId,
    limit: Annotated[int, typer.Option(min=1, max=_MAX_ROWS, help="Maximum number of rows.")] = 100,
    as_json: AsJson = False,
) -> None:
    """List the suggested prompts, best first."""

    async def action(tx: Transaction, workspace: uuid.UUID, _: PlanTable) -> list[SuggestionRow]:
        return await review.list_suggestions(tx, workspace, domain, limit=limit)

    _show_suggestions(_on_domain(domain, action), as_json)


@prompt_commands.command("accept")
def accept_suggestion(domain: DomainId, suggestion: SuggestionId, as_json: AsJson = False) -> None:
    """Track a suggested prompt. It counts toward the workspace's prompt limit."""

    async def action(tx: Transaction, workspace: uuid.UUID, plans: PlanTable) -> PromptRow:
        return await review.accept_suggestion(tx, workspace, domain, suggestion, plans, now=utc_now())

    _show_prompts(_on_domain(domain, action), as_json)


@prompt_commands.command("dismiss")
def dismiss_suggestion(domain: DomainId, suggestion: SuggestionId, as_json: AsJson = False) -> None:
    """Dismiss a suggestion. It is not suggested again."""

    async def action(tx: Transaction, workspace: uuid.UUID, _: PlanTable) -> SuggestionRow:
        return await review.dismiss_suggestion(tx, workspace, domain, suggestion, now=utc_now())

    _show_suggestions(_on_domain(domain, action), as_json)


def _show_prompts(found: PromptRow | list[PromptRow], as_json: bool) -> None:
    rows = found if isinstance(found, list) else [found]
    shaped = [msgspec.to_builtins(to_prompt(row, utc_now())) for row in rows]

    def print_text() -> None:
        rows_table = build_table("Id", "Pinned", "Language", "Country", "Source", "Prompt")
        for row in shaped:
            pinned = "pinned" if row["user_pinned"] else ""
            country = row["country_iso_2"] or "Global"
            rows_table.add_row(row["id"], pinned, row["language_code"] or "", country, row["source"], row["prompt"])
        out.print(rows_table)

    print_result(shaped if isinstance(found, list) else shaped[0], as_json, print_text)


def _show_suggestions(found: SuggestionRow | list[SuggestionRow], as_json: bool) -> None:
    rows = found if isinstance(found, list) else [found]

    def print_text() -> None:
        rows_table = build_table("Id", "Priority", "Status", "Language", "Country", "Prompt", "Origin")
        for row in rows:
            country = row.country_iso_2 or "Global"
            origin = describe_origin(row.origin, row.origin_subjects, row.origin_answers)
            rows_table.add_row(
                str(row.id), f"{row.priority:.1f}", row.status, row.language_code or "", country, row.prompt, origin
            )
        out.print(rows_table)

    print_result(found, as_json, print_text)

"""Tracked prompts: list, add (which pins), unpin, remove, spot checks, new and lost sources, suggestions."""

from sightline.accounts.models import Role
from sightline.api.edge.envelope import Envelope, Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Resource
from sightline.api.schemas import Removed
from sightline.domains.tracking.read import read_tracked_domain
from sightline.kit.ids import parse_id
from sightline.prompts import add, pin, read, remove
from sightline.prompts.schemas import Prompt, PromptInput, to_prompt
from sightline.prompts.suggestions import review
from sightline.prompts.suggestions.schemas import PromptSuggestion, to_suggestion
from sightline.scoreboard.history.source_changes import read_source_changes, to_prompt_source_changes
from sightline.scoreboard.history.spot_checks import read_spot_checks, to_prompt_spot_checks
from sightline.scoreboard.schemas import PromptSourceChanges, PromptSpotChecks

RESOURCE = Resource(
    "data",
    "Prompts",
    "Prompts of a tracked domain. A prompt that you add is also pinned, so every Daily Check asks it. A "
    "domain can have up to 10 pinned prompts. An import pins only the prompts that you mark.",
    {"prompts": "Prompts of a tracked domain"},
)


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/prompts",
    summary="List tracked prompts",
    sdk="prompts.list",
    paged=True,
    data_api="insights",
    problems=("domain_not_found",),
)
async def list_prompts(exchange: Exchange, domain_id: str) -> Page[Prompt]:
    """List active prompts, pinned ones first, then most recently added, 50 per page."""
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    paging = exchange.paging(f"data.prompts:{domain.id}")
    rows = await read.list_prompts(
        exchange.db, exchange.actor.workspace_id, domain.id, after=paging.after, page_size=paging.size
    )
    return paging.page(rows.map(lambda row: to_prompt(row, exchange.now)))


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/prompts/{prompt_id}/spot-checks",
    summary="Read the chance that an answer names the brand",
    sdk="prompts.spot_checks",
    data_api="insights",
    problems=("domain_not_found", "not_found"),
)
async def read_prompt_spot_checks(exchange: Exchange, domain_id: str, prompt_id: str) -> Envelope[PromptSpotChecks]:
    """Return, for each platform, the chance that one answer to the prompt names the brand.

    The chance is measured over all checks of the last 90 days that asked the prompt. For a platform that was
    asked fewer than five times, `value` is null, and `summary` says so. A removed prompt keeps its history.
    """
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    prompt = await read.read_prompt(exchange.db, exchange.actor.workspace_id, domain.id, parse_id(prompt_id))
    found = await read_spot_checks(exchange.db, exchange.actor.workspace_id, domain.id, prompt.id, now=exchange.now)
    return Envelope(to_prompt_spot_checks(domain.id, domain.brand_name, prompt.id, found))


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/prompts/{prompt_id}/source-changes",
    summary="Read the new and lost sources of a prompt",
    sdk="prompts.source_changes",
    data_api="insights",
    problems=("domain_not_found", "not_found"),
)
async def read_prompt_source_changes(
    exchange: Exchange, domain_id: str, prompt_id: str
) -> Envelope[PromptSourceChanges]:
    """Return the sites that each platform began to cite or stopped citing for the prompt in the last 30 days.

    Several answers have to agree before a site counts as new or lost. A removed prompt keeps its history.
    """
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    prompt = await read.read_prompt(exchange.db, exchange.actor.workspace_id, domain.id, parse_id(prompt_id))
    found = await read_source_changes(exchange.db, exchange.actor.workspace_id, domain.id, prompt.id, now=exchange.now)
    return Envelope(to_prompt_source_changes(domain.id, prompt.id, found))


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/prompt-suggestions",
    summary="List suggested prompts",
    sdk="prompts.suggestions",
    paged=True,
    data_api="insights",
    problems=("domain_not_found",),
)
async def list_prompt_suggestions(exchange: Exchange, domain_id: str) -> Page[PromptSuggestion]:
    """List open suggestions, best first, each with its origin. Members accept or dismiss them in the app."""
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    paging = exchange.paging(f"data.prompt_suggestions:{domain.id}")
    rows = await review.list_suggestions_page(
        exchange.db, exchange.actor.workspace_id, domain.id, after=paging.after, page_size=paging.size
    )
    return paging.page(rows.map(to_suggestion))


@RESOURCE.operation(
    "POST",
    "/domains/{domain_id}/prompts",
    summary="Add and pin a prompt",
    sdk="prompts.add",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    body=PromptInput,
    idempotency="required",
    success_status=201,
    problems=("domain_not_found", "not_found", "language_conflict", "pin_limit_reached", "prompt_limit_reached"),
)
async def add_prompt(exchange: Exchange, domain_id: str) -> Envelope[Prompt]:
    """Add a prompt and pin it. A prompt is identified by its text, country and language.

    A new prompt counts toward the prompt limit of the workspace. A prompt that the domain tracks, or tracked before,
    becomes active and pinned under its existing id, even if the prompt limit is reached. If the prompt is already
    pinned, nothing changes.
    """
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    payload = exchange.decode_body(PromptInput)
    added = await add.add_prompt(
        exchange.tx, exchange.actor.workspace_id, domain.id, payload, exchange.app_context.plans, now=exchange.now
    )
    return Envelope(to_prompt(added, exchange.now))


@RESOURCE.operation(
    "POST",
    "/domains/{domain_id}/prompts/{prompt_id}/unpin",
    summary="Unpin a prompt",
    sdk="prompts.unpin",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    idempotency="required",
    problems=("domain_not_found", "not_found"),
)
async def unpin_prompt(exchange: Exchange, domain_id: str, prompt_id: str) -> Envelope[Prompt]:
    """Unpin a prompt. It stays tracked. If the prompt is not pinned, nothing changes.

    Returns 404 if the prompt is not active or belongs to another domain.
    """
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    unpinned = await pin.unpin_prompt(exchange.tx, exchange.actor.workspace_id, domain.id, parse_id(prompt_id))
    return Envelope(to_prompt(unpinned, exchange.now))


@RESOURCE.operation(
    "DELETE",
    "/domains/{domain_id}/prompts/{prompt_id}",
    summary="Remove a prompt",
    sdk="prompts.remove",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    idempotency="required",
    problems=("domain_not_found", "not_found"),
)
async def remove_prompt(exchange: Exchange, domain_id: str, prompt_id: str) -> Envelope[Removed]:
    """Remove a prompt from the list and from the current figures.

    Checks no longer ask the prompt, and it no longer counts toward the limits of prompts and pins. Past results remain
    in the history. Returns 404 if the prompt is not active or belongs to another domain.
    """
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    workspace_id = exchange.actor.workspace_id
    removed = await remove.remove_prompt(exchange.tx, workspace_id, domain.id, parse_id(prompt_id), now=exchange.now)
    return Envelope(Removed(id=removed, deleted=True))

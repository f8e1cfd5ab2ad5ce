"""Importing many tracked prompts at once."""

from sightline.accounts.models import Role
from sightline.api.data.prompts import RESOURCE
from sightline.api.edge.envelope import Envelope
from sightline.api.edge.exchange import Exchange
from sightline.domains.tracking.read import read_tracked_domain
from sightline.kit.ids import parse_id
from sightline.kit.slow_work import run_slow_work
from sightline.prompts.imports.models import ImportedPrompt
from sightline.prompts.imports.save import save_import
from sightline.prompts.imports.schemas import PromptImport, PromptImportInput, to_imported_prompts, to_prompt_import

_MAX_BODY_BYTES = 512 * 1024


async def _clean_prompts(exchange: Exchange, domain_id: str) -> list[ImportedPrompt]:
    await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))  # a missing domain is refused first
    return await run_slow_work(to_imported_prompts, exchange.decode_body(PromptImportInput))


@RESOURCE.operation(
    "POST",
    "/domains/{domain_id}/prompt-imports",
    summary="Import prompts",
    sdk="prompts.import_many",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    body=PromptImportInput,
    body_limit=_MAX_BODY_BYTES,
    prepare=_clean_prompts,
    idempotency="required",
    success_status=201,
    problems=("domain_not_found", "pin_limit_reached", "prompt_limit_reached"),
)
async def import_prompts(exchange: Exchange, domain_id: str) -> Envelope[PromptImport]:
    """Add up to 500 prompts, optionally with tags and pins. If one prompt is refused, none is saved.

    A prompt that the domain tracks, or tracked before, becomes active and gets the tags, even if the prompt limit is
    reached. An import never unpins a prompt or removes a tag. Repeating an import changes nothing.
    """
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    at, plans = (exchange.tx, exchange.actor.workspace_id, domain.id), exchange.app_context.plans
    done = await save_import(*at, exchange.prepared, plans, now=exchange.now)
    return Envelope(to_prompt_import(domain.id, done))

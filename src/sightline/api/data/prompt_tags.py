"""Tags of tracked prompts: their figures, and tagging many prompts at once."""

from sightline.accounts.models import Role
from sightline.api.data.prompts import RESOURCE
from sightline.api.edge.envelope import Envelope
from sightline.api.edge.exchange import Exchange
from sightline.domains.tracking.read import read_tracked_domain
from sightline.kit.ids import parse_id
from sightline.prompts.schemas import TagChangeInput
from sightline.prompts.tags.change import change_tags
from sightline.scoreboard.tag_figures import PromptTags, read_tag_figures


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/prompt-tags",
    summary="Read the figures of each tag",
    sdk="prompts.tags",
    data_api="insights",
    problems=("domain_not_found",),
)
async def read_prompt_tags(exchange: Exchange, domain_id: str) -> Envelope[PromptTags]:
    """Return every tag with the figures of its prompts, from the latest valid answers.

    Each figure has its own number of answers and its own range. A tag whose prompts were not measured has null values.
    """
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    return Envelope(await read_tag_figures(exchange.db, exchange.actor, domain))


@RESOURCE.operation(
    "POST",
    "/domains/{domain_id}/prompt-tags",
    summary="Tag prompts",
    sdk="prompts.change_tags",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    body=TagChangeInput,
    idempotency="required",
    problems=("domain_not_found", "not_found"),
)
async def change_prompt_tags(exchange: Exchange, domain_id: str) -> Envelope[PromptTags]:
    """Add tags to prompts, and remove tags from them. If one prompt is refused, nothing changes.

    Returns all tags of the domain, or 404 if a prompt is not active or belongs to another domain.
    """
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    payload = exchange.decode_body(TagChangeInput)
    ids = [parse_id(each) for each in payload.prompt_ids]
    at = (exchange.tx, exchange.actor.workspace_id, domain.id)
    await change_tags(*at, ids, add=payload.add, remove=payload.remove)
    return Envelope(await read_tag_figures(exchange.tx, exchange.actor, domain))

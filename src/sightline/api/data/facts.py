"""Facts of a tracked domain's brand, and what answers state about them."""

from sightline.accounts.models import Role
from sightline.api.edge.envelope import Envelope, Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Resource
from sightline.api.schemas import Removed
from sightline.domains.tracking.read import read_tracked_domain
from sightline.facts import record
from sightline.facts.contradictions import read_accuracy
from sightline.facts.schemas import (
    BrandFact,
    ClaimAnswer,
    FactAccuracy,
    FactChanges,
    FactInput,
    FactProposals,
    to_brand_fact,
)
from sightline.kit.ids import parse_id
from sightline.onboarding.site_facts import fetch_nothing, propose_facts
from sightline.onboarding.site_pages import SITES
from sightline.platforms.access import is_sandbox

RESOURCE = Resource(
    "data",
    "Facts",
    "What is true of the brand, such as its prices, and whether answers state it. After a Full Check with an editor, "
    "the answers are compared with the confirmed facts.",
    {"facts": "Facts of a tracked domain's brand, and what answers state about them"},
)


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/facts",
    summary="List facts",
    sdk="facts.list",
    paged=True,
    data_api="insights",
    problems=("domain_not_found",),
)
async def list_facts(exchange: Exchange, domain_id: str) -> Page[BrandFact]:
    """List the facts of the brand, 50 per page: proposals first, then by kind and subject."""
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    paging = exchange.paging(f"data.facts:{domain.id}")
    rows = await record.list_facts(
        exchange.db, exchange.actor.workspace_id, domain.id, after=paging.after, page_size=paging.size
    )
    return paging.page(rows.map(to_brand_fact))


@RESOURCE.operation(
    "POST",
    "/domains/{domain_id}/facts",
    summary="Enter a fact",
    sdk="facts.create",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    body=FactInput,
    idempotency="required",
    success_status=201,
    problems=("domain_not_found",),
)
async def enter_domain_fact(exchange: Exchange, domain_id: str) -> Envelope[BrandFact]:
    """Enter what is true. The next Full Check compares the answers with it.

    A domain has at most 200 facts, and one of each kind, subject, country and unit.
    """
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    entered = exchange.decode_body(FactInput)
    row = await record.enter_fact(exchange.tx, exchange.actor, domain.id, entered, now=exchange.now)
    return Envelope(to_brand_fact(row))


@RESOURCE.operation(
    "PATCH",
    "/domains/{domain_id}/facts/{fact_id}",
    summary="Change or confirm a fact",
    sdk="facts.update",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    body=FactChanges,
    idempotency="required",
    problems=("domain_not_found", "not_found"),
)
async def change_domain_fact(exchange: Exchange, domain_id: str, fact_id: str) -> Envelope[BrandFact]:
    """Change a fact. With a new value and `valid_from`, the value before becomes a former one.

    Each change confirms a proposed fact; an empty one does nothing else.
    """
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    changes = exchange.decode_body(FactChanges)
    row = await record.change_fact(exchange.tx, exchange.actor, domain.id, parse_id(fact_id), changes, now=exchange.now)
    return Envelope(to_brand_fact(row))


@RESOURCE.operation(
    "DELETE",
    "/domains/{domain_id}/facts/{fact_id}",
    summary="Remove a fact",
    sdk="facts.delete",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    idempotency="required",
    problems=("domain_not_found", "not_found"),
)
async def remove_domain_fact(exchange: Exchange, domain_id: str, fact_id: str) -> Envelope[Removed]:
    """Remove a fact or a proposal, with what answers state about it."""
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    row = await record.remove_fact(exchange.tx, exchange.actor, domain.id, parse_id(fact_id))
    return Envelope(Removed(row.id, deleted=True))


@RESOURCE.operation(
    "POST",
    "/domains/{domain_id}/facts/{fact_id}/answer",
    summary="Answer what seems wrong",
    sdk="facts.answer",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    body=ClaimAnswer,
    idempotency="required",
    problems=("domain_not_found", "not_found"),
)
async def answer_domain_claim(exchange: Exchange, domain_id: str, fact_id: str) -> Envelope[BrandFact]:
    """Say that what answers state is right after all, or that it was right until a day.

    It counts for all answers that state the same, now and in later Full Checks. Returns 404 for a statement that no
    answer has.
    """
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    answer = exchange.decode_body(ClaimAnswer)
    row = await record.answer_claim(exchange.tx, exchange.actor, domain.id, parse_id(fact_id), answer, now=exchange.now)
    return Envelope(to_brand_fact(row))


@RESOURCE.operation(
    "POST",
    "/domains/{domain_id}/fact-proposals",
    summary="Propose facts from the site",
    sdk="facts.propose",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    transactional=False,
    idempotency="ignored",
    problems=("domain_not_found",),
)
async def propose_domain_facts(exchange: Exchange, domain_id: str) -> Envelope[FactProposals]:
    """Read the home page of the domain, and propose what its JSON-LD declares: prices, founding year, address.

    Answers are compared with a proposal only once you confirm it. Returns 422 if the site cannot be read, and finds
    nothing in the sandbox.
    """
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    fetch = fetch_nothing if is_sandbox(exchange.app_context.settings) else SITES.fetch
    return Envelope(
        await propose_facts(exchange.app_context.db, exchange.actor, domain, fetch, clock=exchange.app_context.clock)
    )


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/fact-accuracy",
    summary="Read what answers state about the facts",
    sdk="facts.accuracy",
    data_api="insights",
    problems=("domain_not_found",),
)
async def read_fact_accuracy(exchange: Exchange, domain_id: str) -> Envelope[FactAccuracy]:
    """Return what the answers of the latest Full Check state that is not so, and where it may come from.

    Each statement has its answers, their platforms, the pages that they cite, and since when it has been stated. A
    passage that leaves a doubt is counted as `cannot_tell` and not shown.
    """
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    return Envelope(await read_accuracy(exchange.db, exchange.actor.workspace_id, domain.id))

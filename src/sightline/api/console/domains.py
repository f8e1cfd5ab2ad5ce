"""Console domains: list, register, read, change, remove."""

from sightline.accounts.models import Role
from sightline.api.edge.envelope import Envelope, Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Resource
from sightline.api.schemas import Removed
from sightline.domains import register, remove
from sightline.domains.schemas import Domain, DomainChanges, DomainInput, to_domain
from sightline.kit.ids import parse_id

RESOURCE = Resource(
    "console",
    "Domains",
    "Console domains: the domains that you scan on demand. The domains that the dashboard tracks are separate.",
    {"domains": "Console domains, which you scan on demand"},
)


@RESOURCE.operation("GET", "/domains", summary="List domains", sdk="domains.list", paged=True, page_size=True)
async def list_domains(exchange: Exchange) -> Page[Domain]:
    """List domains, most recently created first."""
    paging = exchange.paging("console.domains")
    rows = await register.list_domains(
        exchange.db, exchange.actor, after=paging.after_time_and_id, page_size=paging.size
    )
    return paging.page(rows.map(to_domain))


@RESOURCE.operation(
    "POST",
    "/domains",
    summary="Register a domain",
    sdk="domains.register",
    scope="domains",
    role=Role.EDITOR,
    body=DomainInput,
    idempotency="required",
    success_status=201,
    problems=("invalid_domain", "domain_exists"),
)
async def register_domain(exchange: Exchange) -> Envelope[Domain]:
    """Register a domain, given as a host name or a URL. A leading `www.` is removed.

    The default of `brand_name` is the first part of the domain: `acme` for `acme.com`. In results, this name
    has a capital letter: `Acme`. Registering a removed domain restores it with its old id; fields that you leave out
    keep their old values. Sightline fetches nothing from the domain.
    """
    domain = await register.register_domain(
        exchange.tx, exchange.actor, exchange.decode_body(DomainInput), now=exchange.now
    )
    return Envelope(to_domain(domain))


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}",
    summary="Read a domain",
    sdk="domains.retrieve",
    problems=("domain_not_found",),
)
async def read_domain(exchange: Exchange, domain_id: str) -> Envelope[Domain]:
    """Return one domain. Returns 404 if the domain was removed."""
    return Envelope(to_domain(await register.read_domain(exchange.db, exchange.actor, parse_id(domain_id))))


@RESOURCE.operation(
    "PATCH",
    "/domains/{domain_id}",
    summary="Change a domain",
    sdk="domains.update",
    scope="domains",
    role=Role.EDITOR,
    body=DomainChanges,
    problems=("domain_not_found",),
)
async def change_domain(exchange: Exchange, domain_id: str) -> Envelope[Domain]:
    """Change the fields that you send. A list that you send replaces the old list. The host name cannot be changed."""
    domain = await register.read_domain(exchange.tx, exchange.actor, parse_id(domain_id), lock=True)
    changed = await register.change_domain(exchange.tx, exchange.actor, domain, exchange.decode_body(DomainChanges))
    return Envelope(to_domain(changed))


@RESOURCE.operation(
    "DELETE",
    "/domains/{domain_id}",
    summary="Remove a domain",
    sdk="domains.remove",
    scope="domains",
    role=Role.EDITOR,
    idempotency="required",
    problems=("domain_not_found", "scan_in_progress"),
)
async def remove_domain(exchange: Exchange, domain_id: str) -> Envelope[Removed]:
    """Remove a domain from the list of domains. Its scans remain. A domain with an active scan cannot be removed."""
    removed = await remove.remove_domain(exchange.tx, exchange.actor, parse_id(domain_id), now=exchange.now)
    return Envelope(Removed(id=removed, deleted=True))

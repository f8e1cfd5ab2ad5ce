"""Proposing the facts that a brand's own site declares. A person confirms each of them."""

from sightline.accounts.models import Actor
from sightline.db.engine import Database
from sightline.domains.home_page import FetchPage, SiteUnreadable
from sightline.domains.models import TrackedDomainRow
from sightline.errors import Problem, invalid_field
from sightline.facts.from_pages import read_declared_facts
from sightline.facts.record import build_fact, store_proposals
from sightline.facts.schemas import FactInput, FactProposals
from sightline.kit.clock import Clock


async def propose_facts(
    db: Database, actor: Actor, domain: TrackedDomainRow, fetch: FetchPage, *, clock: Clock
) -> FactProposals:
    """Read the home page of a domain, and store what its JSON-LD declares as proposals. Facts that exist stay.

    Refused: a site that cannot be read (422). Nothing is stored then.
    """
    try:
        html = await fetch(domain.domain)
    except SiteUnreadable as unreadable:
        raise invalid_field("domain", f"could not be read: {unreadable}", "unreadable") from unreadable
    now = clock()
    found = [(each, domain.domain) for each in read_declared_facts(html or "") if _can_be_compared(each, clock)]
    async with db.transaction() as tx:
        proposed = await store_proposals(tx, actor.workspace_id, domain.id, found, now=now)
    return FactProposals(len(found), proposed)


def _can_be_compared(entered: FactInput, clock: Clock) -> bool:
    try:
        build_fact(entered, now=clock())
    except Problem:
        return False
    return True


async def fetch_nothing(domain: str) -> None:
    """Contact nobody, as in the sandbox."""

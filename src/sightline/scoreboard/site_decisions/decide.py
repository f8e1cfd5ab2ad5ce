"""Deciding what a cited site is, and undoing it. Every decision may be sent twice: the second changes nothing."""

import uuid
from datetime import datetime
from typing import Literal, get_args

import msgspec

from sightline.accounts.models import Actor
from sightline.competitors import review
from sightline.competitors.names import is_own_domain
from sightline.competitors.queries import find_by_domain
from sightline.db.engine import Reader, Transaction
from sightline.domains.models import TrackedDomainRow
from sightline.domains.schemas import MAX_OWNED_DOMAINS
from sightline.domains.tracking.change import BrandChanges, change_tracked_domain
from sightline.domains.tracking.read import lock_domain
from sightline.errors import Problem, invalid_field
from sightline.scoreboard.breakdowns.read import is_ever_cited
from sightline.scoreboard.site_decisions import queries
from sightline.scoreboard.site_decisions.queries import IgnoredSite

Decision = Literal["competitor", "not-competitor", "own", "not-own", "ignore", "unignore"]
DECISIONS: tuple[Decision, ...] = get_args(Decision)


class SiteStanding(msgspec.Struct, frozen=True, kw_only=True):
    """What a site is to the brand now."""

    is_own: bool = False
    can_disown: bool = False
    """Whether it is listed as one of the brand's other domains."""
    competitor_id: uuid.UUID | None = None
    ignored: IgnoredSite | None = None


async def read_standing(db: Reader, workspace_id: uuid.UUID, domain: TrackedDomainRow, site: str) -> SiteStanding:
    competitor = await find_by_domain(db, workspace_id, domain.id, site)
    ignored = await queries.list_ignored_sites(db, workspace_id, domain.id)
    return SiteStanding(
        is_own=is_own_domain(site, domain),
        can_disown=site in domain.owned_domains,
        competitor_id=competitor.id if competitor is not None and competitor.status == "confirmed" else None,
        ignored=next((each for each in ignored if each.site == site), None),
    )


async def decide_site(
    tx: Transaction, actor: Actor, domain_id: uuid.UUID, site: str, decision: Decision, *, now: datetime
) -> None:
    """Make or undo a decision about a site.

    Stored answers are analyzed again if the competitors or the brand's own domains change. Refused: a site that no
    answer of the domain has ever cited (404), a competitor that is the brand's own site or the reverse, and more
    competitors or own domains than a domain can have (422).
    """
    domain = await lock_domain(tx, actor.workspace_id, domain_id)
    if not await is_ever_cited(tx, actor.workspace_id, domain_id, site):
        raise Problem("not_found", f"No answer has cited {site}.")
    at = (tx, actor.workspace_id, domain_id)
    if decision == "ignore":
        await queries.insert_ignored_site(*at, site, actor.user_id, now=now)
        return
    if decision in {"unignore", "competitor", "own"}:
        await queries.delete_ignored_site(*at, site)
    if decision == "competitor":
        await review.add_competitor(*at, site, now=now)
    elif decision == "not-competitor":
        found = await find_by_domain(*at, site)
        if found is not None and found.status == "confirmed":
            await review.dismiss_competitor(*at, found.id, now=now)
    elif decision in {"own", "not-own"}:
        await _set_own(tx, actor.workspace_id, domain, site, is_own=decision == "own", now=now)


async def _set_own(
    tx: Transaction, workspace_id: uuid.UUID, domain: TrackedDomainRow, site: str, *, is_own: bool, now: datetime
) -> None:
    if is_own and is_own_domain(site, domain):
        return
    owned = [each for each in domain.owned_domains if each != site] + [site] * is_own
    if len(owned) > MAX_OWNED_DOMAINS:
        raise invalid_field("owned_domains", f"a brand has at most {MAX_OWNED_DOMAINS} other domains", "too_many")
    await change_tracked_domain(tx, workspace_id, domain.id, BrandChanges(owned_domains=owned), now=now)

"""Creating the domains of an import: all of them with their clients, prompts and first checks, or none."""

import uuid
from datetime import datetime, timedelta

import msgspec

from sightline.accounts.models import Actor
from sightline.accounts.queries import lock_workspace
from sightline.clients.manage import add_client, change_client, read_client
from sightline.clients.schemas import ClientChanges, ClientInput
from sightline.db.engine import Transaction
from sightline.domains.models import TrackedDomainRow
from sightline.domains.tracking.change import BrandChanges
from sightline.domains.tracking.track import TrackInput, track_domain
from sightline.onboarding.domain_imports.models import DomainImportPlan, PlannedDomain, Template
from sightline.onboarding.setup import Market, name_brands, start_checks
from sightline.plans.table import PlanTable
from sightline.prompts.imports.save import save_import
from sightline.scans.scheduling.models import CheckRules

_WEEK = timedelta(weeks=1)


async def save_domain_import(
    tx: Transaction, actor: Actor, plan: DomainImportPlan, *, rules: CheckRules, plans: PlanTable, now: datetime
) -> list[TrackedDomainRow]:
    """Create the domains of a plan without faults, and start their first checks.

    The plan was made outside of this transaction: what has changed since is refused, such as a domain that somebody
    else has added (409), and then nothing is created.
    """
    await lock_workspace(tx, actor.workspace_id)  # before the domains, as everywhere, to avoid deadlocks
    made: list[TrackedDomainRow] = []
    by_client: dict[str, list[str]] = {}
    for planned in plan.domains:
        domain = await _create_domain(tx, actor.workspace_id, planned, plan.template, rules, plans, now=now)
        made.append(domain)
        if planned.client:
            by_client.setdefault(planned.client.casefold(), []).append(str(domain.id))
    names = {each.client.casefold(): each.client for each in reversed(plan.domains) if each.client}
    for key, domain_ids in by_client.items():
        if (known := plan.known_clients.get(key)) is None:
            await add_client(tx, actor, ClientInput(names[key], domain_ids), now=now)
        else:
            current = await read_client(tx, actor, known)
            all_ids = [*map(str, current.domain_ids), *domain_ids]
            await change_client(tx, actor, known, ClientChanges(domain_ids=all_ids))
    return made


async def _create_domain(
    tx: Transaction,
    workspace_id: uuid.UUID,
    planned: PlannedDomain,
    template: Template | None,
    rules: CheckRules,
    plans: PlanTable,
    *,
    now: datetime,
) -> TrackedDomainRow:
    record = await track_domain(tx, workspace_id, TrackInput(planned.domain), plans=plans, now=now)
    brand = BrandChanges(planned.brand_name or msgspec.UNSET, planned.aliases or msgspec.UNSET)
    await name_brands(tx, workspace_id, record.id, brand, planned.competitors, now=now)
    await save_import(tx, workspace_id, record.id, planned.prompts, plans, now=now)
    platforms = None if template is None else template.domain.chosen_platforms
    market = Market(planned.language, planned.countries)
    done = await start_checks(
        tx, workspace_id, record.id, platforms, market, anchor_at=_find_anchor(template, now), rules=rules, now=now
    )
    return done.domain


def _find_anchor(template: Template | None, now: datetime) -> datetime:
    """Return when the week of a new domain began: with that of the template, so that they are checked together."""
    if template is None or template.domain.anchor_at is None or template.domain.anchor_at > now:
        return now
    return now - (now - template.domain.anchor_at) % _WEEK

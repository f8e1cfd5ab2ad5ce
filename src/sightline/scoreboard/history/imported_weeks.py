"""Imported history: the weeks of a second opinion, kept as the first weeks of a tracked domain.

They are figures on the surface `import`, next to checks and never one of them: no plan counts them, nothing is compared
with them, and they are removed as a whole.
"""

import uuid
from collections.abc import Sequence
from datetime import date, datetime

import msgspec

from sightline.accounts.models import Actor
from sightline.db.engine import Reader, Transaction
from sightline.domains.models import TrackedDomainRow
from sightline.domains.tracking.read import lock_domain, read_tracked_domain
from sightline.errors import Problem, invalid_fields
from sightline.presentation.dates import to_utc_day
from sightline.scans.answer_files.models import FileWeek
from sightline.scans.record import ScanRecord
from sightline.scans.second_opinions.models import OpinionRequest, OpinionRow
from sightline.scans.second_opinions.read import read_record
from sightline.scoreboard.history import queries
from sightline.scoreboard.models import ImportedDomain, ImportedWeek


async def keep_history(
    tx: Transaction, actor: Actor, opinion: OpinionRow, domain_id: uuid.UUID | None, *, now: datetime
) -> Sequence[ImportedWeek]:
    """Keep the weeks of a second opinion before the first check of a domain, and return them, oldest first.

    Refused: an unknown domain (404), a file that is not measured or a domain that has an imported history (409), and a
    file about another brand or without a week before the first check (422).
    """
    domain = await lock_domain(tx, actor.workspace_id, (await read_tracked_domain(tx, actor, domain_id)).id)
    record = await read_record(tx, opinion)
    if record is None:
        raise Problem("second_opinion_not_ready")
    if await queries.list_imported_weeks(tx, actor.workspace_id, domain.id):
        raise Problem("imported_history_exists")
    if not _is_about(opinion.read_request(), domain):
        raise invalid_fields(("domain_id", f"is not the domain of {record.plan.brand.name}", "invalid"))
    first_check = await queries.find_first_check(tx, actor.workspace_id, domain.id)
    weeks = _choose_weeks(record, before=to_utc_day(first_check or now))
    if not weeks:
        raise invalid_fields(("domain_id", "has checks since before the first dated answer of the file", "invalid"))
    rows = [
        ImportedWeek(
            first_day=each.first_day,
            last_day=each.last_day,
            file_name=opinion.file_name,
            platforms=list(each.platforms),
            figures=msgspec.json.encode(each.headline),
            kept_at=now,
        )
        for each in weeks
    ]
    await queries.insert_imported_weeks(tx, actor.workspace_id, domain.id, rows)
    return rows


async def list_imported_domains(db: Reader, actor: Actor) -> Sequence[ImportedDomain]:
    """Return the domains with an imported history, as far as the actor may see them."""
    found = await queries.list_imported_domains(db, actor.workspace_id)
    return [each for each in found if actor.clients is None or each.client_id in actor.clients]


async def remove_history(tx: Transaction, actor: Actor, domain_id: uuid.UUID | None) -> None:
    """Remove the imported history of a domain as a whole. Without one, nothing changes."""
    domain = await lock_domain(tx, actor.workspace_id, (await read_tracked_domain(tx, actor, domain_id)).id)
    await queries.delete_imported_weeks(tx, actor.workspace_id, domain.id)


def _is_about(request: OpinionRequest, domain: TrackedDomainRow) -> bool:
    """Return whether the measured brand is that of the domain: by its domain, or else by its name."""
    if request.brand.domains:
        return bool({domain.domain, *domain.owned_domains} & set(request.brand.domains))
    known = {name.casefold() for name in (domain.brand_name, *domain.aliases)}
    return request.brand.name.casefold() in known


def _choose_weeks(record: ScanRecord, *, before: date) -> list[FileWeek]:
    """Return the weeks with answers that ended before a day."""
    weeks = record.opinion.weeks if record.opinion else ()
    return [each for each in weeks if each.last_day < before and each.headline.brand_coverage_pct.n]

"""Adding, changing and removing clients. Every change locks the workspace, so that names stay unique."""

import uuid
from datetime import datetime

from sightline.accounts.models import Actor
from sightline.accounts.queries import lock_workspace
from sightline.audit.record import record_audit
from sightline.clients import queries
from sightline.clients.details import clean_details
from sightline.clients.look import SIGHTLINE, Look
from sightline.clients.schemas import ClientChanges, ClientInput, ClientRow
from sightline.db.engine import Reader, Transaction
from sightline.db.keyset import Slice, cut_page
from sightline.domains.tracking.queries import assign_domains
from sightline.errors import Problem, invalid_field
from sightline.kit.clock import to_iso
from sightline.kit.ids import new_id, parse_id
from sightline.plans.entitlements import require_clients

MAX_CLIENTS = 500


async def list_clients(db: Reader, actor: Actor, *, after: queries.SortKey | None, page_size: int) -> Slice[ClientRow]:
    """List clients, most recently added first."""
    rows = await queries.list_clients(db, actor.workspace_id, after=after, limit=page_size + 1)
    return cut_page(rows, page_size, lambda row: (to_iso(row.created_at), str(row.id)))


async def list_clients_by_name(db: Reader, actor: Actor) -> list[ClientRow]:
    """Return all clients of the workspace by name; a guest's are those that they were invited to."""
    found = await queries.list_named(db, actor.workspace_id)
    return [each for each in found if actor.clients is None or each.id in actor.clients]


async def read_client(db: Reader, actor: Actor, client_id: uuid.UUID | None) -> ClientRow:
    found = client_id and await queries.find_client(db, actor.workspace_id, client_id)
    if not found:
        raise Problem("not_found", "The workspace has no such client.")
    return found


async def read_look(db: Reader, workspace_id: uuid.UUID, client_id: uuid.UUID | None) -> Look:
    """Return the look of a client. It is Sightline's without a client, and on a plan without clients."""
    found = client_id and await queries.find_look(db, workspace_id, client_id)
    return found or SIGHTLINE


async def read_domain_look(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> Look:
    """Return the look of the client that a domain belongs to."""
    return await read_look(db, workspace_id, await queries.find_client_of_domain(db, workspace_id, domain_id))


async def read_client_logo(db: Reader, actor: Actor, client_id: uuid.UUID | None) -> bytes:
    """Return the logo of a client as a PNG. Refused: a client without one (404)."""
    found = client_id and await queries.find_logo(db, actor.workspace_id, client_id)
    if not found:
        raise Problem("not_found", "The client has no logo.")
    return found


async def add_client(tx: Transaction, actor: Actor, client_input: ClientInput, *, now: datetime) -> ClientRow:
    """Add a client. Refused: a plan without clients (403), a name that is taken, a domain that is not tracked."""
    require_clients(actor.plan)
    await lock_workspace(tx, actor.workspace_id)
    if await queries.count_clients(tx, actor.workspace_id) >= MAX_CLIENTS:
        raise invalid_field("name", f"a workspace has at most {MAX_CLIENTS} clients", "limit")
    client_id = new_id()
    name = await _clean_name(tx, actor, client_id, client_input.name)
    await queries.insert_client(tx, actor.workspace_id, ClientRow(client_id, name, now, []))
    await _update(tx, actor, client_id, clean_details(client_input))
    await _assign(tx, actor, client_id, client_input.domain_ids)
    return await read_client(tx, actor, client_id)


async def change_client(
    tx: Transaction, actor: Actor, client_id: uuid.UUID | None, changes: ClientChanges
) -> ClientRow:
    """Change a client's name, domains, look or recipients. Refused as in `add_client`, and as in `details.py`."""
    require_clients(actor.plan)
    await lock_workspace(tx, actor.workspace_id)
    current = await read_client(tx, actor, client_id)
    details = clean_details(changes)
    if isinstance(changes.name, str):
        details["name"] = await _clean_name(tx, actor, current.id, changes.name)
    await _update(tx, actor, current.id, details)
    if isinstance(changes.domain_ids, list):
        await _assign(tx, actor, current.id, changes.domain_ids)
    return await read_client(tx, actor, current.id)


async def set_logo(tx: Transaction, actor: Actor, client_id: uuid.UUID | None, logo: bytes | None) -> ClientRow:
    """Use a logo that `logos.read_logo` has drawn; None removes the logo, which is possible on every plan."""
    if logo is not None:
        require_clients(actor.plan)
    current = await read_client(tx, actor, client_id)
    await queries.update_client(tx, actor.workspace_id, current.id, {"logo": logo})
    return await read_client(tx, actor, current.id)


async def remove_client(tx: Transaction, actor: Actor, client_id: uuid.UUID | None) -> None:
    """Remove a client: its guests lose access, and its domains stay with the workspace. Possible on every plan."""
    await lock_workspace(tx, actor.workspace_id)
    current = await read_client(tx, actor, client_id)
    await assign_domains(tx, actor.workspace_id, current.id, [])
    await queries.delete_client(tx, actor.workspace_id, current.id)
    await record_audit(tx, actor.workspace_id, "client_removed", current.name, client_id=current.id)


async def _update(tx: Transaction, actor: Actor, client_id: uuid.UUID, changes: dict[str, object]) -> None:
    if changes:
        await queries.update_client(tx, actor.workspace_id, client_id, changes)


async def _clean_name(tx: Transaction, actor: Actor, client_id: uuid.UUID, name: str) -> str:
    cleaned = " ".join(name.split())
    if not cleaned or len(cleaned) > 100 or not cleaned.isprintable():
        raise invalid_field("name", "must have 1 to 100 visible characters", "length")
    if await queries.is_name_taken(tx, actor.workspace_id, cleaned, by_other_than=client_id):
        raise invalid_field("name", "is the name of another client", "duplicate")
    return cleaned


async def _assign(tx: Transaction, actor: Actor, client_id: uuid.UUID, domain_ids: list[str]) -> None:
    """Make these the domains of the client. Who sees a domain depends on it, so the audit log has it."""
    wanted = {parse_id(each) for each in domain_ids}
    known = [each for each in wanted if each is not None]
    if await assign_domains(tx, actor.workspace_id, client_id, known) != len(wanted):
        raise invalid_field("domain_ids", "must be ids of tracked domains of the workspace", "unknown")
    await record_audit(
        tx, actor.workspace_id, "client_domains_set", client_id=client_id, domains=sorted(map(str, known))
    )

"""Recording an action: in the audit log of its workspace and, once committed, in the security log of the process."""

import uuid

from sightline.audit import queries
from sightline.audit.models import ACTION_LABELS, INSTALLATION_ID, ActorType
from sightline.audit.queries import NewAuditEntry
from sightline.db.engine import Database, Transaction
from sightline.kit.ids import new_id
from sightline.kit.security_log import read_caller, record_security_event


async def record_audit(
    tx: Transaction, workspace_id: uuid.UUID | None, action: str, named: str | None = None, /, **fields: object
) -> None:
    """Record an action in the transaction that causes it; None stands for the installation.

    `named` is the name of what was changed, as people know it. Fields are ids, names of settings, and counts: never
    secrets, e-mail addresses or texts of answers. Who acted is known from the request or the command.
    """
    entry = _build_entry(action, named, fields)
    await queries.insert_entry(tx, workspace_id or INSTALLATION_ID, entry)
    if workspace_id is not None:
        fields = {"workspace_id": workspace_id, **fields}
    record_security_event(action, **fields)


async def record_audit_of_person(
    tx: Transaction, user_id: uuid.UUID, action: str, *, by_themselves: bool = True, **fields: object
) -> None:
    """Record what concerns a person, such as a sign-in, in each workspace that they belong to."""
    entry = _build_entry(action, None, {"user_id": user_id, **fields}, user_id if by_themselves else None)
    await queries.insert_entry_of_person(tx, user_id, entry)
    record_security_event(action, user_id=user_id, **fields)


async def record_export(db: Database, workspace_id: uuid.UUID, action: str, **fields: object) -> None:
    """Record a download, before its first byte is sent. A download that cannot be recorded does not start."""
    async with db.transaction() as tx:
        await record_audit(tx, workspace_id, action, **fields)


def _build_entry(
    action: str, named: str | None, fields: dict[str, object], default_person: uuid.UUID | None = None
) -> NewAuditEntry:
    assert action in ACTION_LABELS, f"{action} is no action of the audit log"
    caller = read_caller()
    by_type: ActorType = "operator" if caller.get("by") == "operator" else "system"
    by_id: uuid.UUID | None = None
    if key := caller.get("by_key_id"):
        by_type, by_id = "key", uuid.UUID(key)
    elif person := caller.get("by_user_id", default_person):
        by_type, by_id = "person", uuid.UUID(str(person))
    return NewAuditEntry(
        new_id(),
        action,
        by_type,
        by_id,
        named,
        {name: str(value) if isinstance(value, uuid.UUID) else value for name, value in fields.items()},
        caller.get("address"),
        caller.get("request_id"),
    )

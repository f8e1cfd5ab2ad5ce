"""Workspaces, the tenants: everything but users and their sessions belongs to exactly one."""

import uuid
from datetime import datetime
from typing import Any

import msgspec

from sightline.accounts import queries
from sightline.accounts.members import store_member
from sightline.accounts.models import Actor, Role, User, Workspace
from sightline.accounts.schemas import ProfileChanges
from sightline.accounts.users import clean_email, clean_time_zone
from sightline.audit.record import record_audit
from sightline.db.engine import Reader, Transaction
from sightline.errors import FaultCollector, Problem
from sightline.kit.ids import new_id
from sightline.plans.table import Plan, find_trial_end
from sightline.presentation.dates import DEFAULT_ZONE


async def create_workspace(tx: Transaction, owner: User, name: str, plan: Plan, *, now: datetime) -> Workspace:
    """Create a workspace whose owner has billing permission and pays."""
    workspace = Workspace(
        id=new_id(),
        name=" ".join(name.split()),
        company=None,
        billing_email=owner.email,
        website=None,
        timezone=DEFAULT_ZONE,
        plan=plan,
        payer_user_id=owner.id,
        created_at=now,
        trial_ends_at=find_trial_end(plan, now=now),
    )
    await queries.insert_workspace(tx, workspace)
    await record_audit(tx, workspace.id, "workspace_created", workspace.name, plan=plan)
    await store_member(tx, workspace.id, owner.id, Role.OWNER, billing=True, now=now)
    return workspace


async def close_workspace(tx: Transaction, workspace_id: uuid.UUID, *, now: datetime) -> None:
    """Close a workspace permanently: nobody can open it, join it or act in it. Its data is kept.

    Members who belong to no other workspace are signed out. The caller revokes the keys.
    """
    await queries.lock_workspace(tx, workspace_id)
    await record_audit(tx, workspace_id, "workspace_closed")
    await queries.close_workspace(tx, workspace_id, now=now)
    await queries.delete_sessions_without_workspace(tx, workspace_id)


async def set_plan(tx: Transaction, workspace_id: uuid.UUID, plan: Plan, *, now: datetime) -> bool:
    """Put a workspace on a plan; return False when there is no such workspace.

    A trial starts now. Checks that are scheduled keep their time.
    """
    if not await queries.set_plan(tx, workspace_id, plan, trial_ends_at=find_trial_end(plan, now=now)):
        return False
    await record_audit(tx, workspace_id, "plan_set", plan=plan)
    return True


async def read_time_zone(db: Reader, workspace_id: uuid.UUID) -> str:
    """Return the time zone in which e-mails and reports of a workspace are written."""
    found = await queries.find_workspace(db, workspace_id)
    return found.timezone if found else DEFAULT_ZONE


async def read_profile(db: Reader, actor: Actor) -> Workspace:
    workspace = await queries.find_workspace(db, actor.workspace_id)
    if workspace is None:
        raise Problem("workspace_not_found")
    return workspace


async def change_profile(tx: Transaction, actor: Actor, changes: ProfileChanges) -> Workspace:
    cleaned = _clean(changes)
    if cleaned:
        await queries.update_workspace(tx, actor.workspace_id, cleaned)
        await record_audit(tx, actor.workspace_id, "workspace_changed", fields=sorted(cleaned))
    return await read_profile(tx, actor)


def _clean(changes: ProfileChanges) -> dict[str, Any]:
    cleaned: dict[str, Any] = {}
    for field in changes.__struct_fields__:
        value = getattr(changes, field)
        if value is not msgspec.UNSET:
            cleaned[field] = " ".join(value.split()) or None if isinstance(value, str) else value
    faults = FaultCollector()
    if "name" in cleaned and cleaned["name"] is None:
        faults.add("name", "must not be empty", "required")
    if isinstance(email := cleaned.get("billing_email"), str):
        with faults.catch():
            cleaned["billing_email"] = clean_email(email, "billing_email")
    website = cleaned.get("website")
    if website is not None and not website.startswith(("http://", "https://")):
        faults.add("website", "must be an http or https URL", "url")
    if "timezone" in cleaned:
        with faults.catch():
            cleaned["timezone"] = clean_time_zone(cleaned["timezone"] or "")
    faults.raise_if_any()
    return cleaned

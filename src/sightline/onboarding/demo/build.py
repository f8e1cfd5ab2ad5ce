"""Building the demonstration: users, workspaces on every plan, keys of every kind and domains, all made up.

It is built once. Every later call finds the same users, workspaces and domains, sets new passwords and mints new keys;
the old keys stay valid.
"""

import secrets
import uuid
from datetime import datetime
from typing import get_args

import msgspec

from sightline.accounts import passwords
from sightline.accounts.members import set_member_role
from sightline.accounts.models import Role, User, build_operator_actor
from sightline.accounts.queries import update_workspace
from sightline.accounts.sign_in import sessions
from sightline.accounts.users import create_user
from sightline.accounts.workspaces import create_workspace
from sightline.api_keys.format import KeyKind
from sightline.api_keys.issue import NewKey, mint_key, revoke_key, revoke_oldest_keys
from sightline.credits.ledger import CreditAccount, CreditRules, NewEntry, post_entry
from sightline.credits.sandbox_money import has_sandbox_ended
from sightline.db.engine import Database, Transaction
from sightline.db.installation import read_fact, store_fact
from sightline.domains.models import BrandDetails
from sightline.domains.names import first_label
from sightline.domains.register import register_domain
from sightline.domains.schemas import DomainInput
from sightline.domains.tracking.queries import insert_tracked_domain
from sightline.errors import Problem
from sightline.kit.ids import new_id
from sightline.onboarding.demo.history import DemoDomain
from sightline.plans.table import Plan

_PEOPLE = {"owner": Role.OWNER, "editor": Role.EDITOR, "viewer": Role.VIEWER}
_CREDITS = 100
_SPARED_KEYS = 40  # of each kind and workspace, when the demonstration mints more
_TRACKED, _OTHER = "acme.com", "globex.com"
_OTHER_PLANS = {"starter": "initech.com", "free": "hooli.com"}
_WORKSPACES = (Plan.AGENCY, Plan.PROFESSIONAL, Plan.STARTER, Plan.FREE)


class DemoIds(msgspec.Struct):
    """The ids that stay the same from call to call, stored as JSON in `installation.demo`."""

    users: dict[str, uuid.UUID]
    workspaces: dict[str, uuid.UUID]
    tracked_domain_id: uuid.UUID
    other_workspace_domain_id: uuid.UUID
    console_domain_id: uuid.UUID
    console_test_domain_id: uuid.UUID
    more_domains: dict[str, uuid.UUID] = {}
    """The tracked domains of the plans `starter` and `free`."""


class Login(msgspec.Struct, frozen=True):
    email: str
    password: str


class DemoCredentials(msgspec.Struct, frozen=True):
    """Everything that is needed to use the demonstration, including secrets; printed and never stored."""

    base_url: str
    users: dict[str, Login]
    workspaces: dict[str, dict[str, uuid.UUID]]
    keys: dict[str, str]
    tracked_domain_id: uuid.UUID
    other_workspace_domain_id: uuid.UUID
    console_domain_id: uuid.UUID
    console_test_domain_id: uuid.UUID


def demo_email(person: str) -> str:
    return f"{person}@demo.example"


async def build_demo(db: Database, *, base_url: str, rules: CreditRules, now: datetime) -> DemoCredentials:
    """Build or find the demonstration in one transaction. Its history is built afterwards by `build_demo_history`.

    Refused: where a platform was ever connected (409).
    """
    chosen = {person: secrets.token_urlsafe(16) for person in _PEOPLE}
    hashes = {person: await passwords.hash_password(password) for person, password in chosen.items()}
    async with db.transaction() as tx:
        saved = await read_fact(tx, "demo", lock="FOR UPDATE")
        if await has_sandbox_ended(tx):
            raise Problem("sandbox_only", "A platform was connected to this installation before.")
        if saved is None:
            ids = await _create_workspaces(tx, hashes, now=now)
            await store_fact(tx, "demo", msgspec.json.encode(ids).decode())
        else:
            ids = msgspec.json.decode(saved, type=DemoIds)
            for person, user_id in ids.users.items():
                await sessions.change_password(tx, user_id, hashes[person])
        if not ids.more_domains:
            ids.more_domains = {
                plan: await _insert_tracked_domain(tx, ids.workspaces[plan], domain, now=now)
                for plan, domain in _OTHER_PLANS.items()
            }
            await store_fact(tx, "demo", msgspec.json.encode(ids).decode())
        await _grant_credits(tx, ids.workspaces["agency"], rules, now=now)
        keys = await _mint_keys(tx, ids, now=now)
    return DemoCredentials(
        base_url=base_url,
        users={person: Login(demo_email(person), password) for person, password in chosen.items()},
        workspaces={name: {"id": workspace_id} for name, workspace_id in ids.workspaces.items()},
        keys=keys,
        tracked_domain_id=ids.tracked_domain_id,
        other_workspace_domain_id=ids.other_workspace_domain_id,
        console_domain_id=ids.console_domain_id,
        console_test_domain_id=ids.console_test_domain_id,
    )


async def list_demo_domains(db: Database) -> list[DemoDomain]:
    """Return the tracked domains of the demonstration, on every plan."""
    async with db.transaction() as tx:
        saved = await read_fact(tx, "demo", lock="FOR UPDATE")
    assert saved is not None  # the caller has built it
    ids = msgspec.json.decode(saved, type=DemoIds)
    known = {
        Plan.AGENCY: (ids.tracked_domain_id, _TRACKED),
        Plan.PROFESSIONAL: (ids.other_workspace_domain_id, _OTHER),
        **{Plan(plan): (domain_id, _OTHER_PLANS[plan]) for plan, domain_id in ids.more_domains.items()},
    }
    return [DemoDomain(ids.workspaces[plan], domain_id, name, plan) for plan, (domain_id, name) in known.items()]


async def _create_workspaces(tx: Transaction, hashes: dict[str, str], *, now: datetime) -> DemoIds:
    people = {person: await _create_person(tx, person, hashes[person], now=now) for person in _PEOPLE}
    owner = people["owner"]
    workspaces = {
        plan: await create_workspace(tx, owner, f"Demo {plan.capitalize()}", plan, now=now) for plan in _WORKSPACES
    }
    for workspace in workspaces.values():
        await update_workspace(tx, workspace.id, {"made_for_demo": True})
    agency, professional = workspaces[Plan.AGENCY], workspaces[Plan.PROFESSIONAL]
    for person in ("editor", "viewer"):
        role = _PEOPLE[person]
        await set_member_role(tx, agency.id, people[person].id, role, billing=False, now=now)
    live = build_operator_actor(agency.id, user_id=owner.id)
    test = msgspec.structs.replace(live, livemode=False)
    return DemoIds(
        users={person: user.id for person, user in people.items()},
        workspaces={str(plan): workspace.id for plan, workspace in workspaces.items()},
        tracked_domain_id=await _insert_tracked_domain(tx, agency.id, _TRACKED, now=now),
        other_workspace_domain_id=await _insert_tracked_domain(tx, professional.id, _OTHER, now=now),
        console_domain_id=(await register_domain(tx, live, DomainInput(domain="acme.com"), now=now)).id,
        console_test_domain_id=(await register_domain(tx, test, DomainInput(domain="acme.example"), now=now)).id,
    )


async def _grant_credits(tx: Transaction, workspace_id: uuid.UUID, rules: CreditRules, *, now: datetime) -> None:
    """Grant credits once, however often the demonstration is built: spent credits stay spent."""
    await post_entry(
        tx,
        CreditAccount(workspace_id, livemode=True, rules=rules),
        NewEntry(_CREDITS, "promotional_grant", "demo", "Demo credits"),
        now=now,
    )


async def _create_person(tx: Transaction, person: str, password_hash: str, *, now: datetime) -> User:
    user = await create_user(tx, demo_email(person), f"Demo {person}", password_hash, now=now)
    if user is None:
        raise Problem("validation_failed", f"{demo_email(person)} already exists and is not part of the demonstration.")
    return user


async def _insert_tracked_domain(tx: Transaction, workspace_id: uuid.UUID, domain: str, *, now: datetime) -> uuid.UUID:
    domain_id = new_id()
    details = BrandDetails(first_label(domain).capitalize(), aliases=[], owned_domains=[], competitors=[])
    await insert_tracked_domain(tx, workspace_id, domain_id, domain, details, [], now=now)
    return domain_id


async def _mint_keys(tx: Transaction, ids: DemoIds, *, now: datetime) -> dict[str, str]:
    """Mint a key of every kind, among them revoked ones and a write key whose owner is only a viewer.

    Keys of earlier calls stay valid, until there are so many that new ones would exceed the limit.
    """
    agency, owner, viewer = ids.workspaces["agency"], ids.users["owner"], ids.users["viewer"]
    wanted = {
        "console_live": (agency, owner, "console", True, []),
        "console_test": (agency, owner, "console", False, []),
        "console_revoked": (agency, owner, "console", True, []),
        "data_agency_write": (agency, owner, "data", True, ["write"]),
        "data_agency_read": (agency, owner, "data", True, []),
        "data_agency_write_viewer": (agency, viewer, "data", True, ["write"]),
        "data_professional": (ids.workspaces["professional"], owner, "data", True, []),
        "data_starter": (ids.workspaces["starter"], owner, "data", True, []),
        "data_revoked": (agency, owner, "data", True, []),
    }
    for workspace_id in dict.fromkeys(each[0] for each in wanted.values()):
        for each_kind in get_args(KeyKind):
            await revoke_oldest_keys(tx, workspace_id, each_kind, spare=_SPARED_KEYS, now=now)
    keys: dict[str, str] = {}
    for name, (workspace_id, user_id, kind, livemode, scopes) in wanted.items():
        new = NewKey(name=f"Demo {name}", kind=kind, livemode=livemode, scopes=scopes)  # type: ignore[arg-type]
        key, keys[name] = await mint_key(tx, workspace_id, user_id, new, now=now)
        if name.endswith("_revoked"):
            demo_owner = build_operator_actor(workspace_id, user_id=owner)
            await revoke_key(tx, demo_owner, key.id, now=now)
    return keys

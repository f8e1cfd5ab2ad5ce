"""Invitations by link: single use, seven days, never more than whoever made them has."""

import asyncio
import hashlib
from datetime import timedelta

import pytest

from sightline.accounts.invitations.accept import accept_invitation, read_invitation
from sightline.accounts.invitations.invite import (
    MAX_OPEN,
    build_invitation_email,
    invite,
    list_invitations,
    revoke_invitation,
)
from sightline.accounts.invitations.models import InvitationInput
from sightline.accounts.members import change_member, list_members
from sightline.accounts.models import Actor, Role
from sightline.errors import Problem
from tests.installation import Tenant


def actor_of(tenant: Tenant, user, role: Role) -> Actor:
    return Actor("session", tenant.workspace.id, user.id, role, tenant.workspace.plan, livemode=True)


async def make(installation, tenant, user=None, role=Role.EDITOR, *, by=Role.OWNER, billing=False, email=""):
    actor = actor_of(tenant, user or tenant.owner, by)
    async with installation.db.transaction() as tx:
        return await invite(tx, actor, InvitationInput(role, billing, email), now=installation.clock())


async def accept(installation, token, user):
    async with installation.db.transaction() as tx:
        return await accept_invitation(tx, token, user.id, now=installation.clock())


async def role_of(installation, tenant, user):
    found = await list_members(installation.db, tenant.workspace.id)
    return next(((each.role, each.billing) for each in found if each.user_id == user.id), None)


async def test_only_the_hash_of_a_link_is_stored(installation):
    tenant = await installation.tenant()
    _, token = await make(installation, tenant)
    stored = await installation.db.fetchval("SELECT digest FROM invitations")
    assert stored == hashlib.sha256(token.encode()).digest()
    assert len(token) > 40


async def test_the_holder_of_the_link_joins_in_its_role_and_only_the_first_does(installation):
    tenant = await installation.tenant()
    people = [await installation.user() for _ in range(4)]
    _, token = await make(installation, tenant, role=Role.EDITOR, billing=True)
    came = await asyncio.gather(*(accept(installation, token, each) for each in people), return_exceptions=True)
    refused = [each for each in came if isinstance(each, Problem)]
    assert [each.code for each in refused] == ["invitation_invalid"] * 3
    joined = [await role_of(installation, tenant, each) for each in people]
    assert sorted(joined, key=str) == [(Role.EDITOR, True), None, None, None]


async def test_an_unknown_a_revoked_an_expired_and_a_used_link_are_refused_alike(installation):
    tenant = await installation.tenant()
    owner, person = actor_of(tenant, tenant.owner, Role.OWNER), await installation.user()
    revoked, used, expired = (
        await make(installation, tenant),
        await make(installation, tenant),
        await make(installation, tenant),
    )
    async with installation.db.transaction() as tx:
        await revoke_invitation(tx, owner, revoked[0].id, now=installation.clock())
        await revoke_invitation(tx, owner, revoked[0].id, now=installation.clock())  # twice changes nothing
    await accept(installation, used[1], person)
    installation.clock.advance(days=7)
    said = set()
    for token in ("in_nonsense", revoked[1], used[1], expired[1]):
        with pytest.raises(Problem) as refusal:
            await read_invitation(installation.db, token, now=installation.clock())
        said.add((refusal.value.code, refusal.value.detail))
        with pytest.raises(Problem, match="invitation_invalid"):
            await accept(installation, token, await installation.user())
    assert len(said) == 1
    assert await list_invitations(installation.db, owner, now=installation.clock()) == []


async def test_a_member_keeps_the_higher_role_and_gains_what_is_more(installation):
    tenant = await installation.tenant()
    admin = await installation.member(tenant, Role.ADMIN)
    viewer = await installation.member(tenant, Role.VIEWER, billing=True)
    for _ in range(2):
        await accept(installation, (await make(installation, tenant, role=Role.EDITOR))[1], tenant.owner)
    await accept(installation, (await make(installation, tenant, role=Role.EDITOR, billing=True))[1], admin)
    await accept(installation, (await make(installation, tenant, role=Role.EDITOR))[1], viewer)
    assert await role_of(installation, tenant, tenant.owner) == (Role.OWNER, True)
    assert await role_of(installation, tenant, admin) == (Role.ADMIN, True)
    assert await role_of(installation, tenant, viewer) == (Role.EDITOR, True)


@pytest.mark.parametrize(
    ("by", "own_billing", "role", "billing", "code"),
    [
        (Role.ADMIN, False, Role.ADMIN, False, None),
        (Role.ADMIN, True, Role.VIEWER, True, None),
        (Role.OWNER, False, Role.VIEWER, True, None),
        (Role.ADMIN, False, Role.VIEWER, True, "billing_permission_required"),
        (Role.EDITOR, True, Role.VIEWER, False, "workspace_access_required"),
        (Role.OWNER, True, Role.OWNER, False, "validation_failed"),
    ],
)
async def test_nobody_grants_more_than_they_have(installation, by, own_billing, role, billing, code):
    tenant = await installation.tenant()
    person = await installation.member(tenant, by, billing=own_billing)
    claimed = Role.OWNER  # what the request believed does not count: the database does
    if code is None:
        await make(installation, tenant, person, role, by=claimed, billing=billing)
    else:
        with pytest.raises(Problem, match=code):
            await make(installation, tenant, person, role, by=claimed, billing=billing)
    assert await installation.db.fetchval("SELECT count(*) FROM invitations") == (code is None)


async def test_an_invitation_holds_as_long_as_whoever_made_it_may_invite(installation):
    tenant = await installation.tenant()
    admin = await installation.member(tenant, Role.ADMIN, billing=True)
    _, token = await make(installation, tenant, admin, Role.ADMIN, by=Role.ADMIN, billing=True)
    owner = actor_of(tenant, tenant.owner, Role.OWNER)

    async def make_admin(role: Role, *, billing: bool):
        async with installation.db.transaction() as tx:
            await change_member(tx, owner, admin.id, role=role, billing=billing, now=installation.clock())

    await make_admin(Role.EDITOR, billing=True)
    with pytest.raises(Problem, match="invitation_invalid"):
        await accept(installation, token, await installation.user())
    await make_admin(Role.ADMIN, billing=False)
    person = await installation.user()
    await accept(installation, token, person)
    assert await role_of(installation, tenant, person) == (Role.ADMIN, False)


async def test_another_workspace_cannot_revoke_it_and_does_not_see_it(installation):
    mine, theirs = await installation.tenant(), await installation.tenant()
    made, token = await make(installation, mine)
    stranger = actor_of(theirs, theirs.owner, Role.OWNER)
    with pytest.raises(Problem, match="not_found"):
        async with installation.db.transaction() as tx:
            await revoke_invitation(tx, stranger, made.id, now=installation.clock())
    assert await list_invitations(installation.db, stranger, now=installation.clock()) == []
    assert (await read_invitation(installation.db, token, now=installation.clock())).workspace_id == mine.workspace.id


async def test_a_workspace_has_room_for_so_many_open_ones(installation):
    tenant = await installation.tenant()
    for _ in range(MAX_OPEN):
        await make(installation, tenant)
    with pytest.raises(Problem, match="validation_failed"):
        await make(installation, tenant)
    installation.clock.now += timedelta(days=7)
    await make(installation, tenant)


async def test_the_letter_says_who_invites_to_what_and_holds_the_link(installation):
    tenant = await installation.tenant()
    made, token = await make(installation, tenant, email=" Grace@Acme.com ")
    letter = build_invitation_email(made, tenant.workspace.name, f"http://test/join?token={token}")
    assert letter.to == "grace@acme.com"
    assert all(each in letter.text for each in (token, tenant.workspace.name, "editor", tenant.owner.name))

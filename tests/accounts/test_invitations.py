"""Invitations by link: single use, seven days, never more than whoever made them has."""

import asyncio
import hashlib
from datetime import timedelta

import pytest

from sightline.accounts.invitations import (
    MOST_OPEN,
    InvitationInput,
    accept_invitation,
    invite,
    list_invitations,
    read_invitation,
    revoke_invitation,
    write_letter,
)
from sightline.accounts.members import change_member, list_members
from sightline.accounts.models import Actor, Role
from sightline.errors import Problem
from tests.house import Tenant


def actor_of(tenant: Tenant, user, role: Role) -> Actor:
    return Actor("session", tenant.workspace.id, user.id, role, tenant.workspace.plan, livemode=True)


async def make(house, tenant, user=None, role=Role.EDITOR, *, by=Role.OWNER, billing=False, email=""):
    actor = actor_of(tenant, user or tenant.owner, by)
    async with house.db.transaction() as tx:
        return await invite(tx, actor, InvitationInput(role, billing, email), now=house.clock())


async def accept(house, token, user):
    async with house.db.transaction() as tx:
        return await accept_invitation(tx, token, user.id, now=house.clock())


async def role_of(house, tenant, user):
    found = await list_members(house.db, tenant.workspace.id)
    return next(((each.role, each.billing) for each in found if each.user_id == user.id), None)


async def test_only_the_hash_of_a_link_is_stored(house):
    tenant = await house.tenant()
    _, token = await make(house, tenant)
    stored = await house.db.fetchval("SELECT digest FROM invitations")
    assert stored == hashlib.sha256(token.encode()).digest()
    assert len(token) > 40


async def test_the_holder_of_the_link_joins_in_its_role_and_only_the_first_does(house):
    tenant = await house.tenant()
    people = [await house.user() for _ in range(4)]
    _, token = await make(house, tenant, role=Role.EDITOR, billing=True)
    came = await asyncio.gather(*(accept(house, token, each) for each in people), return_exceptions=True)
    refused = [each for each in came if isinstance(each, Problem)]
    assert [each.code for each in refused] == ["invitation_invalid"] * 3
    joined = [await role_of(house, tenant, each) for each in people]
    assert sorted(joined, key=str) == [(Role.EDITOR, True), None, None, None]


async def test_an_unknown_a_revoked_an_expired_and_a_used_link_are_refused_alike(house):
    tenant = await house.tenant()
    owner, person = actor_of(tenant, tenant.owner, Role.OWNER), await house.user()
    revoked, used, expired = await make(house, tenant), await make(house, tenant), await make(house, tenant)
    async with house.db.transaction() as tx:
        await revoke_invitation(tx, owner, revoked[0].id, now=house.clock())
        await revoke_invitation(tx, owner, revoked[0].id, now=house.clock())  # twice changes nothing
    await accept(house, used[1], person)
    house.clock.advance(days=7)
    said = set()
    for token in ("in_nonsense", revoked[1], used[1], expired[1]):
        with pytest.raises(Problem) as refusal:
            await read_invitation(house.db, token, now=house.clock())
        said.add((refusal.value.code, refusal.value.detail))
        with pytest.raises(Problem, match="invitation_invalid"):
            await accept(house, token, await house.user())
    assert len(said) == 1
    assert await list_invitations(house.db, owner, now=house.clock()) == []


async def test_a_member_keeps_the_higher_role_and_gains_what_is_more(house):
    tenant = await house.tenant()
    admin = await house.member(tenant, Role.ADMIN)
    viewer = await house.member(tenant, Role.VIEWER, billing=True)
    for _ in range(2):
        await accept(house, (await make(house, tenant, role=Role.EDITOR))[1], tenant.owner)
    await accept(house, (await make(house, tenant, role=Role.EDITOR, billing=True))[1], admin)
    await accept(house, (await make(house, tenant, role=Role.EDITOR))[1], viewer)
    assert await role_of(house, tenant, tenant.owner) == (Role.OWNER, True)
    assert await role_of(house, tenant, admin) == (Role.ADMIN, True)
    assert await role_of(house, tenant, viewer) == (Role.EDITOR, True)


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
async def test_nobody_grants_more_than_they_have(house, by, own_billing, role, billing, code):
    tenant = await house.tenant()
    person = await house.member(tenant, by, billing=own_billing)
    claimed = Role.OWNER  # what the request believed does not count: the database does
    if code is None:
        await make(house, tenant, person, role, by=claimed, billing=billing)
    else:
        with pytest.raises(Problem, match=code):
            await make(house, tenant, person, role, by=claimed, billing=billing)
    assert await house.db.fetchval("SELECT count(*) FROM invitations") == (code is None)


async def test_an_invitation_holds_as_long_as_whoever_made_it_may_invite(house):
    tenant = await house.tenant()
    admin = await house.member(tenant, Role.ADMIN, billing=True)
    _, token = await make(house, tenant, admin, Role.ADMIN, by=Role.ADMIN, billing=True)
    owner = actor_of(tenant, tenant.owner, Role.OWNER)

    async def make_admin(role: Role, *, billing: bool):
        async with house.db.transaction() as tx:
            await change_member(tx, owner, admin.id, role=role, billing=billing, now=house.clock())

    await make_admin(Role.EDITOR, billing=True)
    with pytest.raises(Problem, match="invitation_invalid"):
        await accept(house, token, await house.user())
    await make_admin(Role.ADMIN, billing=False)
    person = await house.user()
    await accept(house, token, person)
    assert await role_of(house, tenant, person) == (Role.ADMIN, False)


async def test_another_workspace_cannot_revoke_it_and_does_not_see_it(house):
    mine, theirs = await house.tenant(), await house.tenant()
    made, token = await make(house, mine)
    stranger = actor_of(theirs, theirs.owner, Role.OWNER)
    with pytest.raises(Problem, match="not_found"):
        async with house.db.transaction() as tx:
            await revoke_invitation(tx, stranger, made.id, now=house.clock())
    assert await list_invitations(house.db, stranger, now=house.clock()) == []
    assert (await read_invitation(house.db, token, now=house.clock())).workspace_id == mine.workspace.id


async def test_a_workspace_has_room_for_so_many_open_ones(house):
    tenant = await house.tenant()
    for _ in range(MOST_OPEN):
        await make(house, tenant)
    with pytest.raises(Problem, match="validation_failed"):
        await make(house, tenant)
    house.clock.now += timedelta(days=7)
    await make(house, tenant)


async def test_the_letter_says_who_invites_to_what_and_holds_the_link(house):
    tenant = await house.tenant()
    made, token = await make(house, tenant, email=" Grace@Acme.com ")
    letter = write_letter(made, tenant.workspace.name, f"http://test/join?token={token}")
    assert letter.to == "grace@acme.com"
    assert all(each in letter.text for each in (token, tenant.workspace.name, "editor", tenant.owner.name))

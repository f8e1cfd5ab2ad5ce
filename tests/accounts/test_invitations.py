"""Invitations by link: single use, valid for seven days, and never with more rights than the inviter has."""

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
from sightline.accounts.members import change_member
from sightline.accounts.models import Actor, Role
from sightline.accounts.queries import list_members
from sightline.errors import Problem
from sightline.presentation.catalogs import PSEUDO
from sightline.presentation.language import in_language
from tests.installation import Tenant
from tests.web.untranslated import find_untranslated_in_email


def build_actor(tenant: Tenant, user, role: Role) -> Actor:
    return Actor("session", tenant.workspace.id, user.id, role, tenant.workspace.plan, livemode=True)


async def create_invitation(
    installation, tenant, user=None, role=Role.EDITOR, *, by=Role.OWNER, billing=False, email=""
):
    actor = build_actor(tenant, user or tenant.owner, by)
    async with installation.db.transaction() as tx:
        return await invite(tx, actor, InvitationInput(role, billing, email), now=installation.clock())


async def accept(installation, token, user):
    async with installation.db.transaction() as tx:
        return await accept_invitation(tx, token, user.id, now=installation.clock())


async def find_role(installation, tenant, user):
    found = await list_members(installation.db, tenant.workspace.id)
    return next(((each.role, each.billing) for each in found if each.user_id == user.id), None)


async def test_only_the_hash_of_a_link_is_stored(installation):
    tenant = await installation.tenant()
    _, token = await create_invitation(installation, tenant)
    stored = await installation.db.fetchval("SELECT digest FROM invitations")
    assert stored == hashlib.sha256(token.encode()).digest()
    assert len(token) > 40


async def test_only_the_first_holder_of_a_link_joins_with_its_role(installation):
    tenant = await installation.tenant()
    people = [await installation.user() for _ in range(4)]
    _, token = await create_invitation(installation, tenant, role=Role.EDITOR, billing=True)
    came = await asyncio.gather(*(accept(installation, token, each) for each in people), return_exceptions=True)
    refused = [each for each in came if isinstance(each, Problem)]
    assert [each.code for each in refused] == ["invitation_invalid"] * 3
    joined = [await find_role(installation, tenant, each) for each in people]
    assert sorted(joined, key=str) == [(Role.EDITOR, True), None, None, None]


async def test_unknown_revoked_expired_and_used_links_are_refused_alike(installation):
    tenant = await installation.tenant()
    owner, person = build_actor(tenant, tenant.owner, Role.OWNER), await installation.user()
    revoked, used, expired = (
        await create_invitation(installation, tenant),
        await create_invitation(installation, tenant),
        await create_invitation(installation, tenant),
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


async def test_a_member_keeps_the_higher_role_and_gains_higher_rights(installation):
    tenant = await installation.tenant()
    admin = await installation.member(tenant, Role.ADMIN)
    viewer = await installation.member(tenant, Role.VIEWER, billing=True)
    for _ in range(2):
        await accept(installation, (await create_invitation(installation, tenant, role=Role.EDITOR))[1], tenant.owner)
    await accept(
        installation, (await create_invitation(installation, tenant, role=Role.EDITOR, billing=True))[1], admin
    )
    await accept(installation, (await create_invitation(installation, tenant, role=Role.EDITOR))[1], viewer)
    assert await find_role(installation, tenant, tenant.owner) == (Role.OWNER, True)
    assert await find_role(installation, tenant, admin) == (Role.ADMIN, True)
    assert await find_role(installation, tenant, viewer) == (Role.EDITOR, True)


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
async def test_an_inviter_cannot_grant_more_than_they_have(installation, by, own_billing, role, billing, code):
    tenant = await installation.tenant()
    person = await installation.member(tenant, by, billing=own_billing)
    claimed = Role.OWNER  # what the request believed does not count: the database does
    if code is None:
        await create_invitation(installation, tenant, person, role, by=claimed, billing=billing)
    else:
        with pytest.raises(Problem, match=code):
            await create_invitation(installation, tenant, person, role, by=claimed, billing=billing)
    assert await installation.db.fetchval("SELECT count(*) FROM invitations") == (code is None)


async def test_an_invitation_is_valid_only_while_its_inviter_may_invite(installation):
    tenant = await installation.tenant()
    admin = await installation.member(tenant, Role.ADMIN, billing=True)
    _, token = await create_invitation(installation, tenant, admin, Role.ADMIN, by=Role.ADMIN, billing=True)
    owner = build_actor(tenant, tenant.owner, Role.OWNER)

    async def make_admin(role: Role, *, billing: bool):
        async with installation.db.transaction() as tx:
            await change_member(tx, owner, admin.id, role=role, billing=billing, now=installation.clock())

    await make_admin(Role.EDITOR, billing=True)
    with pytest.raises(Problem, match="invitation_invalid"):
        await accept(installation, token, await installation.user())
    await make_admin(Role.ADMIN, billing=False)
    person = await installation.user()
    await accept(installation, token, person)
    assert await find_role(installation, tenant, person) == (Role.ADMIN, False)


async def test_another_workspace_neither_lists_nor_revokes_an_invitation(installation):
    mine, theirs = await installation.tenant(), await installation.tenant()
    made, token = await create_invitation(installation, mine)
    stranger = build_actor(theirs, theirs.owner, Role.OWNER)
    with pytest.raises(Problem, match="not_found"):
        async with installation.db.transaction() as tx:
            await revoke_invitation(tx, stranger, made.id, now=installation.clock())
    assert await list_invitations(installation.db, stranger, now=installation.clock()) == []
    assert (await read_invitation(installation.db, token, now=installation.clock())).workspace_id == mine.workspace.id


async def test_open_invitations_are_limited(installation):
    tenant = await installation.tenant()
    for _ in range(MAX_OPEN):
        await create_invitation(installation, tenant)
    with pytest.raises(Problem, match="validation_failed"):
        await create_invitation(installation, tenant)
    installation.clock.now += timedelta(days=7)
    await create_invitation(installation, tenant)


async def test_the_email_names_inviter_and_workspace_and_has_the_link(installation):
    tenant = await installation.tenant()
    made, token = await create_invitation(installation, tenant, email=" Grace@Acme.com ")
    letter = await build_invitation_email(
        installation.db, made, tenant.workspace.name, "Europe/Berlin", f"http://test/join?token={token}"
    )
    with in_language(PSEUDO):
        link = "http://test/join"
        translated = await build_invitation_email(installation.db, made, tenant.workspace.name, "UTC", link)
    assert find_untranslated_in_email(translated.subject, translated.text) == []
    assert letter.to == "grace@acme.com" and " CET. " in letter.text
    assert all(each in letter.text for each in (token, tenant.workspace.name, "Editor", tenant.owner.name))

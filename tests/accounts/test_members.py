"""Members: a workspace always has an owner and a payer, and nobody grants more than they have."""

import asyncio

import pytest

from sightline.accounts.members import change_member, leave_workspace, remove_member, set_payer
from sightline.accounts.models import Role
from sightline.accounts.queries import list_members
from sightline.errors import Problem
from tests.accounts.test_invitations import build_actor, find_role


async def change(installation, tenant, by, them, role, *, billing=None):
    async with installation.db.transaction() as tx:
        await change_member(
            tx, build_actor(tenant, by, Role.OWNER), them.id, role=role, billing=billing, now=installation.clock()
        )


async def remove(installation, tenant, by, them):
    async with installation.db.transaction() as tx:
        await remove_member(tx, build_actor(tenant, by, Role.OWNER), them.id)


async def leave(installation, tenant, who):
    async with installation.db.transaction() as tx:
        await leave_workspace(tx, build_actor(tenant, who, Role.OWNER))


async def pay(installation, tenant, by, them):
    async with installation.db.transaction() as tx:
        await set_payer(tx, build_actor(tenant, by, Role.OWNER), them.id)


async def test_the_last_owner_and_the_payer_cannot_leave(installation):
    tenant = await installation.tenant()
    with pytest.raises(Problem, match="last_owner"):
        await change(installation, tenant, tenant.owner, tenant.owner, Role.ADMIN)
    other = await installation.member(tenant, Role.OWNER)
    for act in (remove(installation, tenant, other, tenant.owner), leave(installation, tenant, tenant.owner)):
        with pytest.raises(Problem, match="payer_stays"):
            await act
    with pytest.raises(Problem, match="payer_stays"):
        await change(installation, tenant, other, tenant.owner, Role.OWNER, billing=False)
    with pytest.raises(Problem, match="billing_permission_required"):
        await pay(installation, tenant, tenant.owner, other)
    await change(installation, tenant, tenant.owner, other, Role.OWNER, billing=True)
    await pay(installation, tenant, tenant.owner, other)
    await leave(installation, tenant, tenant.owner)
    assert [(each.user_id, each.is_payer) for each in await list_members(installation.db, tenant.workspace.id)] == [
        (other.id, True)
    ]
    with pytest.raises(Problem, match="payer_stays"):
        await leave(installation, tenant, other)


async def test_an_admin_can_neither_change_nor_make_an_owner(installation):
    tenant = await installation.tenant()
    admin, editor = await installation.member(tenant, Role.ADMIN), await installation.member(tenant, Role.EDITOR)
    other = await installation.member(tenant, Role.OWNER)
    for act in (
        change(installation, tenant, admin, other, Role.VIEWER),
        remove(installation, tenant, admin, other),
        change(installation, tenant, admin, editor, Role.OWNER),
        change(installation, tenant, admin, admin, Role.OWNER),
        pay(installation, tenant, admin, admin),
        change(installation, tenant, editor, admin, Role.VIEWER),
        remove(installation, tenant, editor, admin),
    ):
        with pytest.raises(Problem, match="workspace_access_required"):
            await act
    with pytest.raises(Problem, match="billing_permission_required"):
        await change(installation, tenant, admin, editor, Role.EDITOR, billing=True)
    await change(installation, tenant, admin, editor, Role.ADMIN)
    await remove(installation, tenant, admin, editor)
    assert await find_role(installation, tenant, editor) is None


async def test_two_owners_cannot_both_leave_at_the_same_time(installation):
    tenant = await installation.tenant()
    first, second = await installation.member(tenant, Role.OWNER), await installation.member(tenant, Role.OWNER)
    await change(installation, tenant, first, tenant.owner, Role.VIEWER)
    came = await asyncio.gather(
        change(installation, tenant, first, second, Role.VIEWER),
        change(installation, tenant, second, first, Role.VIEWER),
        leave(installation, tenant, first),
        leave(installation, tenant, second),
        return_exceptions=True,
    )
    assert all(each is None or isinstance(each, Problem) for each in came)
    owners = [each for each in await list_members(installation.db, tenant.workspace.id) if each.role is Role.OWNER]
    assert len(owners) == 1


async def test_a_member_of_another_workspace_is_not_found_and_cannot_act(installation):
    mine, theirs = await installation.tenant(), await installation.tenant()
    member = await installation.member(theirs, Role.EDITOR)
    for act in (
        change(installation, mine, mine.owner, member, Role.VIEWER),
        remove(installation, mine, mine.owner, member),
        pay(installation, mine, mine.owner, member),
    ):
        with pytest.raises(Problem, match="not_found"):
            await act
    with pytest.raises(Problem, match="workspace_not_found"):
        await remove(installation, theirs, mine.owner, member)
    assert await find_role(installation, theirs, member) == (Role.EDITOR, False)


async def test_keys_of_a_removed_member_are_refused_until_the_member_returns(installation):
    tenant = await installation.tenant()
    editor = await installation.member(tenant, Role.EDITOR)
    key = await installation.mint(tenant, editor, "console")
    async with installation.client(X_API_Key=key) as client:
        await remove(installation, tenant, tenant.owner, editor)
        refused = await client.get("/api/v1/console/domains")
        assert (refused.status_code, refused.json()["code"]) == (403, "workspace_access_required")
        await installation.set_role(tenant, editor, Role.EDITOR)
        assert (await client.get("/api/v1/console/domains")).status_code == 200

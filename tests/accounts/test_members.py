"""Members: there is always an owner and a payer, and nobody reaches above themselves."""

import asyncio

import pytest

from sightline.accounts.members import change_member, leave_workspace, list_members, remove_member, set_payer
from sightline.accounts.models import Role
from sightline.errors import Problem
from tests.accounts.test_invitations import actor_of, role_of


async def change(house, tenant, by, them, role, *, billing=None):
    async with house.db.transaction() as tx:
        await change_member(
            tx, actor_of(tenant, by, Role.OWNER), them.id, role=role, billing=billing, now=house.clock()
        )


async def remove(house, tenant, by, them):
    async with house.db.transaction() as tx:
        await remove_member(tx, actor_of(tenant, by, Role.OWNER), them.id)


async def leave(house, tenant, who):
    async with house.db.transaction() as tx:
        await leave_workspace(tx, actor_of(tenant, who, Role.OWNER))


async def pay(house, tenant, by, them):
    async with house.db.transaction() as tx:
        await set_payer(tx, actor_of(tenant, by, Role.OWNER), them.id)


async def test_the_last_owner_and_the_payer_stay(house):
    tenant = await house.tenant()
    with pytest.raises(Problem, match="last_owner"):
        await change(house, tenant, tenant.owner, tenant.owner, Role.ADMIN)
    other = await house.member(tenant, Role.OWNER)
    for act in (remove(house, tenant, other, tenant.owner), leave(house, tenant, tenant.owner)):
        with pytest.raises(Problem, match="payer_stays"):
            await act
    with pytest.raises(Problem, match="payer_stays"):
        await change(house, tenant, other, tenant.owner, Role.OWNER, billing=False)
    with pytest.raises(Problem, match="billing_permission_required"):
        await pay(house, tenant, tenant.owner, other)
    await change(house, tenant, tenant.owner, other, Role.OWNER, billing=True)
    await pay(house, tenant, tenant.owner, other)
    await leave(house, tenant, tenant.owner)
    assert [(each.user_id, each.is_payer) for each in await list_members(house.db, tenant.workspace.id)] == [
        (other.id, True)
    ]
    with pytest.raises(Problem, match="payer_stays"):
        await leave(house, tenant, other)


async def test_an_admin_touches_no_owner_and_makes_none(house):
    tenant = await house.tenant()
    admin, editor = await house.member(tenant, Role.ADMIN), await house.member(tenant, Role.EDITOR)
    other = await house.member(tenant, Role.OWNER)
    for act in (
        change(house, tenant, admin, other, Role.VIEWER),
        remove(house, tenant, admin, other),
        change(house, tenant, admin, editor, Role.OWNER),
        change(house, tenant, admin, admin, Role.OWNER),
        pay(house, tenant, admin, admin),
        change(house, tenant, editor, admin, Role.VIEWER),
        remove(house, tenant, editor, admin),
    ):
        with pytest.raises(Problem, match="workspace_access_required"):
            await act
    with pytest.raises(Problem, match="billing_permission_required"):
        await change(house, tenant, admin, editor, Role.EDITOR, billing=True)
    await change(house, tenant, admin, editor, Role.ADMIN)
    await remove(house, tenant, admin, editor)
    assert await role_of(house, tenant, editor) is None


async def test_two_owners_who_demote_or_leave_at_once_do_not_both_succeed(house):
    tenant = await house.tenant()
    first, second = await house.member(tenant, Role.OWNER), await house.member(tenant, Role.OWNER)
    await change(house, tenant, first, tenant.owner, Role.VIEWER)
    came = await asyncio.gather(
        change(house, tenant, first, second, Role.VIEWER),
        change(house, tenant, second, first, Role.VIEWER),
        leave(house, tenant, first),
        leave(house, tenant, second),
        return_exceptions=True,
    )
    assert all(each is None or isinstance(each, Problem) for each in came)
    owners = [each for each in await list_members(house.db, tenant.workspace.id) if each.role is Role.OWNER]
    assert len(owners) == 1


async def test_somebody_of_another_workspace_is_not_found_and_cannot_act(house):
    mine, theirs = await house.tenant(), await house.tenant()
    member = await house.member(theirs, Role.EDITOR)
    for act in (
        change(house, mine, mine.owner, member, Role.VIEWER),
        remove(house, mine, mine.owner, member),
        pay(house, mine, mine.owner, member),
    ):
        with pytest.raises(Problem, match="not_found"):
            await act
    with pytest.raises(Problem, match="workspace_not_found"):
        await remove(house, theirs, mine.owner, member)
    assert await role_of(house, theirs, member) == (Role.EDITOR, False)


async def test_the_keys_of_a_removed_member_are_refused_and_work_again_when_they_come_back(house):
    tenant = await house.tenant()
    editor = await house.member(tenant, Role.EDITOR)
    key = await house.mint(tenant, editor, "console")
    async with house.client(X_API_Key=key) as client:
        await remove(house, tenant, tenant.owner, editor)
        refused = await client.get("/api/v1/console/domains")
        assert (refused.status_code, refused.json()["code"]) == (403, "workspace_access_required")
        await house.set_role(tenant, editor, Role.EDITOR)
        assert (await client.get("/api/v1/console/domains")).status_code == 200

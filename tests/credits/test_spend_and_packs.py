"""The spend cap, and the packs that the operator edits."""

from datetime import UTC, datetime, timedelta

import pytest

from sightline.credits import packs, spend
from sightline.credits.models import Spend
from sightline.credits.queries import list_packs_any_workspace
from sightline.errors import Problem

START_OF_NOVEMBER = datetime(2026, 11, 1, tzinfo=UTC)


async def read(account):
    return await spend.read_spend(
        account.installation.db,
        account.workspace_id,
        livemode=account.livemode,
        now=account.installation.clock(),
        default_cap=50_000,
    )


async def test_without_purchases_the_default_cap_and_nothing_spent(account):
    assert await read(account) == Spend(50_000, 0)


async def test_credited_purchases_of_this_calendar_month_count_less_refunds(account, test_mode_account):
    await account.checkout("credited", amount_cents=1_900, credited_at=START_OF_NOVEMBER)
    await account.checkout(
        "refunded", amount_cents=7_900, credited_at=account.installation.clock(), refunded_cents=7_900
    )
    await account.checkout("credited", amount_cents=7_900, credited_at=account.installation.clock(), refunded_cents=900)
    await account.checkout("credited", amount_cents=24_900, credited_at=START_OF_NOVEMBER - timedelta(microseconds=1))
    await account.checkout("unpaid", amount_cents=99_000, expires_at=account.installation.clock() + timedelta(hours=1))
    await test_mode_account.checkout("credited", amount_cents=99_000, credited_at=account.installation.clock())
    assert (await read(account)).current_month_spend_cents == 1_900 + 7_000
    account.installation.clock.now = datetime(2026, 12, 1, tzinfo=UTC)
    assert (await read(account)).current_month_spend_cents == 0


async def test_open_attempts_count_until_they_expire(account):
    now = account.installation.clock()
    await account.checkout("unpaid", amount_cents=100, expires_at=now + timedelta(seconds=1))
    await account.checkout("pending", amount_cents=20, expires_at=now + timedelta(seconds=1))
    await account.checkout("unpaid", amount_cents=3_000, expires_at=now)
    await account.checkout("expired", amount_cents=4_000, expires_at=now + timedelta(hours=1))
    async with account.installation.db.transaction() as tx:
        assert await spend.sum_open_attempts(tx, account.workspace_id, livemode=True, now=now) == 120
        assert await spend.sum_open_attempts(tx, account.workspace_id, livemode=False, now=now) == 0


async def test_a_cap_of_its_own_holds_in_both_modes_until_it_is_taken_back(account, test_mode_account):
    async def set_cap(cents):
        async with account.installation.db.transaction() as tx:
            await spend.set_spend_cap(tx, account.workspace_id, cents, now=account.installation.clock())

    await set_cap(0)
    assert (await read(account)).spend_cap_cents == 0
    assert (await read(test_mode_account)).spend_cap_cents == 0
    await account.grant(5)
    await set_cap(70_000)
    assert await account.balance() == 5
    assert (await read(account)).spend_cap_cents == 70_000
    await set_cap(None)
    assert (await read(account)).spend_cap_cents == 50_000


async def test_the_seeded_packs_cheapest_first(installation):
    found = await list_packs_any_workspace(installation.db)
    assert [(p.credits, p.price_cents, p.badge) for p in found] == [
        (10, 1_900, None), (50, 7_900, "Popular"), (200, 24_900, None), (1_000, 99_000, None),
    ]  # fmt: skip


async def test_a_pack_is_added_changed_and_retired(installation):
    async with installation.db.transaction() as tx:
        made = await packs.add_pack(tx, credits=25, price_cents=4_500, name=" 25 credits ", badge="New")
        changed = await packs.change_pack(tx, made.pricing_id, packs.PackChanges(price_cents=4_000, badge=""))
    assert (made.name, made.badge, made.active, made.currency) == ("25 credits", "New", True, "usd")
    assert changed == await packs.find_pack(installation.db, made.pricing_id)
    assert (changed.price_cents, changed.badge, changed.credits) == (4_000, None, 25)
    for _ in range(2):
        async with installation.db.transaction() as tx:
            await packs.retire_pack(tx, made.pricing_id)
    assert made.pricing_id not in {pack.pricing_id for pack in await list_packs_any_workspace(installation.db)}
    assert made.pricing_id in {
        pack.pricing_id for pack in await list_packs_any_workspace(installation.db, active_only=False)
    }
    kept = await packs.find_pack(installation.db, made.pricing_id)
    assert kept is not None and not kept.active


@pytest.mark.parametrize("pricing_id", [0, -1, 999, 2**31, 2**63])
async def test_an_unknown_pack_is_not_there(installation, pricing_id):
    assert await packs.find_pack(installation.db, pricing_id) is None
    with pytest.raises(Problem, match="There is no pack"):
        async with installation.db.transaction() as tx:
            await packs.retire_pack(tx, pricing_id)


@pytest.mark.parametrize(
    "wrong", [{"credits": 0}, {"credits": 2**31}, {"price_cents": 0}, {"price_cents": -1}, {"name": "  "}]
)
async def test_a_pack_that_makes_no_sense_is_refused(installation, wrong):
    given = {"credits": 10, "price_cents": 100, "name": "Ten", **wrong}
    with pytest.raises(Problem, match=next(iter(wrong))):
        async with installation.db.transaction() as tx:
            await packs.add_pack(tx, **given)
    with pytest.raises(Problem, match=next(iter(wrong))):
        async with installation.db.transaction() as tx:
            await packs.change_pack(tx, 1, packs.PackChanges(**wrong))
    assert len(await list_packs_any_workspace(installation.db)) == 4

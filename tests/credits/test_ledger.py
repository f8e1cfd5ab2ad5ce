"""The ledger: entries, balances and refusals, with concurrent callers."""

import asyncio

import asyncpg
import pytest

from sightline.credits import ledger
from sightline.errors import Problem
from sightline.kit.ids import new_id
from tests.sent_events import decode_event


async def events(account) -> list[tuple]:
    rows = await account.installation.db.fetch(
        "SELECT type, cause, body, livemode FROM events WHERE workspace_id = $1", account.workspace_id
    )
    return [(kind, cause, decode_event(body)["data"], livemode) for kind, cause, body, livemode in rows]


async def test_a_live_account_starts_with_nothing_and_a_test_account_with_one_grant_of_1000(account, test_mode_account):
    assert await account.balance() == 0
    assert await account.entries() == []
    assert await test_mode_account.balance() == 1_000
    assert await test_mode_account.entries() == [(1_000, "promotional_grant", "test-grant", None, None)]


async def test_an_account_that_many_open_at_once_is_opened_once(test_mode_account):
    await asyncio.gather(*(test_mode_account.balance() for _ in range(10)))
    async with test_mode_account.installation.db.transaction() as tx:
        await ledger.open_account(tx, test_mode_account.account, now=test_mode_account.now)
        assert await ledger.lock_balance(tx, test_mode_account.account, now=test_mode_account.now) == 1_000
    assert len(await test_mode_account.entries()) == 1


async def test_a_setting_decides_on_test_credits_and_none_makes_no_entry(installation, test_mode_account):
    test_mode_account.rules = ledger.CreditRules(test_credits=0, low_threshold=10)
    assert await test_mode_account.balance() == 0
    assert await test_mode_account.entries() == []


async def test_an_entry_moves_the_balance_and_a_cause_has_one_entry(account):
    assert await account.post(50, "purchase", "checkout:1", payment_reference="pi_1")
    assert not await account.post(50, "purchase", "checkout:1", payment_reference="pi_1")
    assert not await account.post(70, "manual_adjustment", "checkout:1")
    assert await account.balance() == 50
    assert await account.entries() == [(50, "purchase", "checkout:1", None, "pi_1")]


async def test_the_same_cause_may_have_its_entry_in_each_mode_and_workspace(installation, account, test_mode_account):
    assert await account.post(5, "purchase", "checkout:1")
    assert await test_mode_account.post(7, "purchase", "checkout:1")
    assert await account.balance() == 5
    assert await test_mode_account.balance() == 1_007


async def test_of_many_at_once_with_one_cause_one_posts(account):
    posted = await asyncio.gather(*(account.post(50, "purchase", "checkout:1") for _ in range(8)))
    assert sorted(posted) == [False] * 7 + [True]
    assert await account.balance() == 50


async def test_a_payment_that_was_taken_back_may_take_the_balance_below_zero(account):
    await account.post(50, "purchase", payment_reference="pi_1")
    await account.charge(40)
    await account.post(-50, "refund", payment_reference="pi_1")
    assert await account.balance() == -40


async def test_a_rollback_undoes_the_entry_and_the_balance(account):
    await account.grant(10)

    async def charge_and_die():
        async with account.installation.db.transaction() as tx:
            await ledger.charge_scan(tx, account.account, new_id(), 4, description="x", now=account.now)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await charge_and_die()
    assert await account.balance() == 10
    assert len(await account.entries()) == 1


async def test_a_scan_is_charged_once_as_scan_consumption(account):
    await account.grant(10)
    scan_id = await account.charge(3)
    await account.charge(3, scan_id)
    assert await account.balance() == 7
    assert (await account.entries())[1:] == [(-3, "scan_consumption", f"scan:{scan_id}", scan_id, None)]


async def test_insufficient_credits_names_what_is_needed_and_takes_nothing(account):
    await account.grant(2)
    with pytest.raises(Problem) as refused:
        await account.charge(3)
    assert refused.value.code == "insufficient_credits"
    assert refused.value.members == {"required_credits": 3, "balance": 2}
    assert await account.balance() == 2
    await account.charge(2)
    assert await account.balance() == 0


async def test_a_check_that_costs_nothing_writes_no_entry_and_is_refused_below_zero(account):
    await account.charge(0)
    assert await account.entries() == []
    await account.post(-1, "refund", payment_reference="pi_1")
    with pytest.raises(Problem) as refused:
        await account.charge(0)
    assert refused.value.members == {"required_credits": 0, "balance": -1}


async def test_many_scans_at_once_never_spend_more_than_there_is(account):
    await account.grant(10)
    outcomes = await asyncio.gather(*(account.charge(3) for _ in range(10)), return_exceptions=True)
    assert sum(isinstance(outcome, Problem) for outcome in outcomes) == 7
    assert await account.balance() == 1


async def test_the_credits_of_a_scan_are_given_back_once(account):
    await account.grant(10)
    scan_id = await account.charge(3)
    given = await asyncio.gather(*(account.refund(scan_id) for _ in range(5)))
    assert sorted(given) == [0, 0, 0, 0, 3]
    assert await account.balance() == 10
    assert (await account.entries())[-1] == (3, "refund", f"scan-refund:{scan_id}", scan_id, None)


async def test_what_was_not_charged_is_not_refunded_nor_what_the_other_mode_was_charged(account, test_mode_account):
    assert await account.refund(new_id()) == 0
    scan_id = await test_mode_account.charge(3)
    assert await account.refund(scan_id) == 0
    assert await account.entries() == []


async def test_the_debit_that_crosses_the_threshold_raises_credits_low_once(account):
    await account.grant(12)
    await account.charge(2)
    assert await events(account) == [], "10 is not below 10"
    crossing = await account.charge(1)
    data = {"balance": 9, "threshold": 10, "workspace_id": str(account.workspace_id), "livemode": True}
    assert await events(account) == [("credits.low", str(crossing), data, True)]
    await account.charge(1)
    assert len(await events(account)) == 1, "it was low before"
    await account.grant(10)
    await account.charge(9)
    assert len(await events(account)) == 2, "it crossed again"


async def test_a_scan_that_is_charged_already_raises_no_event(account):
    await account.grant(12)
    scan_id = await account.charge(2)
    await account.charge(2, scan_id)
    assert await account.balance() == 10
    assert await events(account) == []


async def test_a_refused_charge_raises_no_event(account):
    await account.grant(12)
    with pytest.raises(Problem):
        await account.charge(13)
    assert await events(account) == []


async def test_a_grant_that_is_said_twice_gives_twice(account):
    for expected in (5, 10):
        async with account.installation.db.transaction() as tx:
            after = await ledger.grant_credits(tx, account.account, 5, note="Welcome", now=account.now)
        assert after == expected
    assert [row[:2] for row in await account.entries()] == [(5, "promotional_grant")] * 2


async def test_an_adjustment_may_take_what_there_is_and_no_more(account):
    async def adjust(delta):
        async with account.installation.db.transaction() as tx:
            return await ledger.adjust_credits(tx, account.account, delta, note="Counted again", now=account.now)

    await account.grant(5)
    with pytest.raises(Problem, match="insufficient_credits"):
        await adjust(-6)
    assert await adjust(-5) == 0
    with pytest.raises(Problem, match="must not be 0"):
        await adjust(0)
    await account.post(-10, "refund", payment_reference="pi_1")
    assert await adjust(4) == -6, "upwards is always right"
    assert [row[:2] for row in await account.entries()][1] == (-5, "manual_adjustment")


@pytest.mark.parametrize(
    "statement", ["UPDATE credit_entries SET delta = 1", "DELETE FROM credit_entries", "TRUNCATE credit_entries"]
)
async def test_entries_are_append_only(account, statement):
    await account.grant(5)
    with pytest.raises(asyncpg.RaiseError, match="append-only"):
        await account.installation.db.execute(statement)

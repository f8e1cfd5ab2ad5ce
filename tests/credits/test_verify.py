"""Verifying ledgers: correct ones pass, and each discrepancy is named."""

import pytest

from sightline.credits.verify import verify_ledgers_any_workspace
from sightline.kit.ids import new_id


async def found(account) -> list[tuple[str, str]]:
    faults = await verify_ledgers_any_workspace(account.installation.db)
    assert all(f.workspace_id == account.workspace_id and f.livemode is account.livemode for f in faults)
    return [(fault.kind, fault.subject) for fault in faults]


async def charged_scan(account, status: str, *, started: bool = False, refunded: bool = False):
    scan_id = await account.charge(3)
    await account.scan(status, 3, scan_id=scan_id, started=started)
    if refunded:
        await account.refund(scan_id)
    return scan_id


@pytest.fixture
async def account(account):
    await account.grant(100)
    return account


async def test_books_that_add_up(account, test_mode_account):
    await test_mode_account.balance()
    await charged_scan(account, "completed", started=True)
    await charged_scan(account, "failed", started=True, refunded=True)
    await charged_scan(account, "cancelled", refunded=True)
    await charged_scan(account, "cancelled", started=True)
    await account.scan("completed", 0, started=True)
    await charged_scan(account, "running", started=True)
    now = account.installation.clock()
    await account.checkout("credited", credited_at=now, payment_reference="pi_1")
    await account.post(50, "purchase", payment_reference="pi_1")
    await account.checkout("refunded", credited_at=now, payment_reference="pi_2")
    await account.post(50, "purchase", payment_reference="pi_2")
    await account.post(-50, "refund", payment_reference="pi_2")
    await account.checkout("unpaid")
    assert await found(account) == []


async def test_a_balance_that_is_not_the_sum_of_its_entries(account):
    await account.installation.db.execute("UPDATE credit_accounts SET balance = 101")
    (fault,) = await verify_ledgers_any_workspace(account.installation.db)
    assert (fault.kind, fault.detail) == ("balance", "the balance is 101, but its entries add up to 100")


async def test_a_balance_without_entries(test_mode_account):
    await test_mode_account.installation.db.execute(
        "INSERT INTO credit_accounts VALUES ($1, false, 5, NULL, now())", test_mode_account.workspace_id
    )
    assert await found(test_mode_account) == [("balance", "account")]


async def test_a_charge_without_its_scan(account):
    scan_id = await account.charge(3)
    assert await found(account) == [("scan_charge", str(scan_id))]


async def test_a_charge_that_names_no_scan(account):
    await account.post(-3, "scan_consumption")
    assert await found(account) == [("scan_charge", "unnamed")]


async def test_a_charge_that_differs_from_the_scan(account):
    scan_id = await account.charge(3)
    await account.scan("completed", 4, scan_id=scan_id, started=True)
    assert await found(account) == [("scan_charge", str(scan_id))]


async def test_a_charged_scan_without_its_entry(account):
    scan_id = await account.scan("completed", 2, started=True)
    assert await found(account) == [("scan_charge", str(scan_id))]


async def test_a_scan_that_was_charged_twice(account):
    scan_id = await charged_scan(account, "completed", started=True)
    await account.post(-3, "scan_consumption", scan_id=scan_id)
    assert await found(account) == [("scan_charge", str(scan_id))]


async def test_a_scan_that_was_charged_in_the_other_mode(account):
    scan_id = await account.charge(3)
    await account.scan("completed", 3, scan_id=scan_id, started=True, livemode=False)
    faults = await verify_ledgers_any_workspace(account.installation.db)
    assert {(f.kind, f.subject, f.livemode) for f in faults} == {
        ("scan_charge", str(scan_id), True),
        ("scan_charge", str(scan_id), False),
    }


@pytest.mark.parametrize(("status", "started"), [("failed", True), ("failed", False), ("cancelled", False)])
async def test_a_scan_that_is_owed_its_credits(account, status, started):
    scan_id = await charged_scan(account, status, started=started)
    assert await found(account) == [("scan_refund", str(scan_id))]


@pytest.mark.parametrize("status", ["completed", "cancelled", "running"])
async def test_a_scan_that_was_refunded_and_should_not_have_been(account, status):
    scan_id = await charged_scan(account, status, started=True, refunded=True)
    assert await found(account) == [("scan_refund", str(scan_id))]


async def test_a_scan_that_was_refunded_twice(account):
    scan_id = await charged_scan(account, "failed", refunded=True)
    await account.post(3, "refund", scan_id=scan_id)
    assert await found(account) == [("scan_refund", str(scan_id))]


async def test_a_refund_in_two_halves_is_not_one_refund(account):
    scan_id = await charged_scan(account, "failed")
    await account.post(1, "refund", scan_id=scan_id)
    await account.post(2, "refund", scan_id=scan_id)
    assert await found(account) == [("scan_refund", str(scan_id))]


async def test_a_completed_scan_is_refunded_one_entry_for_each_platform(account):
    """The scan of the account has one platform, so its refund is one entry of all its credits."""
    fine = await charged_scan(account, "completed", started=True)
    await account.post(3, "refund", scan_id=fine)
    unpaid = await charged_scan(account, "completed", started=True)
    await account.installation.db.execute("UPDATE scans SET credits_refunded = 3")
    assert await found(account) == [("scan_refund", str(unpaid))]
    await account.post(1, "refund", scan_id=unpaid)
    await account.post(2, "refund", scan_id=unpaid)
    assert await found(account) == [("scan_refund", str(unpaid))], "two entries for one platform"


async def test_a_refund_of_nothing_that_is_known(account):
    scan_id = new_id()
    await account.post(3, "refund", scan_id=scan_id)
    await account.post(3, "refund")
    assert sorted(await found(account)) == sorted([("scan_refund", str(scan_id)), ("scan_refund", "unnamed")])


async def test_a_credited_checkout_without_its_entry_or_with_another_number_or_two(account):
    now = account.installation.clock()
    await account.checkout("credited", credited_at=now, payment_reference="pi_1")
    await account.checkout("credited", credited_at=now, payment_reference="pi_2")
    await account.post(49, "purchase", payment_reference="pi_2")
    await account.checkout("refunded", credited_at=now, payment_reference="pi_3")
    await account.post(25, "purchase", payment_reference="pi_3")
    await account.post(25, "purchase", payment_reference="pi_3")
    await account.checkout("credited", credited_at=now, payment_reference=None)
    assert [kind for kind, _ in await found(account)] == ["purchase"] * 4


async def test_a_purchase_without_its_checkout(account):
    await account.post(50, "purchase", payment_reference="pi_9")
    await account.checkout("pending", payment_reference="pi_9")
    await account.post(50, "purchase")  # by hand, without a payment: allowed
    assert await found(account) == [("purchase", "pi_9")]

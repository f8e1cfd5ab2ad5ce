"""Proving the books: what adds up passes, and each thing that does not is named."""

import pytest

from sightline.credits.verify import verify_ledgers_any_workspace
from sightline.kit.ids import new_id


async def found(books) -> list[tuple[str, str]]:
    faults = await verify_ledgers_any_workspace(books.installation.db)
    assert all(f.workspace_id == books.workspace_id and f.livemode is books.livemode for f in faults)
    return [(fault.kind, fault.subject) for fault in faults]


async def charged_scan(books, status: str, *, started: bool = False, refunded: bool = False):
    scan_id = await books.charge(3)
    await books.scan(status, 3, scan_id=scan_id, started=started)
    if refunded:
        await books.refund(scan_id)
    return scan_id


@pytest.fixture
async def books(books):
    await books.grant(100)
    return books


async def test_books_that_add_up(books, test_books):
    await test_books.balance()
    await charged_scan(books, "completed", started=True)
    await charged_scan(books, "failed", started=True, refunded=True)
    await charged_scan(books, "cancelled", refunded=True)
    await charged_scan(books, "cancelled", started=True)
    await books.scan("completed", 0, started=True)
    await charged_scan(books, "running", started=True)
    now = books.installation.clock()
    await books.checkout("credited", credited_at=now, payment_reference="pi_1")
    await books.post(50, "purchase", payment_reference="pi_1")
    await books.checkout("refunded", credited_at=now, payment_reference="pi_2")
    await books.post(50, "purchase", payment_reference="pi_2")
    await books.post(-50, "refund", payment_reference="pi_2")
    await books.checkout("unpaid")
    assert await found(books) == []


async def test_a_balance_that_is_not_the_sum_of_its_entries(books):
    await books.installation.db.execute("UPDATE credit_accounts SET balance = 101")
    (fault,) = await verify_ledgers_any_workspace(books.installation.db)
    assert (fault.kind, fault.detail) == ("balance", "the balance is 101, but its entries add up to 100")


async def test_a_balance_without_entries(test_books):
    await test_books.installation.db.execute(
        "INSERT INTO credit_accounts VALUES ($1, false, 5, NULL, now())", test_books.workspace_id
    )
    assert await found(test_books) == [("balance", "account")]


async def test_a_charge_without_its_scan(books):
    scan_id = await books.charge(3)
    assert await found(books) == [("scan_charge", str(scan_id))]


async def test_a_charge_that_names_no_scan(books):
    await books.post(-3, "scan_consumption")
    assert await found(books) == [("scan_charge", "unnamed")]


async def test_a_charge_that_differs_from_the_scan(books):
    scan_id = await books.charge(3)
    await books.scan("completed", 4, scan_id=scan_id, started=True)
    assert await found(books) == [("scan_charge", str(scan_id))]


async def test_a_charged_scan_without_its_entry(books):
    scan_id = await books.scan("completed", 2, started=True)
    assert await found(books) == [("scan_charge", str(scan_id))]


async def test_a_scan_that_was_charged_twice(books):
    scan_id = await charged_scan(books, "completed", started=True)
    await books.post(-3, "scan_consumption", scan_id=scan_id)
    assert await found(books) == [("scan_charge", str(scan_id))]


async def test_a_scan_that_was_charged_in_the_other_mode(books):
    scan_id = await books.charge(3)
    await books.scan("completed", 3, scan_id=scan_id, started=True, livemode=False)
    faults = await verify_ledgers_any_workspace(books.installation.db)
    assert {(f.kind, f.subject, f.livemode) for f in faults} == {
        ("scan_charge", str(scan_id), True),
        ("scan_charge", str(scan_id), False),
    }


@pytest.mark.parametrize(("status", "started"), [("failed", True), ("failed", False), ("cancelled", False)])
async def test_a_scan_that_is_owed_its_credits(books, status, started):
    scan_id = await charged_scan(books, status, started=started)
    assert await found(books) == [("scan_refund", str(scan_id))]


@pytest.mark.parametrize("status", ["completed", "cancelled", "running"])
async def test_a_scan_that_was_refunded_and_should_not_have_been(books, status):
    scan_id = await charged_scan(books, status, started=True, refunded=True)
    assert await found(books) == [("scan_refund", str(scan_id))]


async def test_a_scan_that_was_refunded_twice(books):
    scan_id = await charged_scan(books, "failed", refunded=True)
    await books.post(3, "refund", scan_id=scan_id)
    assert await found(books) == [("scan_refund", str(scan_id))]


async def test_a_refund_in_two_halves_is_not_one_refund(books):
    scan_id = await charged_scan(books, "failed")
    await books.post(1, "refund", scan_id=scan_id)
    await books.post(2, "refund", scan_id=scan_id)
    assert await found(books) == [("scan_refund", str(scan_id))]


async def test_a_refund_of_nothing_that_is_known(books):
    scan_id = new_id()
    await books.post(3, "refund", scan_id=scan_id)
    await books.post(3, "refund")
    assert sorted(await found(books)) == sorted([("scan_refund", str(scan_id)), ("scan_refund", "unnamed")])


async def test_a_credited_checkout_without_its_entry_or_with_another_number_or_two(books):
    now = books.installation.clock()
    await books.checkout("credited", credited_at=now, payment_reference="pi_1")
    await books.checkout("credited", credited_at=now, payment_reference="pi_2")
    await books.post(49, "purchase", payment_reference="pi_2")
    await books.checkout("refunded", credited_at=now, payment_reference="pi_3")
    await books.post(25, "purchase", payment_reference="pi_3")
    await books.post(25, "purchase", payment_reference="pi_3")
    await books.checkout("credited", credited_at=now, payment_reference=None)
    assert [kind for kind, _ in await found(books)] == ["purchase"] * 4


async def test_a_purchase_without_its_checkout(books):
    await books.post(50, "purchase", payment_reference="pi_9")
    await books.checkout("pending", payment_reference="pi_9")
    await books.post(50, "purchase")  # by hand, without a payment: allowed
    assert await found(books) == [("purchase", "pi_9")]

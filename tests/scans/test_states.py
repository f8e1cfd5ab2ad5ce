"""The rows of the table "Console scan status" in the specification, and the guarded UPDATE that enforces them."""

import asyncio
import itertools
import uuid

import pytest

from sightline.kit.ids import new_id
from sightline.scans.brands import build_console_brands
from sightline.scans.queries import find_scan, insert_scan, move_scan
from sightline.scans.states import TRANSITIONS, ScanStatus
from sightline.scans.stored import NewScan, number_prompts
from tests.console_customers import METRICS, Customer

# From the specification. Cancelling a running scan is from the decisions.
TABLE = {
    ("pending", "running"),
    ("running", "completed"),
    ("running", "failed"),
    ("pending", "cancelled"),
    ("running", "cancelled"),
}


def test_the_transitions_match_the_specification():
    assert {(before, after) for before, targets in TRANSITIONS.items() for after in targets} == TABLE


def test_active_is_pending_or_running():
    assert {status for status in ScanStatus if status.is_active} == {"pending", "running"}


@pytest.mark.parametrize(
    ("before", "after"), sorted(set(itertools.product(ScanStatus, ScanStatus)) - TABLE), ids=lambda status: status
)
async def test_undeclared_transitions_raise_an_error(before, after):
    with pytest.raises(ValueError, match="cannot change"):
        await move_scan(None, uuid.uuid4(), uuid.uuid4(), from_=before, to=after, now=None)


@pytest.fixture
async def customer(installation, client):
    return await Customer.create(installation, client)


async def read(customer, scan_id):
    return (await customer.get(f"/{scan_id}")).json()["data"]


async def test_an_accepted_scan_is_pending_and_its_credits_are_debited(customer):
    scan = await read(customer, await customer.accepted(platforms=["chatgpt", "gemini"]))
    assert (scan["status"], scan["started_at"], scan["completed_at"], scan["duration_seconds"]) == (
        "pending",
        None,
        None,
        None,
    )
    assert await customer.ledger() == [("scan_consumption", -2)]


async def test_pending_to_running_sets_started_at(customer):
    scan_id = await customer.accepted()
    customer.installation.clock.advance(seconds=2)
    await customer.move(scan_id, "running")
    scan = await read(customer, scan_id)
    assert (scan["status"], scan["started_at"]) == ("running", "2026-11-15T09:30:12.000000+00:00")
    assert scan["completed_at"] is None and scan["visibility_score"] is None


async def test_running_to_completed_shows_rounded_metrics_and_the_duration(customer):
    scan_id = await customer.accepted()
    await customer.move(scan_id, "running", "completed", metrics=METRICS)
    scan = await read(customer, scan_id)
    assert scan["status"] == "completed" and scan["duration_seconds"] == 5.0
    assert (scan["started_at"], scan["completed_at"]) == (
        "2026-11-15T09:30:10.000000+00:00",
        "2026-11-15T09:30:15.000000+00:00",
    )
    assert (scan["visibility_score"], scan["brand_coverage_pct"]) == (46.3, 66.7)
    assert (scan["ai_mentions"], scan["citation_count"], scan["market_position"]) == (2, 1, None)


async def test_running_to_failed_fills_error_message_and_has_no_metrics(customer):
    scan_id = await customer.accepted()
    await customer.move(scan_id, "running", "failed", error_message="No platform answered.")
    scan = await read(customer, scan_id)
    assert (scan["status"], scan["error_message"]) == ("failed", "No platform answered.")
    assert scan["completed_at"] == "2026-11-15T09:30:15.000000+00:00"
    assert scan["visibility_score"] is scan["ai_mentions"] is scan["market_position"] is None


async def test_completed_at_is_set_even_if_the_scan_never_started(customer):
    scan_id = await customer.accepted()
    await customer.move(scan_id, "cancelled")
    scan = await read(customer, scan_id)
    assert scan["completed_at"] is not None
    assert scan["started_at"] is scan["duration_seconds"] is None


async def test_only_one_of_several_concurrent_moves_succeeds(customer):
    """The guarded UPDATE decides a race between the worker and a cancellation."""
    scan_id = uuid.UUID(await customer.accepted())

    async def move(to):
        async with customer.installation.db.transaction() as tx:
            return await move_scan(
                tx, customer.workspace_id, scan_id, from_=ScanStatus.PENDING, to=to, now=customer.installation.clock()
            )

    moved = await asyncio.gather(*(move(to) for to in [ScanStatus.RUNNING, ScanStatus.CANCELLED] * 5))
    (winner,) = [row for row in moved if row is not None]
    assert await find_scan(customer.installation.db, customer.workspace_id, scan_id) == winner


async def test_another_workspace_cannot_change_the_status_of_a_scan(customer):
    scan_id = uuid.UUID(await customer.accepted())
    now = customer.installation.clock()
    async with customer.installation.db.transaction() as tx:
        moved = await move_scan(tx, uuid.uuid4(), scan_id, from_=ScanStatus.PENDING, to=ScanStatus.RUNNING, now=now)
    assert moved is None


async def test_at_most_one_scan_per_domain_is_pending_or_running(customer):
    """The unique index enforces this even if the checks in the code fail."""

    async def insert():
        scan = NewScan(
            id=new_id(),
            domain_id=uuid.UUID(customer.domain),
            domain="acme.com",
            livemode=True,
            measurement_scope="console_check",
            priority=40,
            answers_source="sandbox",
            measured=build_console_brands("acme.com", "acme", [], [], []),
            selected_platforms=("chatgpt",),
            prompts=number_prompts(["best crm"]),
            credits_charged=0,
            answers_total=1,
        )
        async with customer.installation.db.transaction() as tx:
            return await insert_scan(tx, customer.workspace_id, scan, now=customer.installation.clock())

    inserted = [row for row in await asyncio.gather(*(insert() for _ in range(8))) if row]
    assert len(inserted) == 1 and inserted[0].status is ScanStatus.PENDING
    await customer.move(str(inserted[0].id), "running")
    assert await insert() is None
    await customer.installation.db.execute("UPDATE scans SET status = 'completed', completed_at = now()")
    assert await insert() is not None

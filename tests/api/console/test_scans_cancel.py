"""Cancelling a scan, state by state."""

import uuid

import pytest

from sightline.accounts.models import Role
from tests.api.assertions import assert_problem
from tests.console_customers import METRICS, Customer
from tests.sent_events import decode_event


@pytest.fixture
async def customer(installation, client):
    return await Customer.create(installation, client)


async def test_pending_to_cancelled_the_credits_are_refunded(customer, installation):
    scan_id = await customer.accepted(platforms=["chatgpt", "gemini"])
    installation.clock.advance(seconds=7)
    response = await customer.cancel(scan_id)
    assert response.status_code == 200
    scan = response.json()["data"]
    assert (scan["status"], scan["completed_at"]) == ("cancelled", "2026-11-15T09:30:17.000000+00:00")
    assert scan["started_at"] is scan["duration_seconds"] is None
    assert scan["credits_charged"] == 2
    assert await customer.ledger() == [("scan_consumption", -2), ("refund", 2)]
    assert await customer.balance() == 100
    assert (await customer.get(f"/{scan_id}")).json()["data"] == scan


async def test_running_to_cancelled_no_refund_and_the_answers_stay(customer, installation):
    scan_id, _ = await customer.completed()
    await installation.db.execute("UPDATE scans SET status = 'running', completed_at = NULL")
    response = await customer.cancel(scan_id)
    assert response.json()["data"]["status"] == "cancelled"
    assert response.json()["data"]["duration_seconds"] is not None
    assert await customer.ledger() == [("scan_consumption", -2)]
    assert len((await customer.get(f"/{scan_id}/answers")).json()["data"]) == 4
    assert_problem(await customer.get(f"/{scan_id}/results"), 409, "results_not_ready")


@pytest.mark.parametrize("ending", ["completed", "failed", "cancelled"])
async def test_cancel_of_an_ended_scan_is_refused_with_its_status(customer, ending):
    scan_id = await customer.accepted()
    await customer.move(scan_id, "running", ending, error_message="Broken.", metrics=METRICS)
    before = (await customer.get(f"/{scan_id}")).json()["data"]
    document = assert_problem(await customer.cancel(scan_id), 409, "scan_not_cancellable")
    assert document["scan_status"] == ending
    assert (await customer.get(f"/{scan_id}")).json()["data"] == before
    assert await customer.ledger() == [("scan_consumption", -1)]


async def test_the_domain_can_be_scanned_again(customer):
    first = await customer.accepted()
    await customer.cancel(first)
    assert await customer.accepted() != first


async def test_scan_cancelled_is_recorded_once_with_the_scan_as_its_data(customer, installation):
    scan_id = await customer.accepted()
    shown = (await customer.cancel(scan_id)).json()["data"]
    await customer.cancel(scan_id)
    (event,) = await installation.db.fetch("SELECT type, cause, livemode, body FROM events WHERE type LIKE 'scan%'")
    assert (event["type"], event["cause"], event["livemode"]) == ("scan.cancelled", scan_id, True)
    body = decode_event(event["body"])
    assert (body["type"], body["data"]) == ("scan.cancelled", {**shown, "workspace_id": customer.tenant.id})


async def test_no_unasked_cell_remains(customer, installation):
    """Workers that find no unasked cell stop working on the scan."""
    scan_id = await customer.accepted()
    await customer.move(scan_id, "running")
    await installation.db.execute(
        "INSERT INTO scan_lanes VALUES ($1, $2, 'chatgpt', 'sandbox.chatgpt', 40, 10, 5, 2, now())",
        customer.workspace_id,
        uuid.UUID(scan_id),
    )
    await customer.cancel(scan_id)
    assert await installation.db.fetchval("SELECT count(*) FROM scan_lanes") == 0


async def test_a_repeated_cancel_returns_the_stored_response(customer):
    scan_id = await customer.accepted()
    first = await customer.cancel(scan_id, **{"Idempotency-Key": "c"})
    again = await customer.cancel(scan_id, **{"Idempotency-Key": "c"})
    assert again.headers["x-idempotent-replay"] == "true" and again.content == first.content


async def test_a_scan_of_another_workspace_is_not_found_and_not_changed(customer, installation, client):
    scan_id = await customer.accepted()
    stranger = await Customer.create(installation, client)
    for key in (stranger.key, customer.tenant.test):
        assert_problem(await customer.cancel(scan_id, key), 404, "scan_not_found")
    for unknown in ("nonsense", "%00", customer.domain):
        assert_problem(await customer.cancel(unknown), 404, "scan_not_found")
    assert (await customer.get(f"/{scan_id}")).json()["data"]["status"] == "pending"


async def test_a_viewer_can_read_scans_but_not_submit_or_cancel(customer, installation):
    scan_id = await customer.accepted()
    viewer = await installation.member(customer.tenant, Role.VIEWER)
    key = await installation.mint(customer.tenant, viewer, "console")
    assert (await customer.get(f"/{scan_id}", key)).status_code == 200
    assert_problem(await customer.cancel(scan_id, key), 403, "workspace_access_required")
    customer.key = key
    assert_problem(await customer.submit(), 403, "workspace_access_required")
    assert_problem(await customer.preview(), 403, "workspace_access_required")

"""Concurrent and repeated requests on scans."""

import asyncio
import uuid

import pytest

from sightline.kit.ids import new_id
from sightline.scans.queries import move_scan
from sightline.scans.states import ScanStatus
from tests.api.assertions import CONSOLE, assert_problem
from tests.console_customers import Customer


@pytest.fixture
async def customer(installation, client):
    return await Customer.create(installation, client)


async def test_one_of_twenty_concurrent_submits_is_accepted_and_charged(customer, installation):
    responses = await asyncio.gather(*(customer.submit(platforms=["chatgpt"]) for _ in range(20)))
    assert sorted(response.status_code for response in responses) == [202] + [409] * 19
    (scan_id,) = [response.json()["data"]["id"] for response in responses if response.status_code == 202]
    refused = [response for response in responses if response.status_code == 409]
    refusals = [assert_problem(response, 409, "scan_in_progress") for response in refused]
    assert {document["active_scan_id"] for document in refusals} == {scan_id}
    assert await customer.ledger() == [("scan_consumption", -1)] and await customer.balance() == 99
    assert await installation.db.fetchval("SELECT scan_count FROM domains") == 1
    assert await installation.db.fetchval("SELECT count(*) FROM jobs") == 1


async def test_two_domains_never_spend_the_same_credit(installation, client):
    customer = await Customer.create(installation, client, balance=3)
    domains = [customer.domain, *[await installation.console_domain(customer.key, f"d{n}.com") for n in range(7)]]
    responses = await asyncio.gather(*(customer.submit(domain_id=each, platforms=["chatgpt"]) for each in domains))
    assert sorted(response.status_code for response in responses) == [202] * 3 + [402] * 5
    assert await customer.balance() == 0


async def test_the_same_idempotency_key_and_body_returns_the_original_response_and_does_not_charge_again(customer):
    first = await customer.submit("same", platforms=["chatgpt"])
    await customer.move(first.json()["data"]["id"], "running")
    again = await customer.submit("same", platforms=["chatgpt"])
    assert again.headers["x-idempotent-replay"] == "true"
    assert (again.status_code, again.content) == (202, first.content)
    assert again.headers["location"] == first.headers["location"]
    assert await customer.ledger() == [("scan_consumption", -1)]
    other = await customer.submit("same", platforms=["gemini"])
    assert_problem(other, 409, "idempotency_conflict")


async def test_a_refused_submit_releases_its_key(installation, client):
    customer = await Customer.create(installation, client, balance=0)
    assert_problem(await customer.submit("same", platforms=["chatgpt"]), 402, "insufficient_credits")
    await customer.receive(1)
    assert (await customer.submit("same", platforms=["chatgpt"])).status_code == 202


async def test_a_domain_is_either_scanned_or_removed(customer, installation):
    """Removing is refused while a scan is active; a removed domain is not scanned."""
    for number in range(6):
        domain = await installation.console_domain(customer.key, f"race{number}.com")
        headers = {"X-API-Key": customer.key, "Idempotency-Key": str(new_id())}
        removing = customer.client.delete(f"{CONSOLE}/domains/{domain}", headers=headers)
        submitting = customer.submit(domain_id=domain, platforms=["chatgpt"])
        both = (removing, submitting) if number % 2 else (submitting, removing)
        responses = await asyncio.gather(*both)
        removed, submitted = responses if number % 2 else reversed(responses)
        if submitted.status_code == 202:
            document = assert_problem(removed, 409, "scan_in_progress")
            assert document["active_scan_id"] == submitted.json()["data"]["id"]
        else:
            assert removed.status_code == 200
            assert_problem(submitted, 404, "domain_not_found")


async def test_removing_a_domain_is_refused_while_a_scan_is_active_and_its_scans_stay(customer):
    async def remove():
        headers = {"X-API-Key": customer.key, "Idempotency-Key": str(new_id())}
        return await customer.client.delete(f"{CONSOLE}/domains/{customer.domain}", headers=headers)

    scan_id = await customer.accepted()
    assert assert_problem(await remove(), 409, "scan_in_progress")["active_scan_id"] == scan_id
    await customer.move(scan_id, "running")
    assert assert_problem(await remove(), 409, "scan_in_progress")["active_scan_id"] == scan_id
    assert (await customer.cancel(scan_id)).status_code == 200
    assert (await remove()).json()["data"] == {"id": customer.domain, "deleted": True}
    assert [scan["id"] for scan in (await customer.get()).json()["data"]] == [scan_id]
    listed = await customer.get(f"?domain_id={customer.domain}")
    assert [scan["id"] for scan in listed.json()["data"]] == [scan_id]
    assert (await customer.get(f"/{scan_id}")).status_code == 200


async def test_one_of_ten_concurrent_cancels_cancels_and_refunds(customer):
    scan_id = await customer.accepted(platforms=["chatgpt", "grok"])
    responses = await asyncio.gather(*(customer.cancel(scan_id) for _ in range(10)))
    assert sorted(response.status_code for response in responses) == [200] + [409] * 9
    assert await customer.ledger() == [("scan_consumption", -2), ("refund", 2)]
    assert await customer.balance() == 100


async def test_a_cancel_concurrent_with_the_start_refunds_only_if_it_came_first(customer, installation):
    for number in range(6):
        scan_id = await customer.accepted(
            domain_id=await installation.console_domain(customer.key, f"meet{number}.com")
        )

        async def start(scan_id=scan_id):
            async with installation.db.transaction() as tx:
                ways = {"from_": ScanStatus.PENDING, "to": ScanStatus.RUNNING, "now": installation.clock()}
                return await move_scan(tx, customer.workspace_id, uuid.UUID(scan_id), **ways)

        started, cancelled = await asyncio.gather(start(), customer.cancel(scan_id))
        assert cancelled.status_code == 200
        refunds = await installation.db.fetchval(
            "SELECT count(*) FROM credit_entries WHERE reason = 'refund' AND scan_id = $1", uuid.UUID(scan_id)
        )
        assert refunds == (1 if started is None else 0)


async def test_a_submit_does_not_deadlock_with_a_scan_that_is_ending(customer, installation):
    """The worker locks the scan and then the domain; a submit locks the domain. They must not wait for each other."""
    scan_id = uuid.UUID(await customer.accepted())
    await customer.move(str(scan_id), "running")
    async with installation.db.transaction() as tx:
        ways = {"from_": ScanStatus.RUNNING, "to": ScanStatus.COMPLETED, "now": installation.clock()}
        assert await move_scan(tx, customer.workspace_id, scan_id, **ways)
        response = await asyncio.wait_for(customer.submit(), timeout=5)
        assert_problem(response, 409, "scan_in_progress")
        await tx.execute("UPDATE domains SET latest_visibility_score = 1 WHERE id = $1", uuid.UUID(customer.domain))
    assert (await customer.submit()).status_code == 202

"""Second opinions through the Data API: upload, read the result, keep the weeks as history, and delete."""

import pytest

from sightline.scans.second_opinions.models import MAX_WAITING
from tests.api.assertions import DATA, assert_problem
from tests.running_worker import until, working
from tests.scan_history import ScanHistory
from tests.second_opinions import CONTENT, store_opinion

BODY = {"content": CONTENT, "file_name": "export.csv", "brand_name": "Acme", "domain": "acme.com"}


@pytest.fixture
async def tenant(installation):
    return await installation.tenant()


@pytest.fixture
async def client(installation, tenant):
    async with installation.client(X_API_Key=tenant.data_write) as opened:
        yield opened


async def create(client, **changes):
    key = {"Idempotency-Key": str(hash(str(changes)))}
    return await client.post(f"{DATA}/second-opinions", json=BODY | changes, headers=key)


async def test_from_the_file_to_the_result_and_its_deletion(installation, client):
    made = await create(client)
    assert made.status_code == 201, made.text
    opinion = made.json()["data"]
    assert (opinion["status"], opinion["missing"]) == ("queued", ["sources"])
    assert opinion["columns"] == {
        "text": "Answer", "prompt": "Question", "platform": "Model", "answered_at": "Date",
    }  # fmt: skip
    assert (await create(client)).json() == made.json(), "the same key creates it once"
    path = f"{DATA}/second-opinions/{opinion['id']}"
    assert_problem(await client.get(f"{path}/result"), 409, "second_opinion_not_ready")
    async with working(installation, analyzer_processes=0):
        await until(lambda: is_done(client, path))
    result = (await client.get(f"{path}/result")).json()["data"]
    assert {each["surface"] for each in result["figures"]["platforms"]} == {"import"}
    assert result["figures"]["headline"]["brand_coverage_pct"]["numerator"] == 1
    assert (result["comparison"]["before"], result["comparison"]["now"]) == ("2025-11-03", "2025-11-10")
    assert result["reading"]["left_out"] == 0
    (listed,) = (await client.get(f"{DATA}/second-opinions")).json()["data"]
    assert listed["id"] == opinion["id"]
    assert (await client.delete(path, headers={"Idempotency-Key": "d"})).json()["data"]["deleted"]
    assert_problem(await client.get(path), 404, "not_found")
    assert (await client.get(f"{DATA}/second-opinions")).json()["data"] == []


async def is_done(client, path):
    return (await client.get(path)).json()["data"]["status"] == "done"


async def test_what_is_wrong_is_named_and_nothing_is_stored(installation, client):
    for changes, field, said in (
        ({"content": "PK\u0003\u0004"}, "content", "control characters"),
        ({"content": '[{"text": "x"}]'}, "content", "one JSON list"),
        ({"content": "what;said\nbest crm;Globex is what most teams use.\n"}, "columns", "No column holds the answers"),
        ({"columns": {"text": "Nowhere"}}, "columns", "There is no column 'Nowhere'"),
        ({"columns": {"rank": "Answer"}}, "columns", "There is no field 'rank'"),
        ({"domain": "no domain"}, "domain", "is not a domain"),
        ({"competitors": ["acme"]}, "competitors", "cannot be one of its competitors"),
        ({"brand_name": " "}, "brand_name", "eeds a name"),
    ):
        refused = assert_problem(await create(client, **changes), 422, "validation_failed")
        (fault,) = refused["errors"]
        assert fault["field"] == field and said in fault["message"], fault
    assert await installation.db.fetch("SELECT FROM second_opinions") == []


async def test_files_that_wait_are_limited(client):
    for number in range(MAX_WAITING):
        assert (await create(client, file_name=f"{number}.csv")).status_code == 201
    assert_problem(await create(client, file_name="more.csv"), 409, "second_opinion_limit_reached")


async def test_weeks_are_kept_as_history_and_removed_as_a_whole(installation):
    history = await ScanHistory.open(installation, "best anvil")
    check = await history.run_full_check(lambda *_: "Acme is the best anvil for a forge.")
    domain = str(history.domain_id)
    opinion = await store_opinion(installation, history.workspace_id)
    async with installation.client(X_API_Key=history.tenant.data_write) as client:
        path, kept_at = f"{DATA}/second-opinions/{opinion}/history", f"{DATA}/domains/{domain}/imported-history"
        before = (await client.get(f"{DATA}/domains/{domain}/analytics")).json()["data"]
        kept = await client.post(path, json={"domain_id": domain}, headers={"Idempotency-Key": "1"})
        assert kept.status_code == 201, kept.text
        weeks = (await client.get(kept_at)).json()["data"]["weeks"]
        assert kept.json()["data"]["weeks"] == weeks
        assert [(each["first_day"], each["surface"], each["platforms"]) for each in weeks] == [
            ("2025-11-03", "import", ["chatgpt"]), ("2025-11-10", "import", ["chatgpt"]),
        ]  # fmt: skip
        assert [each["headline"]["brand_coverage_pct"]["value"] for each in weeks] == [100, 0]
        again = await client.post(path, json={"domain_id": domain}, headers={"Idempotency-Key": "2"})
        assert_problem(again, 409, "imported_history_exists")
        after = (await client.get(f"{DATA}/domains/{domain}/analytics")).json()["data"]
        assert after == before and [point["scan_id"] for point in after["trend"]] == [str(check)], "never mixed"
        scans = await installation.db.fetch("SELECT id FROM scans")
        assert [row["id"] for row in scans] == [check], "never a check"
        assert (await client.delete(kept_at, headers={"Idempotency-Key": "3"})).status_code == 200
        assert (await client.get(kept_at)).json()["data"]["weeks"] == []


async def test_only_the_history_of_the_brand_and_before_its_checks_is_kept(installation, tenant, client):
    other = await installation.tracked_domain(tenant, "globex.com")
    path = f"{DATA}/second-opinions/{await store_opinion(installation, tenant.workspace.id)}/history"
    refused = await client.post(path, json={"domain_id": other}, headers={"Idempotency-Key": "1"})
    assert assert_problem(refused, 422, "validation_failed")["errors"] == [
        {"field": "domain_id", "message": "domain_id is not the domain of Acme", "code": "invalid"}
    ]
    own = await installation.tracked_domain(tenant)
    await installation.db.execute(
        """INSERT INTO scans (workspace_id, id, domain_id, domain, livemode, measurement_scope, status, priority,
               answers_source, brand, selected_platforms, customer_keywords, credits_charged, answers_total, created_at,
               completed_at)
           VALUES ($1, gen_random_uuid(), $2, 'acme.com', true, 'full_check', 'completed', 0, 'live', '{}', '{}', '{}',
                   0, 1, '2025-11-01', '2025-11-01')""",
        tenant.workspace.id,
        own,
    )
    late = await client.post(path, json={"domain_id": own}, headers={"Idempotency-Key": "2"})
    assert "since before the first dated answer" in assert_problem(late, 422, "validation_failed")["detail"]
    assert await installation.db.fetch("SELECT FROM imported_weeks") == []

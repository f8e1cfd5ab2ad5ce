"""Listing and reading scans, their results and their answers."""

import msgspec
import pytest

from tests.api.assertions import DATA, assert_problem
from tests.api.test_openapi import DOCUMENT, validate
from tests.console_customers import METRICS, Customer


@pytest.fixture
async def customer(installation, client):
    return await Customer.create(installation, client)


def validate_response(response, path, method="get"):
    """Check the response against the OpenAPI document and return its data."""
    schema = DOCUMENT["paths"][f"/api/v1/console/scans{path}"][method]["responses"]["200"]["content"]
    validate(response.json(), schema["application/json"]["schema"])
    return response.json()["data"]


async def ended(customer, count):
    made = []
    for _ in range(count):
        made.append(await customer.accepted())
        await customer.move(made[-1], "cancelled")
    return made[::-1]


async def test_the_list_is_newest_created_first_and_paged(customer):
    made = await ended(customer, 5)
    listed = await customer.get()
    assert [scan["id"] for scan in validate_response(listed, "")] == made
    pages, cursor = [], ""
    while cursor is not None:
        page = (await customer.get(f"?page_size=2{cursor}")).json()
        pages.append([scan["id"] for scan in page["data"]])
        if len(pages) == 1:
            newer = await ended(customer, 1)  # a new scan does not disturb paging
        cursor = page["meta"]["next_cursor"] and f"&cursor={page['meta']['next_cursor']}"
    assert pages == [made[:2], made[2:4], made[4:]]
    assert [scan["id"] for scan in (await customer.get("?page_size=1")).json()["data"]] == newer


@pytest.mark.parametrize("size", ["0", "201", "x", "-1", "%20"])
async def test_page_size_is_from_1_to_200(customer, size):
    assert_problem(await customer.get(f"?page_size={size}"), 422, "validation_failed")


async def test_domain_id_filters_the_list_and_binds_its_cursors(customer, installation):
    first = await ended(customer, 2)
    other = Customer(installation, customer.client, customer.tenant, customer.key)
    other.domain = await installation.console_domain(customer.key, "other.com")
    await ended(other, 1)
    page = (await customer.get(f"?domain_id={customer.domain}&page_size=1")).json()
    assert [scan["id"] for scan in page["data"]] == first[:1]
    cursor = page["meta"]["next_cursor"]
    rest = await customer.get(f"?domain_id={customer.domain}&page_size=1&cursor={cursor}")
    assert [scan["id"] for scan in rest.json()["data"]] == first[1:]
    for query in (f"?cursor={cursor}", f"?domain_id={other.domain}&cursor={cursor}"):
        assert_problem(await customer.get(query), 400, "invalid_cursor")


async def test_an_unknown_or_malformed_domain_has_no_scans(customer, installation, client):
    await ended(customer, 1)
    stranger = await Customer.create(installation, client)
    await ended(stranger, 1)
    tracked = await installation.tracked_domain(customer.tenant)
    for domain_id in ("nonsense", "%20", "01990f6a-2c40-7b3e-9d51-6f0a8c2e4b17", stranger.domain, tracked):
        response = await customer.get(f"?domain_id={domain_id}")
        assert (response.status_code, response.json()["data"]) == (200, [])
    assert_problem(await customer.get("?domain_id=%00"), 422, "validation_failed")


async def test_only_console_scans_of_the_workspace_and_mode_are_listed(customer, installation, client):
    scan_id = await customer.accepted()
    stranger = await Customer.create(installation, client)
    for key in (stranger.key, customer.tenant.test):
        assert (await customer.get("", key)).json()["data"] == []
        for path in ("", "/results", "/answers", f"/answers/{scan_id}", "/events"):
            assert_problem(await customer.get(f"/{scan_id}{path}", key), 404, "scan_not_found")
    for unknown in ("nonsense", "%00", "01990f6a-2c40-7b3e-9d51-6f0a8c2e4b17", customer.domain):
        for path in ("", "/results", "/answers", "/answers/x", "/events"):
            assert_problem(await customer.get(f"/{unknown}{path}"), 404, "scan_not_found")
    await installation.db.execute("UPDATE scans SET measurement_scope = 'full_check'")
    assert (await customer.get()).json()["data"] == []
    assert_problem(await customer.get(f"/{scan_id}"), 404, "scan_not_found")
    assert_problem(await customer.cancel(scan_id), 404, "scan_not_found")


async def test_results_of_a_scan_that_is_not_completed_are_refused_with_its_status(customer):
    """Results before completion, or for a failed or cancelled scan, return 409 results_not_ready."""
    for ways in ((), ("running",), ("running", "failed"), ("cancelled",), ("running", "cancelled")):
        scan_id = await customer.accepted()
        await customer.move(scan_id, *ways, error_message="Broken.")
        document = assert_problem(await customer.get(f"/{scan_id}/results"), 409, "results_not_ready")
        assert document["scan_status"] == (ways[-1] if ways else "pending")
        if ways in {(), ("running",)}:
            await customer.cancel(scan_id)


async def test_results_are_returned_as_stored(customer):
    scan_id, check = await customer.completed()
    results = validate_response(await customer.get(f"/{scan_id}/results"), "/{scan_id}/results")
    assert (results.pop("scan_id"), results.pop("status")) == (scan_id, "completed")
    assert (results.pop("metrics_version"), results.pop("extractor_version")) == ("1", "2")
    assert results == msgspec.json.decode(msgspec.json.encode(check.results))
    assert {"headline", "platforms", "prompts", "competitors", "sources"} <= set(results)
    assert set(results["headline"]["visibility_score"]) == {
        "value",
        "low",
        "high",
        "n",
        "numerator",
        "denominator",
        "early_reading",
        "incomplete",
        "prompts",
        "market",
    }


async def test_answers_come_in_the_order_of_the_plan_page_by_page(customer):
    scan_id, check = await customer.completed()
    answers = validate_response(await customer.get(f"/{scan_id}/answers"), "/{scan_id}/answers")
    assert [answer["id"] for answer in answers] == [answer.id for answer in check.answers]
    assert [(answer["prompt"], answer["platform"]) for answer in answers] == [
        ("best crm for startups", "chatgpt"),
        ("best crm for startups", "deepseek"),
        ("crm with good reports", "chatgpt"),
        ("crm with good reports", "deepseek"),
    ]
    paged, query = [], "?page_size=1"
    while query:
        page = (await customer.get(f"/{scan_id}/answers{query}")).json()
        paged += page["data"]
        cursor = page["meta"]["next_cursor"]
        query = cursor and f"?page_size=1&cursor={cursor}"
    assert paged == answers


async def test_answers_keep_the_order_of_the_selected_platforms(customer, installation):
    scan_id, _ = await customer.completed()
    await installation.db.execute("UPDATE scans SET selected_platforms = '{deepseek,chatgpt}'")
    answers = (await customer.get(f"/{scan_id}/answers?page_size=3")).json()["data"]
    assert [answer["platform"] for answer in answers] == ["deepseek", "chatgpt", "deepseek"]


async def test_an_answer_has_everything_that_the_analysis_found(customer):
    scan_id, check = await customer.completed()
    whole = check.answers[0]
    answer = validate_response(await customer.get(f"/{scan_id}/answers/{whole.id}"), "/{scan_id}/answers/{answer_id}")
    assert answer["text"] == whole.text and answer["scan_id"] == scan_id
    assert [source["url"] for source in answer["cited_sources"]] == [source.url for source in whole.cited]
    assert (answer["mentioned"], answer["cited"], answer["position"], answer["stance"]) == (True, True, 1, "neutral")
    own, rival = answer["brands"]
    assert (own["name"], own["is_own"], own["cited_urls"]) == ("Acme", True, ["acme.com/a"])
    assert (rival["name"], rival["is_own"], rival["mentioned"], rival["cited"]) == ("Globex", False, True, False)
    assert {citation["domain"] for citation in answer["citations"]} == {"acme.com", "g2.com"}
    assert (answer["provenance"]["vendor"], answer["provenance"]["model_served"]) == ("openai", "m-1-0815")
    assert answer["answered_at"] == "2026-11-15T09:30:10.000000+00:00"


async def test_a_failed_answer_has_its_fault_and_no_analysis(customer):
    scan_id, check = await customer.completed()
    answer = (await customer.get(f"/{scan_id}/answers/{check.answers[2].id}")).json()["data"]
    assert (answer["status"], answer["fault"]) == ("failed", {"kind": "timeout", "message": "why"})
    assert answer["mentioned"] is answer["cited"] is answer["position"] is answer["stance"] is None
    assert answer["brands"] == []


async def test_the_presence_in_the_results_matches_the_answers(customer):
    """Every number in results must be reproducible from the stored answers."""
    scan_id, _ = await customer.completed()
    results = (await customer.get(f"/{scan_id}/results")).json()["data"]
    answers = (await customer.get(f"/{scan_id}/answers")).json()["data"]
    by_id = {answer["id"]: answer for answer in answers}
    cells = [cell for prompt in results["prompts"] for cell in prompt["platforms"]]
    assert len(cells) == len(answers)
    for cell in cells:
        answer = by_id[cell["answer_id"]]
        for member in ("platform", "status", "mentioned", "cited", "position"):
            assert cell[member] == answer[member]
    assert results["headline"]["ai_mentions"]["value"] == sum(answer["mentioned"] or 0 for answer in answers)


async def test_an_answer_of_another_scan_is_not_found(customer):
    scan_id, check = await customer.completed()
    other = await customer.accepted()
    for path in (
        f"{other}/answers/{check.answers[0].id}",
        f"{scan_id}/answers/nonsense",
        f"{scan_id}/answers/{scan_id}",
    ):
        assert_problem(await customer.get(f"/{path}"), 404, "not_found")
    cursor = (await customer.get(f"/{scan_id}/answers?page_size=1")).json()["meta"]["next_cursor"]
    assert_problem(await customer.get(f"/{other}/answers?cursor={cursor}"), 400, "invalid_cursor")
    assert (await customer.get(f"/{other}/answers")).json()["data"] == []


async def test_a_console_scan_is_not_on_the_data_api(customer, client):
    scan_id = await customer.accepted()
    await customer.move(scan_id, "running", "completed", metrics=METRICS)
    response = await client.get(f"{DATA}/scans/{scan_id}", headers={"X-API-Key": customer.tenant.data})
    assert response.status_code == 404

"""Console domains."""

import asyncio

import pytest

from tests.api.assertions import CONSOLE, DATA, assert_problem

URL = f"{CONSOLE}/domains"


async def post(client, key, idempotency="k", **body):
    return await client.post(URL, json=body, headers={"X-API-Key": key, "Idempotency-Key": idempotency})


async def patch(client, key, domain_id, **body):
    return await client.patch(f"{URL}/{domain_id}", json=body, headers={"X-API-Key": key})


async def delete(client, key, domain_id, idempotency="d"):
    return await client.delete(f"{URL}/{domain_id}", headers={"X-API-Key": key, "Idempotency-Key": idempotency})


async def test_a_registered_domain_has_every_field_of_the_specification(installation, client):
    tenant = await installation.tenant()
    response = await post(client, tenant.live, domain="acme.com")
    assert response.status_code == 201
    data = response.json()["data"]
    assert data == {
        "id": data["id"],
        "domain": "acme.com",
        "status": "active",
        "livemode": True,
        "brand_name": "acme",
        "aliases": [],
        "owned_domains": [],
        "competitors": [],
        "created_at": "2026-11-15T09:30:10.000000+00:00",
        "latest_visibility_score": None,
        "latest_brand_coverage_pct": None,
        "latest_market_position": None,
        "last_scan_at": None,
        "scan_count": 0,
    }
    assert (await client.get(f"{URL}/{data['id']}", headers={"X-API-Key": tenant.live})).json()["data"] == data


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("https://www.Acme.com/pricing?x=1#y", "acme.com"),
        ("WWW.ACME.COM", "acme.com"),
        ("acme.com:8443", "acme.com"),
        ("docs.acme.com", "docs.acme.com"),
        ("bücher.de", "xn--bcher-kva.de"),
        ("  acme.co.uk  ", "acme.co.uk"),
    ],
)
async def test_a_name_is_reduced_to_its_host(installation, client, given, stored):
    tenant = await installation.tenant()
    assert (await post(client, tenant.live, domain=given)).json()["data"]["domain"] == stored


@pytest.mark.parametrize(
    "given", ["localhost", "acme", "127.0.0.1", "[::1]", "co.uk", "a.example", "x.test", "foo.local", "a b.com", " "]
)
async def test_no_ips_no_single_labels_no_reserved_tlds(installation, client, given):
    tenant = await installation.tenant()
    response = await post(client, tenant.live, domain=given)
    assert assert_problem(response, 422, "invalid_domain")["errors"][0]["field"] == "domain"


async def test_example_and_test_names_are_allowed_in_test_mode(installation, client):
    tenant = await installation.tenant()
    for number, name in enumerate(("acme.example", "acme.test")):
        response = await post(client, tenant.test, str(number), domain=name)
        assert response.status_code == 201
        assert response.json()["data"]["livemode"] is False
        assert response.json()["data"]["brand_name"] == "acme"


async def test_details_are_cleaned_and_can_be_changed(installation, client):
    tenant = await installation.tenant()
    response = await post(
        client,
        tenant.live,
        domain="acme.com",
        brand_name=" Acme ",
        aliases=["ACME Inc", "acme inc", " ", "Acme"],
        owned_domains=["https://acme.io/", "acme.com", "ACME.io"],
        competitors=["globex.com", {"domain": "www.initech.com", "name": "Initech"}, "globex.com"],
    )
    data = response.json()["data"]
    assert data["brand_name"] == "Acme"
    assert data["aliases"] == ["ACME Inc"]
    assert data["owned_domains"] == ["acme.io"]
    assert data["competitors"] == [
        {"domain": "globex.com", "name": None},
        {"domain": "initech.com", "name": "Initech"},
    ]
    for name in ("Acme", "acme"):  # the latter is matched as "Acme", like the default
        changed = (await patch(client, tenant.live, data["id"], brand_name=name, aliases=["acme"])).json()["data"]
        assert (changed["brand_name"], changed["aliases"]) == (name, ["acme"])
    await patch(client, tenant.live, data["id"], brand_name="Acme")
    changed = (await patch(client, tenant.live, data["id"], aliases=["A"], competitors=[])).json()["data"]
    assert changed == {**data, "aliases": ["A"], "competitors": []}
    assert (await patch(client, tenant.live, data["id"])).json()["data"] == changed


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "domain"),
        ({"domain": 5}, "domain"),
        ({"domain": ""}, "domain"),
        ({"domain": None}, "domain"),
        ({"domain": "a.com", "brand_name": "   "}, "brand_name"),
        ({"domain": "a.com", "aliases": "x"}, "aliases"),
        ({"domain": "a.com", "aliases": ["x"] * 51}, "aliases"),
        ({"domain": "a.com", "owned_domains": ["ok.com", "nope"]}, "owned_domains[1]"),
        ({"domain": "a.com", "competitors": [{"name": "x"}]}, "competitors[0].domain"),
        ({"domain": "a.com", "competitors": ["a.com"]}, "competitors[0]"),
        ({"domain": "a.com", "competitors": [f"c{n}.com" for n in range(21)]}, "competitors"),
    ],
)
async def test_bad_input_names_the_field_and_registers_nothing(installation, client, body, field):
    tenant = await installation.tenant()
    response = await post(client, tenant.live, **body)
    assert assert_problem(response, 422, "validation_failed")["errors"][0]["field"] == field
    assert await installation.db.fetchval("SELECT count(*) FROM domains") == 0


async def test_every_invalid_field_is_named_at_once(installation, client):
    tenant = await installation.tenant()
    rivals = ["globex.com", {"domain": "10.0.0.1"}, {"domain": "initech.com"}, "localhost"]
    body = {"domain": "localhost", "brand_name": " ", "owned_domains": ["acme.io", "x"], "competitors": rivals}
    problem = assert_problem(await post(client, tenant.live, **body), 422, "invalid_domain")
    fields = [error["field"] for error in problem["errors"]]
    assert fields == ["domain", "brand_name", "owned_domains[1]", "competitors[1].domain", "competitors[3]"]
    assert problem["errors"][1]["message"] == "brand_name must not be empty"


async def test_registering_an_active_domain_again_is_refused_with_its_id(installation, client):
    tenant = await installation.tenant()
    domain_id = await installation.console_domain(tenant.live)
    response = await post(client, tenant.live, "again", domain="www.acme.com")
    assert assert_problem(response, 409, "domain_exists")["domain_id"] == domain_id


async def test_removing_returns_id_and_deleted_and_a_removed_domain_is_not_found(installation, client):
    tenant = await installation.tenant()
    domain_id = await installation.console_domain(tenant.live)
    response = await delete(client, tenant.live, domain_id)
    assert response.json()["data"] == {"id": domain_id, "deleted": True}
    headers = {"X-API-Key": tenant.live}
    assert_problem(await client.get(f"{URL}/{domain_id}", headers=headers), 404, "domain_not_found")
    assert_problem(await patch(client, tenant.live, domain_id, aliases=[]), 404, "domain_not_found")
    assert_problem(await delete(client, tenant.live, domain_id, "e"), 404, "domain_not_found")
    assert (await client.get(URL, headers=headers)).json()["data"] == []


async def test_registering_a_removed_domain_again_restores_the_same_record_and_id(installation, client):
    """Details that are not sent again are restored as they were."""
    tenant = await installation.tenant()
    domain_id = await installation.console_domain(tenant.live)
    await patch(client, tenant.live, domain_id, brand_name="Acme", aliases=["Old"], competitors=["globex.com"])
    await installation.db.execute("UPDATE domains SET scan_count = 7")
    await delete(client, tenant.live, domain_id)
    installation.clock.advance(days=1)
    data = (await post(client, tenant.live, "again", domain="acme.com", aliases=["A"])).json()["data"]
    assert (data["id"], data["scan_count"], data["aliases"]) == (domain_id, 7, ["A"])
    assert data["created_at"] == "2026-11-15T09:30:10.000000+00:00"
    assert (data["brand_name"], data["competitors"]) == ("Acme", [{"domain": "globex.com", "name": None}])
    listed = (await client.get(URL, headers={"X-API-Key": tenant.live})).json()["data"]
    assert [row["id"] for row in listed] == [domain_id]


async def test_concurrent_registrations_restore_a_removed_domain_once(installation, client):
    tenant = await installation.tenant()
    domain_id = await installation.console_domain(tenant.live)
    await delete(client, tenant.live, domain_id)
    responses = await asyncio.gather(*(post(client, tenant.live, f"r{n}", domain="acme.com") for n in range(10)))
    assert sorted(response.status_code for response in responses) == [201] + [409] * 9


async def test_a_missing_domain_is_reported_before_an_invalid_body(installation, client):
    """404 → 400/422: the body is validated only if the domain exists."""
    tenant = await installation.tenant()
    for content in (b"{", b'{"aliases": 5}'):
        headers = {"X-API-Key": tenant.live, "Content-Type": "application/json"}
        response = await client.patch(f"{URL}/nowhere", content=content, headers=headers)
        assert_problem(response, 404, "domain_not_found")


async def test_test_mode_is_separate_from_live_data(installation, client):
    tenant = await installation.tenant()
    live = await installation.console_domain(tenant.live, "acme.com")
    test = await installation.console_domain(tenant.test, "acme.com")
    assert live != test
    for key, own, foreign in ((tenant.live, live, test), (tenant.test, test, live)):
        headers = {"X-API-Key": key}
        assert [row["id"] for row in (await client.get(URL, headers=headers)).json()["data"]] == [own]
        assert_problem(await client.get(f"{URL}/{foreign}", headers=headers), 404, "domain_not_found")
        assert_problem(await patch(client, key, foreign, aliases=[]), 404, "domain_not_found")
        assert_problem(await delete(client, key, foreign, "x"), 404, "domain_not_found")


@pytest.mark.parametrize("domain_id", ["x", "0", "%00", "..", "00000000-0000-7000-8000-000000000000", "a" * 300, "ä"])
async def test_a_malformed_id_behaves_exactly_like_an_unknown_one(installation, client, domain_id):
    tenant = await installation.tenant()
    response = await client.get(f"{URL}/{domain_id}", headers={"X-API-Key": tenant.live})
    assert_problem(response, 404, "domain_not_found" if domain_id != ".." else "not_found")
    response = await client.get(f"{DATA}/domains/{domain_id}", headers={"X-API-Key": tenant.data})
    assert_problem(response, 404, "domain_not_found" if domain_id != ".." else "not_found")


@pytest.mark.parametrize("domain_id", ["x", "%00", "a" * 20_000, "%ff%fe", "00000000-0000-7000-8000-000000000000"])
async def test_a_malformed_id_in_a_write_behaves_like_an_unknown_one(installation, client, domain_id):
    tenant = await installation.tenant()
    assert_problem(await delete(client, tenant.live, domain_id), 404, "domain_not_found")
    assert_problem(await patch(client, tenant.live, domain_id, aliases=[]), 404, "domain_not_found")


async def test_console_domains_and_tracked_domains_are_separate(installation, client):
    tenant = await installation.tenant()
    console, tracked = await installation.console_domain(tenant.live), await installation.tracked_domain(tenant)
    response = await client.get(f"{URL}/{tracked}", headers={"X-API-Key": tenant.live})
    assert_problem(response, 404, "domain_not_found")
    response = await client.get(f"{DATA}/domains/{console}", headers={"X-API-Key": tenant.data})
    assert_problem(response, 404, "domain_not_found")
    listed = (await client.get(f"{DATA}/domains", headers={"X-API-Key": tenant.data})).json()["data"]
    assert [row["id"] for row in listed] == [tracked]


async def test_concurrent_registrations_of_one_name_make_one_record(installation):
    tenant = await installation.tenant()
    async with installation.client() as client:
        responses = await asyncio.gather(
            *(post(client, tenant.live, f"k{number}", domain="acme.com") for number in range(20))
        )
    assert sorted(response.status_code for response in responses) == [201] + [409] * 19
    assert {response.json().get("code") for response in responses} == {None, "domain_exists"}

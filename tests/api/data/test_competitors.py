"""Data API: confirmed competitors of a tracked domain, read only."""

import pytest

from sightline.competitors import review
from sightline.kit.clock import to_iso
from sightline.kit.ids import new_id
from sightline.plans.table import Plan
from tests.api.assertions import assert_problem
from tests.competitors.market import Market


@pytest.fixture
async def market(installation):
    return await Market.open(installation)


@pytest.fixture
async def reader(installation, market):
    async with installation.client(X_API_Key=market.tenant.data) as client:
        yield client


def path(market, *more) -> str:
    return "/".join(("/api/v1/ext/domains", str(market.domain), "competitors", *map(str, more)))


async def test_a_competitor_has_exactly_these_fields(market, reader):
    row = await market.add("globex.com", "GBX")
    await market.installation.db.execute("UPDATE competitors SET display_name = 'Globex'")
    expected = {
        "id": str(row.id),
        "domain_id": str(market.domain),
        "competitor_domain": "globex.com",
        "display_name": "Globex",
        "discovery_source": "added_by_you",
        "user_confirmed": True,
        "discovered_at": to_iso(row.discovered_at),
        "last_updated": to_iso(row.last_updated),
    }
    listed = (await reader.get(path(market))).json()
    assert listed["data"] == [expected]
    assert (listed["meta"]["has_more"], listed["meta"]["next_cursor"]) == (False, None)
    one = await reader.get(path(market, row.id))
    assert (one.status_code, one.json()["data"]) == (200, expected)


async def test_the_display_name_is_null_until_the_site_declares_one(market, reader):
    row = await market.add("globex.com", "Globex")
    assert (await reader.get(path(market, row.id))).json()["data"]["display_name"] is None


async def test_only_confirmed_competitors_appear(market, reader):
    """Unreviewed, dismissed and dashboard-hidden competitors are excluded; reading one gives 404 not_found."""
    suggested, unnamed = await market.suggest(("Globex", "globex.com", 7.0), ("Initech", None, 5.0))
    dismissed, hidden = await market.add("one.com"), await market.add("two.com")
    await market.do(review.dismiss_competitor, dismissed.id)
    await market.do(review.hide_competitor, hidden.id)
    assert (await reader.get(path(market))).json()["data"] == []
    for row in (suggested, unnamed, dismissed, hidden):
        assert_problem(await reader.get(path(market, row.id)), 404, "not_found")
    await market.do(review.confirm_competitor, suggested.id)
    (listed,) = (await reader.get(path(market))).json()["data"]
    assert (listed["id"], listed["discovery_source"]) == (str(suggested.id), "detected")


async def test_most_recently_updated_first(market, reader):
    rows = [await market.add(f"rival-{n}.com") for n in range(3)]
    await market.do(review.rename_competitor, rows[0].id, ["First"])
    listed = (await reader.get(path(market))).json()["data"]
    assert [each["competitor_domain"] for each in listed] == ["rival-0.com", "rival-2.com", "rival-1.com"]


async def fill_two_pages(market) -> None:
    """More than people can confirm, all of one moment."""
    when = market.installation.clock()
    async with market.installation.db.transaction() as tx:
        await tx.executemany(
            """INSERT INTO competitors (workspace_id, id, domain_id, competitor_domain, discovery_source, status,
                                        discovered_at, last_updated)
               VALUES ($1, $2, $3, $4, 'added_by_you', 'confirmed', $5, $5)""",
            [(market.workspace, new_id(), market.domain, f"rival-{n}.com", when) for n in range(60)],
        )


async def test_equal_times_are_told_apart_by_id_and_pages_go_on_from_there(market, reader):
    await fill_two_pages(market)
    first = (await reader.get(path(market))).json()
    assert (len(first["data"]), first["meta"]["has_more"]) == (50, True)
    second = (await reader.get(path(market), params={"cursor": first["meta"]["next_cursor"]})).json()
    assert (len(second["data"]), second["meta"]["has_more"], second["meta"]["next_cursor"]) == (10, False, None)
    ids = [each["id"] for each in first["data"] + second["data"]]
    assert ids == sorted(set(ids), reverse=True)


async def test_a_cursor_belongs_to_its_domain(market, reader):
    await fill_two_pages(market)
    cursor = (await reader.get(path(market))).json()["meta"]["next_cursor"]
    other = await market.installation.tracked_domain(market.tenant, "other.com")
    answer = await reader.get(f"/api/v1/ext/domains/{other}/competitors", params={"cursor": cursor})
    assert_problem(answer, 400, "invalid_cursor")
    assert_problem(await reader.get(path(market), params={"cursor": cursor[:-1]}), 400, "invalid_cursor")


async def test_a_domain_that_the_key_cannot_read_is_not_found(installation, market, reader):
    row = await market.add("globex.com")
    stranger = await Market.open(installation)
    theirs = await stranger.add("globex.com")
    console = await installation.console_domain(market.tenant.live, "console.com")
    for domain in (stranger.domain, console, new_id(), "nonsense"):
        for more in ("", f"/{row.id}", f"/{theirs.id}"):
            answer = await reader.get(f"/api/v1/ext/domains/{domain}/competitors{more}")
            assert_problem(answer, 404, "domain_not_found")
    for competitor in (theirs.id, new_id(), "nonsense"):
        assert_problem(await reader.get(path(market, competitor)), 404, "not_found")
    await installation.db.execute(
        "UPDATE domains SET status = 'removed', removed_at = now() WHERE id = $1", market.domain
    )
    assert_problem(await reader.get(path(market)), 404, "domain_not_found")


async def test_a_competitor_of_another_domain_of_the_workspace_is_not_found(market, reader):
    row = await market.add("globex.com")
    other = await market.installation.tracked_domain(market.tenant, "other.com")
    assert_problem(await reader.get(f"/api/v1/ext/domains/{other}/competitors/{row.id}"), 404, "not_found")


@pytest.mark.parametrize("plan", Plan, ids=str)
async def test_reading_competitors_needs_professional_or_agency(installation, plan):
    tenant = await installation.tenant(plan)
    domain = await installation.tracked_domain(tenant)
    async with installation.client(X_API_Key=tenant.data) as client:
        answer = await client.get(f"/api/v1/ext/domains/{domain}/competitors")
        one = await client.get(f"/api/v1/ext/domains/{domain}/competitors/{new_id()}")
    if plan in {Plan.PROFESSIONAL, Plan.AGENCY}:
        assert (answer.status_code, one.status_code) == (200, 404)
    else:
        for refused in (answer, one):
            document = assert_problem(refused, 403, "plan_required")
            assert set(document["required_plans"]) == {"professional", "agency"}


@pytest.mark.parametrize("method", ["POST", "PATCH", "PUT", "DELETE"])
async def test_competitor_endpoints_are_read_only(market, reader, method):
    row = await market.add("globex.com")
    for address in (path(market), path(market, row.id)):
        answer = await reader.request(method, address, headers={"Idempotency-Key": str(new_id())})
        assert_problem(answer, 405, "method_not_allowed")
        assert answer.headers["allow"] == "GET, HEAD"

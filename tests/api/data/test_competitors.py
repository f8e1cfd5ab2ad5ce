"""Data API: confirmed competitors of a tracked domain, read only."""

import pytest

from sightline.competitors import review
from sightline.kit.clock import to_iso
from sightline.kit.ids import new_id
from sightline.plans.table import Plan
from tests.api.assertions import assert_problem
from tests.competitors.competitor_steps import CompetitorSteps


@pytest.fixture
async def steps(installation):
    return await CompetitorSteps.open(installation)


@pytest.fixture
async def reader(installation, steps):
    async with installation.client(X_API_Key=steps.tenant.data) as client:
        yield client


def path(steps, *more) -> str:
    return "/".join(("/api/v1/ext/domains", str(steps.domain), "competitors", *map(str, more)))


async def test_a_competitor_has_exactly_these_fields(steps, reader):
    row = await steps.add("globex.com", "GBX")
    await steps.installation.db.execute("UPDATE competitors SET display_name = 'Globex'")
    expected = {
        "id": str(row.id),
        "domain_id": str(steps.domain),
        "competitor_domain": "globex.com",
        "display_name": "Globex",
        "discovery_source": "added_by_you",
        "user_confirmed": True,
        "discovered_at": to_iso(row.discovered_at),
        "last_updated": to_iso(row.last_updated),
    }
    listed = (await reader.get(path(steps))).json()
    assert listed["data"] == [expected]
    assert (listed["meta"]["has_more"], listed["meta"]["next_cursor"]) == (False, None)
    one = await reader.get(path(steps, row.id))
    assert (one.status_code, one.json()["data"]) == (200, expected)


async def test_the_display_name_is_null_until_the_site_declares_one(steps, reader):
    row = await steps.add("globex.com", "Globex")
    assert (await reader.get(path(steps, row.id))).json()["data"]["display_name"] is None


async def test_only_confirmed_competitors_appear(steps, reader):
    """Unreviewed, dismissed and dashboard-hidden competitors are excluded; reading one gives 404 not_found."""
    suggested, unnamed = await steps.suggest(("Globex", "globex.com", 7.0), ("Initech", None, 5.0))
    dismissed, hidden = await steps.add("one.com"), await steps.add("two.com")
    await steps.run(review.dismiss_competitor, dismissed.id)
    await steps.run(review.hide_competitor, hidden.id)
    assert (await reader.get(path(steps))).json()["data"] == []
    for row in (suggested, unnamed, dismissed, hidden):
        assert_problem(await reader.get(path(steps, row.id)), 404, "not_found")
    await steps.run(review.confirm_competitor, suggested.id)
    (listed,) = (await reader.get(path(steps))).json()["data"]
    assert (listed["id"], listed["discovery_source"]) == (str(suggested.id), "detected")


async def test_most_recently_updated_first(steps, reader):
    rows = [await steps.add(f"rival-{n}.com") for n in range(3)]
    await steps.run(review.rename_competitor, rows[0].id, ["First"])
    listed = (await reader.get(path(steps))).json()["data"]
    assert [each["competitor_domain"] for each in listed] == ["rival-0.com", "rival-2.com", "rival-1.com"]


async def fill_two_pages(steps) -> None:
    """Insert more competitors than can be confirmed, all at the same time."""
    when = steps.installation.clock()
    async with steps.installation.db.transaction() as tx:
        await tx.executemany(
            """INSERT INTO competitors (workspace_id, id, domain_id, competitor_domain, discovery_source, status,
                                        discovered_at, last_updated)
               VALUES ($1, $2, $3, $4, 'added_by_you', 'confirmed', $5, $5)""",
            [(steps.workspace, new_id(), steps.domain, f"rival-{n}.com", when) for n in range(60)],
        )


async def test_equal_times_are_ordered_by_id_across_pages(steps, reader):
    await fill_two_pages(steps)
    first = (await reader.get(path(steps))).json()
    assert (len(first["data"]), first["meta"]["has_more"]) == (50, True)
    second = (await reader.get(path(steps), params={"cursor": first["meta"]["next_cursor"]})).json()
    assert (len(second["data"]), second["meta"]["has_more"], second["meta"]["next_cursor"]) == (10, False, None)
    ids = [each["id"] for each in first["data"] + second["data"]]
    assert ids == sorted(set(ids), reverse=True)


async def test_a_cursor_belongs_to_its_domain(steps, reader):
    await fill_two_pages(steps)
    cursor = (await reader.get(path(steps))).json()["meta"]["next_cursor"]
    other = await steps.installation.tracked_domain(steps.tenant, "other.com")
    response = await reader.get(f"/api/v1/ext/domains/{other}/competitors", params={"cursor": cursor})
    assert_problem(response, 400, "invalid_cursor")
    assert_problem(await reader.get(path(steps), params={"cursor": cursor[:-1]}), 400, "invalid_cursor")


async def test_a_domain_that_the_key_cannot_read_is_not_found(installation, steps, reader):
    row = await steps.add("globex.com")
    stranger = await CompetitorSteps.open(installation)
    theirs = await stranger.add("globex.com")
    console = await installation.console_domain(steps.tenant.live, "console.com")
    for domain in (stranger.domain, console, new_id(), "nonsense"):
        for more in ("", f"/{row.id}", f"/{theirs.id}"):
            response = await reader.get(f"/api/v1/ext/domains/{domain}/competitors{more}")
            assert_problem(response, 404, "domain_not_found")
    for competitor in (theirs.id, new_id(), "nonsense"):
        assert_problem(await reader.get(path(steps, competitor)), 404, "not_found")
    await installation.db.execute(
        "UPDATE domains SET status = 'removed', removed_at = now() WHERE id = $1", steps.domain
    )
    assert_problem(await reader.get(path(steps)), 404, "domain_not_found")


async def test_a_competitor_of_another_domain_of_the_workspace_is_not_found(steps, reader):
    row = await steps.add("globex.com")
    other = await steps.installation.tracked_domain(steps.tenant, "other.com")
    assert_problem(await reader.get(f"/api/v1/ext/domains/{other}/competitors/{row.id}"), 404, "not_found")


@pytest.mark.parametrize("plan", Plan, ids=str)
async def test_reading_competitors_needs_professional_or_agency(installation, plan):
    tenant = await installation.tenant(plan)
    domain = await installation.tracked_domain(tenant)
    async with installation.client(X_API_Key=tenant.data) as client:
        response = await client.get(f"/api/v1/ext/domains/{domain}/competitors")
        one = await client.get(f"/api/v1/ext/domains/{domain}/competitors/{new_id()}")
    if plan in {Plan.PROFESSIONAL, Plan.AGENCY}:
        assert (response.status_code, one.status_code) == (200, 404)
    else:
        for refused in (response, one):
            document = assert_problem(refused, 403, "plan_required")
            assert set(document["required_plans"]) == {"professional", "agency"}


@pytest.mark.parametrize("method", ["POST", "PATCH", "PUT", "DELETE"])
async def test_competitor_endpoints_are_read_only(steps, reader, method):
    row = await steps.add("globex.com")
    for address in (path(steps), path(steps, row.id)):
        response = await reader.request(method, address, headers={"Idempotency-Key": str(new_id())})
        assert_problem(response, 405, "method_not_allowed")
        assert response.headers["allow"] == "GET, HEAD"

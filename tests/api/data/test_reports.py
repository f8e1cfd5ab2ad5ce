"""GET /domains/{domain_id}/reports, one report, and its two forms. "Professional and Agency"."""

import pytest

from sightline.kit.ids import new_id
from sightline.plans.table import Plan
from tests.api.assertions import DATA, assert_problem
from tests.reports.stored_reports import Shelf, put_report


class Desk:
    """A reader with a Data key of a workspace that tracks a domain."""

    def __init__(self, installation, client, tenant, domain_id) -> None:
        self.installation, self.client, self.tenant, self.domain_id = installation, client, tenant, domain_id

    @classmethod
    async def open(cls, installation, client, plan=Plan.PROFESSIONAL):
        tenant = await installation.tenant(plan)
        return cls(installation, client, tenant, await installation.tracked_domain(tenant))

    async def get(self, path="", key=None, method="GET"):
        url = f"{DATA}/domains/{self.domain_id}/reports{path}"
        return await self.client.request(method, url, headers={"X-API-Key": key or self.tenant.data})

    async def put(self, **content):
        return str(await put_report(self.installation, self.tenant.workspace.id, self.domain_id, **content))


@pytest.fixture
async def desk(installation, client):
    return await Desk.open(installation, client)


async def test_reports_are_listed_most_recently_created_first_50_to_a_page(installation, desk):
    made = []
    for _ in range(53):
        made.append(await desk.put())
        installation.clock.advance(minutes=1)
    first = (await desk.get()).json()
    assert [row["id"] for row in first["data"]] == made[:2:-1]
    assert first["meta"]["has_more"]
    rest = (await desk.get(f"?cursor={first['meta']['next_cursor']}")).json()
    assert [row["id"] for row in rest["data"]] == made[2::-1]
    assert (rest["meta"]["has_more"], rest["meta"]["next_cursor"]) == (False, None)
    assert_problem(await desk.get("?cursor=nonsense"), 400, "invalid_cursor")


async def test_a_report_has_every_field_of_the_decisions(desk):
    report_id = await desk.put()
    row = (await desk.get(f"/{report_id}")).json()["data"]
    place = f"http://test/api/v1/ext/domains/{desk.domain_id}/reports/{report_id}"
    at = "2026-11-15T09:30:10.000000+00:00"
    assert row == {
        "id": report_id,
        "scan_id": row["scan_id"],
        "title": "Acme in AI answers",
        "period_start": at,
        "period_end": at,
        "summary": "All is well.",
        "html_url": f"{place}.html",
        "pdf_url": f"{place}.pdf",
        "created_at": at,
    }
    assert (await desk.get()).json()["data"] == [row]


async def test_a_domain_without_a_report_has_an_empty_list(desk):
    assert (await desk.get()).json()["data"] == []


async def test_the_page_comes_under_a_strict_policy(installation, client):
    shelf = await Shelf.open(installation)
    job = await shelf.check()
    await shelf.write(job)
    stored = await shelf.report(job)
    desk = Desk(installation, client, shelf.tenant, shelf.domain_id)
    answer = await desk.get(f"/{stored['id']}.html")
    assert (answer.status_code, answer.text) == (200, stored["html"])
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:;")
    assert "frame-ancestors 'none'" in policy and "script-src" not in policy


async def test_the_pdf_comes_as_it_was_stored(desk):
    content = b"%PDF-1.7" + bytes(range(256)) * 600
    report_id = await desk.put(pdf=content)
    answer = await desk.get(f"/{report_id}.pdf")
    assert (answer.status_code, answer.content) == (200, content)
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["content-disposition"] == 'inline; filename="sightline-acme.com-2026-11-15.pdf"'
    assert answer.headers["x-request-id"] and answer.headers["x-ratelimit-limit"]


@pytest.mark.parametrize("ending", [".pdf", ".html"])
async def test_head_answers_as_get_without_a_body_and_nothing_can_be_written(desk, ending):
    report_id = await desk.put()
    head = await desk.get(f"/{report_id}{ending}", method="HEAD")
    assert (head.status_code, head.content) == (200, b"")
    refused = await desk.get(f"/{report_id}{ending}", method="DELETE")
    assert_problem(refused, 405, "method_not_allowed")
    assert refused.headers["allow"] == "GET, HEAD"


@pytest.mark.parametrize("ending", ["", ".pdf", ".html"])
async def test_what_is_not_there_is_not_found(installation, client, desk, ending):
    other = await Desk.open(installation, client)
    theirs = await other.put()
    for report_id in (str(new_id()), "nonsense", theirs):
        assert_problem(await desk.get(f"/{report_id}{ending}"), 404, "not_found")
    mine = await desk.put()
    second = Desk(installation, client, desk.tenant, await installation.tracked_domain(desk.tenant, "other.com"))
    assert_problem(await second.get(f"/{mine}{ending}"), 404, "not_found")
    console = Desk(installation, client, desk.tenant, await installation.console_domain(desk.tenant.live))
    assert_problem(await console.get(f"/{mine}{ending}"), 404, "domain_not_found")
    assert_problem(await desk.get(f"/{mine}{ending}", key=other.tenant.data), 404, "domain_not_found")


@pytest.mark.parametrize("path", ["/{id}.PDF", "/{id}.txt", "/.pdf"])
async def test_another_ending_is_another_report_which_is_not_there(desk, path):
    assert_problem(await desk.get(path.format(id=await desk.put())), 404, "not_found")


@pytest.mark.parametrize("ending", ["", ".pdf", ".html"])
async def test_professional_and_agency(installation, client, ending):
    for plan in Plan:
        desk = await Desk.open(installation, client, plan)
        answer = await desk.get(f"/{await desk.put()}{ending}")
        if plan in {Plan.PROFESSIONAL, Plan.AGENCY}:
            assert answer.status_code == 200
        else:
            assert_problem(answer, 403, "plan_required")

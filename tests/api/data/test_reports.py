"""GET /domains/{domain_id}/reports, one report, and its HTML and PDF."""

import pytest

from sightline.kit.ids import new_id
from sightline.plans.table import Plan
from sightline.reports.weekly import render
from sightline.reports.weekly.models import MAX_NOTE, MAX_OWNER
from tests.api.assertions import DATA, assert_problem
from tests.reports.stored_reports import ReportedDomain, store_report


class ReportsClient:
    """A client for the reports of one tracked domain in the Data API."""

    def __init__(self, installation, client, tenant, domain_id) -> None:
        self.installation, self.client, self.tenant, self.domain_id = installation, client, tenant, domain_id

    @classmethod
    async def open(cls, installation, client, plan=Plan.PROFESSIONAL):
        tenant = await installation.tenant(plan)
        return cls(installation, client, tenant, await installation.tracked_domain(tenant))

    async def get(self, path="", key=None, method="GET"):
        url = f"{DATA}/domains/{self.domain_id}/reports{path}"
        return await self.client.request(method, url, headers={"X-API-Key": key or self.tenant.data})

    async def change(self, path, change):
        url = f"{DATA}/domains/{self.domain_id}/reports{path}"
        headers = {"X-API-Key": self.tenant.data_write, "Idempotency-Key": str(new_id())}
        return await self.client.patch(url, json=change, headers=headers)

    async def put(self, **content):
        return str(await store_report(self.installation, self.tenant.workspace.id, self.domain_id, **content))


@pytest.fixture
async def reports(installation, client):
    return await ReportsClient.open(installation, client)


async def test_reports_are_listed_most_recently_created_first_50_to_a_page(installation, reports):
    made = []
    for _ in range(53):
        made.append(await reports.put())
        installation.clock.advance(minutes=1)
    first = (await reports.get()).json()
    assert [row["id"] for row in first["data"]] == made[:2:-1]
    assert first["meta"]["has_more"]
    rest = (await reports.get(f"?cursor={first['meta']['next_cursor']}")).json()
    assert [row["id"] for row in rest["data"]] == made[2::-1]
    assert (rest["meta"]["has_more"], rest["meta"]["next_cursor"]) == (False, None)
    assert_problem(await reports.get("?cursor=nonsense"), 400, "invalid_cursor")


async def test_a_report_has_every_field(reports):
    report_id = await reports.put()
    row = (await reports.get(f"/{report_id}")).json()["data"]
    address = f"http://test/api/v1/ext/domains/{reports.domain_id}/reports/{report_id}"
    at = "2026-11-15T09:30:10.000000+00:00"
    assert row == {
        "id": report_id,
        "scan_id": row["scan_id"],
        "title": "Acme in AI answers",
        "period_start": at,
        "period_end": at,
        "summary": "All is well.",
        "html_url": f"{address}.html",
        "pdf_url": f"{address}.pdf",
        "created_at": at,
        "note": None,
        "owners": [],
    }
    assert (await reports.get()).json()["data"] == [row]


async def test_a_domain_without_a_report_has_an_empty_list(reports):
    assert (await reports.get()).json()["data"] == []


async def test_the_page_has_a_strict_content_security_policy(installation, client):
    tracked = await ReportedDomain.open(installation)
    job = await tracked.complete_scan()
    await tracked.write(job)
    stored = await tracked.report(job)
    reports = ReportsClient(installation, client, tracked.tenant, tracked.domain_id)
    response = await reports.get(f"/{stored['id']}.html")
    assert response.status_code == 200 and "Who is named" in response.text
    whole = await reports.get(f"/{stored['id']}/appendix.html")
    assert '<h2 id="appendix">' in whole.text and '<h2 id="appendix">' not in response.text
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["cache-control"] == "no-store"
    policy = response.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:;")
    assert "frame-ancestors 'none'" in policy and "script-src" not in policy


async def test_page_and_pdf_come_in_the_language_that_the_request_names(installation, client):
    tracked = await ReportedDomain.open(installation)
    job = await tracked.complete_scan()
    await tracked.write(job)
    stored = await tracked.report(job)
    reports = ReportsClient(installation, client, tracked.tenant, tracked.domain_id)
    for path in (".html", "/appendix.html"):
        german = await reports.get(f"/{stored['id']}{path}?language=de")
        assert german.status_code == 200 and '<html lang="de">' in german.text
        assert '<html lang="en">' in (await reports.get(f"/{stored['id']}{path}?language=en")).text
    for path in (".pdf", "/appendix.pdf"):
        german = await reports.get(f"/{stored['id']}{path}?language=de")
        assert german.content.startswith(b"%PDF-")
        assert german.content != (await reports.get(f"/{stored['id']}{path}")).content
    assert_problem(await reports.get(f"/{stored['id']}.html?language=fr"), 422, "validation_failed")


async def test_the_pdf_is_returned_as_stored_with_a_file_name(reports):
    content = b"%PDF-1.7" + bytes(range(256)) * 600
    report_id = await reports.put(pdf=content)
    response = await reports.get(f"/{report_id}.pdf")
    assert (response.status_code, response.content) == (200, content)
    assert response.headers["content-type"] == "application/pdf"
    assert response.headers["content-disposition"] == 'inline; filename="sightline-acme.com-2026-11-15.pdf"'
    assert response.headers["x-request-id"] and response.headers["x-ratelimit-limit"]


async def open_written(installation, client):
    """Write a report and return a client for its domain, and the path of the report."""
    tracked = await ReportedDomain.open(installation)
    job = await tracked.complete_scan()
    await tracked.store_insights(job)
    await tracked.write(job)
    reports = ReportsClient(installation, client, tracked.tenant, tracked.domain_id)
    return reports, f"/{(await tracked.report(job))['id']}"


async def test_a_paragraph_and_owners_are_part_of_every_form_and_leave_when_they_are_removed(installation, client):
    reports, path = await open_written(installation, client)
    before = {ending: (await reports.get(path + ending)).content for ending in (".html", ".pdf", "/appendix.pdf")}
    sent = {"note": "  A <b>big</b>   week.\r\n\r\nThank you! ", "owners": ["", " Agency "]}
    changed = (await reports.change(path, sent)).json()["data"]
    assert (changed["note"], changed["owners"]) == ("A <b>big</b> week.\nThank you!", ["", "Agency"])
    assert (await reports.get(path)).json()["data"] == changed
    page = (await reports.get(f"{path}.html")).text
    assert "A &lt;b&gt;big&lt;/b&gt; week.\nThank you!" in page and ">Agency</bdi>" in page
    for ending, content in before.items():
        assert (await reports.get(path + ending)).content != content
    kept = (await reports.change(path, {"note": None})).json()["data"]
    assert (kept["note"], kept["owners"]) == (None, ["", "Agency"]), "what is left out stays"
    assert (await reports.change(path, {"owners": ["", ""]})).json()["data"]["owners"] == []
    for ending, content in before.items():
        assert (await reports.get(path + ending)).content == content


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"note": "x" * (MAX_NOTE + 1)}, "note"),
        ({"note": 7}, "note"),
        ({"note": "bell \u0007"}, "note"),
        ({"owners": ["x" * (MAX_OWNER + 1)]}, "owners[0]"),
        ({"owners": ["a", "b", "c", "d"]}, "owners"),
        ({"owners": None}, "owners"),
    ],
)
async def test_a_text_that_is_too_long_or_cannot_be_shown_is_refused(installation, client, change, field):
    reports, path = await open_written(installation, client)
    problem = assert_problem(await reports.change(path, change), 422, "validation_failed")
    assert problem["errors"][0]["field"] == field
    assert (await reports.get(path)).json()["data"]["note"] is None


async def test_a_report_of_another_workspace_cannot_be_changed(installation, client):
    reports, path = await open_written(installation, client)
    other = await ReportsClient.open(installation, client, Plan.AGENCY)
    foreign = f"/{await other.put()}"
    assert_problem(await reports.change(foreign, {"note": "Hi"}), 404, "not_found")
    assert_problem(await other.change(path, {"note": "Hi"}), 404, "not_found")
    assert (await reports.get(path)).json()["data"]["note"] is None


async def test_a_pdf_that_cannot_be_typeset_is_an_error_that_names_the_page(installation, client, monkeypatch):
    tracked = await ReportedDomain.open(installation)
    job = await tracked.complete_scan()
    await tracked.write(job)
    stored = await tracked.report(job)
    reports = ReportsClient(installation, client, tracked.tenant, tracked.domain_id)
    # No report is known that cannot be typeset.
    monkeypatch.setattr(render, "read_template", lambda: b'#panic("no such thing")')
    document = assert_problem(await reports.get(f"/{stored['id']}.pdf"), 500, "internal_error")
    assert "The page of the report has the same content" in document["detail"]
    assert (await reports.get(f"/{stored['id']}.html")).status_code == 200
    monkeypatch.undo()
    assert (await reports.get(f"/{stored['id']}.pdf")).content.startswith(b"%PDF-")


@pytest.mark.parametrize("ending", [".pdf", ".html"])
async def test_head_responds_as_get_without_a_body_and_writes_are_refused(reports, ending):
    report_id = await reports.put()
    head = await reports.get(f"/{report_id}{ending}", method="HEAD")
    assert (head.status_code, head.content) == (200, b"")
    refused = await reports.get(f"/{report_id}{ending}", method="DELETE")
    assert_problem(refused, 405, "method_not_allowed")
    assert refused.headers["allow"] == "GET, HEAD"


@pytest.mark.parametrize("ending", ["", ".pdf", ".html", "/appendix.html", "/appendix.pdf"])
async def test_an_unknown_report_is_not_found(installation, client, reports, ending):
    other = await ReportsClient.open(installation, client)
    theirs = await other.put()
    for report_id in (str(new_id()), "nonsense", theirs):
        assert_problem(await reports.get(f"/{report_id}{ending}"), 404, "not_found")
    mine = await reports.put()
    second = ReportsClient(
        installation, client, reports.tenant, await installation.tracked_domain(reports.tenant, "other.com")
    )
    assert_problem(await second.get(f"/{mine}{ending}"), 404, "not_found")
    console = ReportsClient(
        installation, client, reports.tenant, await installation.console_domain(reports.tenant.live)
    )
    assert_problem(await console.get(f"/{mine}{ending}"), 404, "domain_not_found")
    assert_problem(await reports.get(f"/{mine}{ending}", key=other.tenant.data), 404, "domain_not_found")


@pytest.mark.parametrize("path", ["/{id}.PDF", "/{id}.txt", "/.pdf"])
async def test_an_unknown_file_extension_is_not_found(reports, path):
    assert_problem(await reports.get(path.format(id=await reports.put())), 404, "not_found")


@pytest.mark.parametrize("ending", ["", ".pdf", ".html"])
async def test_reports_require_professional_or_agency(installation, client, ending):
    for plan in Plan:
        reports = await ReportsClient.open(installation, client, plan)
        response = await reports.get(f"/{await reports.put()}{ending}")
        if plan in {Plan.PROFESSIONAL, Plan.AGENCY}:
            assert response.status_code == 200
        else:
            assert_problem(response, 403, "plan_required")

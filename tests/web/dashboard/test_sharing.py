"""Share links: "readable without sign-in, no index, nothing but the one report reachable"."""

import re
import traceback

import pytest
from structlog.testing import capture_logs

from sightline.accounts.models import Role
from tests.reports.stored_reports import ReportedDomain, store_report
from tests.web.page_browser import open_browser

LINK = re.compile(r"http://test(/shared/reports/[\w-]+)")


class Shared:
    def __init__(self, installation, tenant, domain, report) -> None:
        self.installation, self.tenant, self.report = installation, tenant, report
        self.page = f"/w/{tenant.id}/d/{domain}/reports/{report}/share"

    @classmethod
    async def open(cls, installation):
        tenant = await installation.tenant()
        domain = await installation.tracked_domain(tenant)
        report = await store_report(
            installation, tenant.workspace.id, domain, html="<!doctype html><p>The report", pdf=b"%PDF-x"
        )
        return cls(installation, tenant, domain, report)

    async def make(self, browser, days="7"):
        token = (await browser.get(self.page)).text.split('name="token" value="')[1].split('"')[0]
        return await browser.post(self.page, data={"token": token, "days": days})


@pytest.fixture
async def shared(installation):
    return await Shared.open(installation)


async def test_the_link_opens_the_report_and_its_pdf_without_signing_in(installation, shared):
    async with open_browser(installation, shared.tenant.owner) as owner:
        made = await shared.make(owner)
        assert made.status_code == 200 and "It is shown only once." in made.text
        link = LINK.search(made.text)[1]
        listed = (await owner.get(shared.page)).text
        assert link not in listed and f"Created by {shared.tenant.owner.name}" in listed
    async with open_browser(installation) as nobody:
        page, pdf = await nobody.get(link), await nobody.get(f"{link}.pdf")
        assert (page.status_code, page.text) == (200, "<!doctype html><p>The report")
        assert (pdf.status_code, pdf.content) == (200, b"%PDF-x")
        for answer in (page, pdf):
            assert answer.headers["x-robots-tag"].startswith("noindex")
            assert answer.headers["referrer-policy"] == "no-referrer"
            assert answer.headers["cache-control"] == "no-store"
            assert "set-cookie" not in answer.headers
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert (await nobody.get(shared.page)).status_code == 303
        assert (await nobody.get(shared.page.removesuffix("/share"))).status_code == 303


async def test_expired_taken_back_and_unknown_links_are_one_plain_page(installation, shared):
    async with open_browser(installation, shared.tenant.owner) as owner, open_browser(installation) as nobody:
        lost, expired = [LINK.search((await shared.make(owner, "1")).text)[1] for _ in range(2)]
        (_, revoke) = re.findall(r'action="([^"]+/revoke)"', (await owner.get(shared.page)).text)
        done = await owner.post(revoke)
        assert done.headers["location"] == f"{shared.page}?done=revoked"
        assert (await owner.post(revoke)).status_code == 303
        assert [(await nobody.get(link)).status_code for link in (lost, expired)] == [404, 200]
        installation.clock.advance(days=1)
        answers = [await nobody.get(path) for path in (lost, expired, f"{expired}.pdf", "/shared/reports/nonsense")]
    assert [answer.status_code for answer in answers] == [404] * 4
    assert len({answer.text for answer in answers}) == 1 and "This report is not available" in answers[0].text
    assert all(answer.headers["x-robots-tag"].startswith("noindex") for answer in answers)


async def test_a_form_that_is_sent_twice_makes_one_link_and_shows_it_once(installation, shared):
    async with open_browser(installation, shared.tenant.owner) as owner:
        token = (await owner.get(shared.page)).text.split('name="token" value="')[1].split('"')[0]
        first, second = [await owner.post(shared.page, data={"token": token, "days": "7"}) for _ in range(2)]
        assert LINK.search(first.text) and second.status_code == 303
        assert "You have already sent this form." in (await owner.get(second.headers["location"])).text
        wrong = await shared.make(owner, "365")
        assert wrong.status_code == 422 and "Choose from the list how long the link works." in wrong.text
    assert await installation.db.fetchval("SELECT count(*) FROM report_shares") == 1


async def test_only_editors_and_above_share_and_only_their_own_reports(installation, shared):
    other = await Shared.open(installation)
    async with open_browser(installation, shared.tenant.owner) as owner:
        await shared.make(owner)
        (revoke,) = re.findall(r'action="([^"]+/revoke)"', (await owner.get(shared.page)).text)
        for form in (shared.page, revoke):
            crossed = await owner.post(form, headers={"Sec-Fetch-Site": "cross-site"})
            assert crossed.status_code == 403
        foreign = shared.page.replace(str(shared.report), str(other.report))
        for form in (foreign, other.page, f"{foreign}/{revoke.split('/')[-2]}/revoke"):
            assert (await owner.post(form, data={"days": "7"})).status_code == 404
        assert (await owner.get(foreign)).status_code == 404
    async with open_browser(installation, await installation.member(shared.tenant, Role.VIEWER)) as viewer:
        page = (await viewer.get(shared.page)).text
        assert "<form" not in page.split("<main")[1] and "Created by" in page
        for form in (shared.page, revoke):
            assert (await viewer.post(form, data={"days": "7"})).status_code == 403
    async with open_browser(installation, other.tenant.owner) as stranger:
        for form in (shared.page, revoke, revoke.replace(shared.page, other.page)):
            assert (await stranger.post(form, data={"days": "7"})).status_code == 404
    query = "SELECT count(*) FROM report_shares WHERE revoked_at IS NULL"
    assert await installation.db.fetchval(query) == 1


async def test_a_link_ends_with_the_membership_of_its_maker(installation, shared):
    editor = await installation.member(shared.tenant, Role.EDITOR)
    async with open_browser(installation, editor) as browser, open_browser(installation) as nobody:
        link = LINK.search((await shared.make(browser)).text)[1]
        assert (await nobody.get(link)).status_code == 200
        async with open_browser(installation, shared.tenant.owner) as owner:
            removed = await owner.post(f"/w/{shared.tenant.id}/members/{editor.id}/remove")
            assert removed.status_code == 303
            assert (await nobody.get(link)).status_code == 404
            assert "Created by" not in (await owner.get(shared.page)).text
        await installation.set_role(shared.tenant, editor, Role.EDITOR)
        assert (await nobody.get(link)).status_code == 404, "coming back does not open it again"


async def test_the_token_of_a_link_is_in_no_log_and_in_no_referrer(installation, shared, caplog):
    async with open_browser(installation, shared.tenant.owner) as owner, open_browser(installation) as nobody:
        link = LINK.search((await shared.make(owner)).text)[1]
        with capture_logs() as lines:
            answers = [await nobody.get(path) for path in (link, f"{link}.pdf", f"{link}x", f"{link}/x")]
            await installation.db.execute("ALTER TABLE reports RENAME TO gone")
            answers.append(await nobody.get(link))
            await installation.db.execute("ALTER TABLE gone RENAME TO reports")
            await installation.db.close()
            answers.append(await nobody.get(link))
    assert [answer.status_code for answer in answers] == [200, 200, 404, 404, 500, 503]
    assert {answer.headers["referrer-policy"] for answer in answers} == {"no-referrer"}
    (failure,) = [line for line in lines if line["event"] == "page_failed"]
    assert failure["route"] == "/shared/reports/{token}"
    logged = "".join([repr(lines), caplog.text, *traceback.format_exception(failure["exc_info"])])
    assert link.rpartition("/")[2] not in logged


async def test_the_words_of_the_agency_are_on_every_shared_page(installation):
    tracked = await ReportedDomain.open(installation)
    job = await tracked.complete_scan()
    await tracked.store_insights(job)
    await tracked.write(job)
    report = (await tracked.report(job))["id"]
    page = f"/w/{tracked.tenant.id}/d/{tracked.domain_id}/reports/{report}/share"
    shared = Shared(installation, tracked.tenant, tracked.domain_id, report)
    said = {"note": "Please read <this>.\r\n\r\nThanks", "owner_1": "", "owner_2": "Agency", "owner_3": ""}
    async with open_browser(installation, tracked.tenant.owner) as owner, open_browser(installation) as nobody:
        link = LINK.search((await shared.make(owner)).text)[1]
        assert "Owner of “Get Acme into reviews0.com/anvils”" in (await owner.get(page)).text
        saved = await owner.post(f"{page}/text", data=said)
        assert saved.headers["location"] == f"{page}?done=changed"
        form = (await owner.get(page)).text
        assert "Please read &lt;this&gt;.\nThanks</textarea>" in form and 'value="Agency"' in form
        shown = (await nobody.get(link)).text
        assert "Please read &lt;this&gt;.\nThanks</p>" in shown and ">Agency</bdi>" in shown
        refused = await owner.post(f"{page}/text", data=said | {"note": "x" * 601})
        assert refused.status_code == 422
        assert "Please read &lt;this&gt;." in (await nobody.get(link)).text
        assert (await owner.post(f"{page}/text", data={"note": ""})).status_code == 303
        assert "Please read" not in (await nobody.get(link)).text
    async with open_browser(installation, await installation.member(tracked.tenant, Role.VIEWER)) as viewer:
        assert (await viewer.post(f"{page}/text", data=said)).status_code == 403

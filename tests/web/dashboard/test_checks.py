"""The pages of checks: history, one check, live progress that "ends by itself", and Retry scan."""

import asyncio
import json
import re
from functools import partial

import msgspec
import pytest

from sightline.accounts.models import Role
from sightline.api.edge.event_streams import STREAM_LIMITS
from sightline.plans.table import Plan
from sightline.scans.progress import ScanFeeds
from sightline.scans.queries import move_scan
from sightline.scans.scheduling.first_check import may_retry
from sightline.scans.scheduling.models import build_check_rules
from sightline.scans.states import ScanStatus
from sightline.web.pages.dashboard import checks as pages
from tests.running_worker import until, working
from tests.tracked_domains import Tracker
from tests.web.dashboard.dashboard_history import DashboardHistory, answer_by_platform
from tests.web.page_browser import open_browser

PENDING, RUNNING, FAILED = ScanStatus.PENDING, ScanStatus.RUNNING, ScanStatus.FAILED


class FirstCheck:
    """A domain whose first check waits to be run."""

    def __init__(self, installation, tracker, made):
        self.installation, self.tenant, self.scan = installation, tracker.tenant, made.first_check
        self.domain_id = made.domain.id
        self.path = f"/w/{tracker.tenant.id}/d/{made.domain.id}"

    @classmethod
    async def open(cls, installation):
        async with Tracker.open(installation) as tracker:
            return cls(installation, tracker, await tracker.track())

    async def move(self, from_, to, **more):
        async with self.installation.db.transaction() as tx:
            at = (self.tenant.workspace.id, self.scan.id)
            assert await move_scan(tx, *at, from_=from_, to=to, now=self.installation.clock(), **more)

    async def fail(self):
        await self.move(PENDING, RUNNING)
        await self.move(RUNNING, FAILED, error_message="Every platform failed.")

    async def may_retry(self):
        return await may_retry(
            self.installation.db,
            self.tenant.workspace.id,
            self.domain_id,
            Plan.AGENCY,
            rules=build_check_rules(self.installation.app_context.settings),
        )


async def test_the_list_shows_each_check_with_its_scope_and_leads_to_it(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform)
    daily = await dashboard.history.run_daily_check(answer_by_platform)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        page = (await browser.get(f"{dashboard.path}/checks")).text
        assert page.index(f"/checks/{daily}") < page.index(f"/checks/{dashboard.scans[0]}")
        full = (await browser.get(f"{dashboard.path}/checks?scope=full_check")).text
        assert str(daily) not in full and str(dashboard.scans[0]) in full
        assert "No checks of this kind" in (await browser.get(f"{dashboard.path}/checks?scope=free_audit")).text


async def test_older_checks_are_on_the_next_page(installation, monkeypatch):
    # A page has fifty checks.
    monkeypatch.setattr(pages, "PAGE_SIZE", 2)
    dashboard = await DashboardHistory.open(installation, answer_by_platform, answer_by_platform, answer_by_platform)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        first = (await browser.get(f"{dashboard.path}/checks")).text
        assert str(dashboard.scans[0]) not in first
        older = first.partition('" rel="next"')[0].rpartition('href="')[2].replace("&amp;", "&")
        second = (await browser.get(f"{dashboard.path}/checks{older}")).text
        assert str(dashboard.scans[0]) in second and str(dashboard.scans[1]) not in second
        assert (await browser.get(f"{dashboard.path}/checks?cursor=nonsense")).status_code == 400
        assert (await browser.get(f"{dashboard.path}/checks{older}&scope=daily_check")).status_code == 400


async def test_a_past_check_shows_its_own_figures_platforms_and_answers(installation):
    dashboard = await DashboardHistory.open(
        installation, answer_by_platform, lambda prompt, platform: "Globex is good."
    )
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        page = (await browser.get(f"{dashboard.path}/checks/{dashboard.scans[0]}")).text
        assert '<p class="value">33.3% <span class="range">2 of 6 answers</span></p>' in page
        assert "9.7\u201370.0% for these prompts" in page
        assert "no range for questions like these: fewer than five prompts" in page
        assert f'href="../answers/{dashboard.scans[0]}/' in page and str(dashboard.scans[1]) not in page
        assert page.count('title="Gemini: cited only"') == 2
        assert "Early reading" in page and "progress.js" not in page
        later = (await browser.get(f"{dashboard.path}/checks/{dashboard.scans[1]}")).text
        assert "No clear change" in later


async def test_checks_of_others_are_not_there(installation):
    mine, theirs = (
        await DashboardHistory.open(installation, answer_by_platform),
        await DashboardHistory.open(installation, answer_by_platform),
    )
    other = await installation.tracked_domain(mine.tenant, "globex.com")
    async with open_browser(installation, mine.tenant.owner) as browser:
        for path in (
            f"{mine.path}/checks/{theirs.scans[0]}",
            f"{mine.path}/checks/nonsense",
            f"/w/{mine.tenant.id}/d/{other}/checks/{mine.scans[0]}",
        ):
            assert (await browser.get(path)).status_code == 404
            assert (await browser.get(f"{path}/progress")).status_code == 404


async def test_a_running_check_shows_progress_and_a_reload_link_without_a_script(installation):
    first = await FirstCheck.open(installation)
    async with open_browser(installation, first.tenant.owner) as browser:
        page = (await browser.get(f"{first.path}/checks/{first.scan.id}")).text
        assert f'data-follow="{first.path}/checks/{first.scan.id}/progress"' in page
        assert '<noscript><p><a href="">Reload the page</a></p></noscript>' in page
        assert f'<progress max="{first.scan.answers_total}" value="0"' in page
        assert '<script type="module" src="/static/progress.js"></script>' in page
        script = await browser.get("/static/progress.js")
        assert script.headers["content-type"].startswith("text/javascript")


async def test_progress_is_streamed_until_the_check_has_ended(installation):
    first = await FirstCheck.open(installation)
    await first.move(PENDING, RUNNING)

    async def end():
        await asyncio.sleep(0.7)
        await first.move(RUNNING, FAILED, error_message="Every platform failed.")

    async with open_browser(installation, first.tenant.owner) as browser:
        stream, _ = await asyncio.gather(browser.get(f"{first.path}/checks/{first.scan.id}/progress"), end())
    assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert stream.headers["cache-control"] == "no-store" and stream.headers["x-accel-buffering"] == "no"
    retry, *blocks = stream.text.strip().split("\n\n")
    assert retry == "retry: 1000"
    events = [block.split("\ndata: ") for block in blocks]
    each = ["event: platforms", "event: progress"]
    assert [name.rpartition("\n")[2] for name, _ in events] == [*each, *each, "event: end"]
    total = first.scan.answers_total // len(first.scan.selected_platforms)
    nothing = {"completed": 0, "failed": 0, "total": total, "waiting": 0}
    assert json.loads(events[0][1])[0] == {"platform": first.scan.selected_platforms[0], **nothing}
    assert json.loads(events[-1][1])["status"] == "failed"


async def test_a_stream_ends_after_ten_minutes_and_within_a_minute_after_the_session(installation):
    closely = ScanFeeds(installation.db, pause=0.01, keep_alive=0.02)
    installation.app_context = msgspec.structs.replace(installation.app_context, feeds=closely)
    first = await FirstCheck.open(installation)
    async with open_browser(installation, first.tenant.owner) as browser:

        async def stream(end, **pause):
            streaming = asyncio.create_task(browser.get(f"{first.path}/checks/{first.scan.id}/progress"))
            await asyncio.sleep(0.6)  # on a busy machine the first event comes after some time
            await end()
            installation.clock.advance(**pause)
            return await asyncio.wait_for(streaming, 30)

        async def do_nothing():
            pass

        for end, pause in ((do_nothing, {"minutes": 10}), (partial(browser.post, "/sign-out"), {"minutes": 1})):
            answer = await stream(end, **pause)
            assert answer.text.count("event: progress") == 1 and "event: end" not in answer.text
        assert (await browser.get(f"{first.path}/checks/{first.scan.id}/progress")).status_code == 303


async def test_streams_of_pages_are_limited(installation):
    first = await FirstCheck.open(installation)
    async with open_browser(installation, first.tenant.owner) as browser:
        taken = [
            installation.app_context.stream_places.take(number, first.tenant.workspace.id)
            for number in range(STREAM_LIMITS.per_workspace)
        ]
        answer = await browser.get(f"{first.path}/checks/{first.scan.id}/progress")
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "30")
        assert taken


async def test_the_map_of_the_first_check_fills_and_its_brands_are_tracked_with_one_press(installation):
    async with Tracker.open(installation) as tracker:
        made = await tracker.track(competitors=())
        tenant, scan, path = tracker.tenant, made.first_check, f"/w/{tracker.tenant.id}/d/{made.domain.id}"
        async with open_browser(installation, tenant.owner) as browser:
            empty = (await browser.get(path)).text
            assert empty.count('class="q unasked"') == scan.answers_total
            assert "The first sentence that names acme appears here." in empty
            async with working(installation):

                async def fill():
                    page = (await browser.get(path)).text
                    assert 'id="league"' not in page, "some of it is seen while it runs"
                    return page if "<mark" in page else None

                filling = await until(fill, seconds=60)
                assert filling.count('class="q unasked"') < scan.answers_total
                assert f"/answers/{scan.id}/" in filling.split("<mark")[1]

                async def offer():
                    page = (await browser.get(path)).text
                    return page if "These brands came up. Track them?" in page else None

                offered = await until(offer, seconds=60)
            ticked = re.findall(r'name="competitor" value="([^"]+)" checked', offered)
            assert 1 <= len(ticked) <= 5
            tracked = await browser.post(f"{path}/competitors/track", data={"competitor": ticked})
            assert tracked.headers["location"] == path
            again = (await browser.get(path)).text
            assert "Track them?" not in again and "Updating past results" in again
            unknown = await browser.post(f"{path}/competitors/track", data={"competitor": str(scan.id)})
            assert unknown.status_code == 404
    confirmed = "SELECT count(*) FROM competitors WHERE status = 'confirmed'"
    assert await installation.db.fetchval(confirmed) == len(ticked)


async def test_retry_scan_is_there_only_while_the_first_check_has_failed(installation):
    first = await FirstCheck.open(installation)
    async with open_browser(installation, first.tenant.owner) as browser:
        for path in ("checks", f"checks/{first.scan.id}"):
            assert "Retry scan" not in (await browser.get(f"{first.path}/{path}")).text
        assert not await first.may_retry()
        assert "Retry scan" not in (await browser.get(first.path)).text
        await first.fail()
        overview = (await browser.get(first.path)).text
        assert "The first check failed" in overview and "Every platform failed." in overview
        for path in ("", "checks", f"checks/{first.scan.id}"):
            assert "Retry scan" in (await browser.get(f"{first.path}/{path}".rstrip("/"))).text
        assert "Every platform failed." in (await browser.get(f"{first.path}/checks/{first.scan.id}")).text
        installation.clock.advance(minutes=1)
        again = await browser.post(f"{first.path}/checks/retry")
        assert again.status_code == 303 and again.headers["location"].endswith("?done=retried")
        assert "free of charge" in (await browser.get(again.headers["location"])).text
        assert "Retry scan" not in (await browser.get(f"{first.path}/checks")).text
        twice = await browser.post(f"{first.path}/checks/retry")
        assert twice.status_code == 409 and "Nothing was changed" in twice.text


@pytest.mark.parametrize("plan", [Plan.FREE, Plan.STARTER])
async def test_retry_scan_is_not_offered_where_the_plan_of_now_would_refuse_it(installation, plan):
    first = await FirstCheck.open(installation)
    await first.fail()
    await installation.db.execute("UPDATE workspaces SET plan = $1, audited_at = now()", plan)
    async with open_browser(installation, first.tenant.owner) as browser:
        for path in ("checks", f"checks/{first.scan.id}"):
            page = (await browser.get(f"{first.path}/{path}")).text
            assert ("Retry scan" in page) == (plan is Plan.STARTER)
        assert (await browser.post(f"{first.path}/checks/retry")).status_code == (303 if plan is Plan.STARTER else 403)


async def test_retry_scan_is_refused_once_a_check_has_completed(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform)
    await installation.db.execute("UPDATE domains SET anchor_at = created_at, status = 'active'")
    installation.clock.advance(days=7)
    later = await dashboard.history.store_scan("full_check", answer_by_platform)
    await installation.db.execute("UPDATE scans SET status = 'failed' WHERE id = $1", later)
    at = (dashboard.tenant.workspace.id, dashboard.history.domain_id)
    assert not await may_retry(
        installation.db, *at, Plan.AGENCY, rules=build_check_rules(installation.app_context.settings)
    )
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        assert "Retry scan" not in (await browser.get(f"{dashboard.path}/checks")).text
        assert (await browser.post(f"{dashboard.path}/checks/retry")).status_code == 409


@pytest.mark.parametrize("role", [Role.VIEWER, Role.EDITOR])
async def test_a_viewer_sees_no_retry_and_may_not_and_another_site_may_not_either(installation, role):
    first = await FirstCheck.open(installation)
    await first.fail()
    allowed = role is Role.EDITOR
    async with open_browser(installation, await installation.member(first.tenant, role)) as browser:
        assert ("Retry scan" in (await browser.get(f"{first.path}/checks")).text) == allowed
        crossed = await browser.post(f"{first.path}/checks/retry", headers={"Sec-Fetch-Site": "cross-site"})
        assert crossed.status_code == 403
        assert (await browser.post(f"{first.path}/checks/retry")).status_code == (303 if allowed else 403)


async def test_a_check_whose_results_are_being_put_together_says_so_and_looks_again(installation):
    dashboard = await DashboardHistory.open(installation)
    scan = await dashboard.history.store_scan("full_check", answer_by_platform)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        page = (await browser.get(f"{dashboard.path}/checks/{scan}")).text
        assert "Preparing the results" in page and 'id="preparing" data-live' in page and "/static/live.js" in page

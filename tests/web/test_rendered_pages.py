"""Pages that are kept: looked at again they are not rendered, and after a change of what they show they are."""

from sightline.domains.recomputations.request import request_recompute
from sightline.kit.ids import new_id
from sightline.reports.weekly.write import write_report
from sightline.scans.jobs import ScanJob
from sightline.scoreboard.apply_scan import handle_completed_scan
from sightline.web.rendered_pages import RENDERED_PAGES
from tests.insights.anvil_market import market_answer, open_market
from tests.scan_history import UNCITED
from tests.web.dashboard.dashboard_history import DashboardHistory
from tests.web.page_browser import open_browser

PAGES = {"answers": "?checks=all", "searches": "", "checks": "", "reports": ""}
EVERY = set(PAGES)


async def test_a_kept_list_is_rendered_again_after_every_change_and_never_in_the_middle_of_one(installation):
    history = await open_market(installation)
    about, db, clock = (history.workspace_id, history.domain_id), installation.db, installation.clock
    scan_id = await history.run_full_check(market_answer)
    async with open_browser(installation, history.tenant.owner) as browser:

        async def find_rendered():
            """Open every page, and return those that were not kept from the last time."""
            path, rendered = DashboardHistory(history).path, set()
            for name, query in PAGES.items():
                page = (await browser.get(f"{path}/{name}{query}")).text
                if page != "kept":
                    assert "<h1" in page
                    rendered.add(name)
            for key in RENDERED_PAGES._pages:
                RENDERED_PAGES.put(key, "kept")
            return rendered

        assert await find_rendered() == EVERY
        assert await find_rendered() == set()

        await db.execute(
            """INSERT INTO scans SELECT (jsonb_populate_record(s, jsonb_build_object(
                   'id', $2::uuid, 'status', 'running', 'completed_at', NULL))).* FROM scans s WHERE id = $1""",
            scan_id,
            running := new_id(),
        )
        assert await find_rendered() == {"checks"}
        await db.execute("UPDATE scans SET answers_completed = answers_completed + 1 WHERE id = $1", running)
        assert await find_rendered() == {"checks"}
        await db.execute("UPDATE scans SET status = 'failed', completed_at = created_at WHERE id = $1", running)
        assert await find_rendered() == {"checks"}

        clock.advance(hours=1)
        second = await history.store_scan("full_check", market_answer)
        assert await find_rendered() == await find_rendered() == EVERY, "its answers are being stored"
        job, plans = ScanJob(about[0], second), installation.app_context.plans
        await handle_completed_scan(db, job, uncited=UNCITED, plans=plans, clock=clock)
        assert await find_rendered() == EVERY
        assert await find_rendered() == set()

        async with db.transaction() as tx:
            await request_recompute(tx, *about, "brand_changed", now=clock())
        assert await find_rendered() == await find_rendered() == EVERY, "answers are analyzed again"
        await db.execute("UPDATE recomputations SET status = 'done'")
        assert await find_rendered() == EVERY

        await write_report(db, job, base_url="https://sightline.example", clock=clock)
        assert "reports" in await find_rendered()
        assert await find_rendered() == set()


async def test_a_kept_page_follows_its_own_domain_and_those_of_its_switcher(installation):
    history = await open_market(installation)
    await history.run_full_check(market_answer)
    path, db = f"{DashboardHistory(history).path}/competitors", installation.db
    async with open_browser(installation, history.tenant.owner) as browser:
        first = (await browser.get(path)).text
        assert (await browser.get(path)).text == first and "second.example" not in first
        other = await installation.tracked_domain(history.tenant, domain="second.example")
        assert "second.example" in (await browser.get(path)).text
        await db.execute("UPDATE domains SET status = 'removed', removed_at = now() WHERE id = $1", other)
        assert "second.example" not in (await browser.get(path)).text
        await db.execute("UPDATE domains SET brand_name = 'Renamed' WHERE id = $1", history.domain_id)
        assert "Renamed" in (await browser.get(path)).text
        await db.execute("UPDATE domains SET status = 'removed', removed_at = now() WHERE id = $1", history.domain_id)
        assert (await browser.get(path)).status_code == 404

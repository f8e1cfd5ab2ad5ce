"""Load the demo: one button for an owner in a sandbox, one build, and a page that leads to the dashboard."""

import asyncio
from functools import partial

import msgspec
import pytest

from sightline.accounts.models import Role
from sightline.onboarding.demo import load
from sightline.onboarding.demo.replay import DemoReplay
from sightline.plans.table import Plan
from sightline.worker.follow_up import follow_up_in_process
from tests.installation import Installation
from tests.web.page_browser import open_browser

OFFER = "Load the demo"


async def waiting(installation) -> list[load.DemoJob]:
    rows = await installation.db.fetch("SELECT payload FROM jobs WHERE kind = $1", load.JOB)
    return [msgspec.json.decode(row[0], type=load.DemoJob) for row in rows]


async def build(installation, job) -> None:
    settings = installation.app_context.settings
    replay = DemoReplay.from_settings(
        settings, partial(follow_up_in_process, installation.db, settings), now=installation.clock()
    )
    await load.build_requested_demo(installation.db, replay, job, clock=installation.clock)


async def test_the_button_builds_once_and_leads_to_a_living_dashboard(installation, monkeypatch):
    # The first check alone: weeks of them are lived through elsewhere.
    monkeypatch.setattr(load, "WEEKS", 0)
    tenant = await installation.tenant(Plan.STARTER)
    home, demo = f"/w/{tenant.id}", f"/w/{tenant.id}/demo"
    async with open_browser(installation, tenant.owner) as browser:
        assert OFFER in (await browser.get(home)).text and OFFER in (await browser.get(f"{home}/new")).text
        assert (await browser.get(demo)).headers["location"] == home
        pressed = await asyncio.gather(*(browser.post(demo) for _ in range(3)))
        assert {each.headers["location"] for each in pressed} == {demo}
        (job,) = await waiting(installation)
        assert "0 of" in (await browser.get(demo)).text
        assert OFFER not in (await browser.get(home)).text
        installation.clock.advance(minutes=2)
        await build(installation, job)
        await build(installation, job)
        ready = await browser.get(demo)
        assert ready.status_code == 303
        page = await browser.get(ready.headers["location"])
        assert page.status_code == 200 and "Acme" in page.text and "has not been completed yet" not in page.text
        assert (await browser.post(demo)).headers["location"] == demo
        assert len(await waiting(installation)) == 1
    assert await installation.db.fetchval("SELECT count(*) FROM scans WHERE status = 'completed'") == 1


async def test_the_free_plan_is_not_raised_and_gets_a_workspace_of_its_own(installation):
    tenant = await installation.tenant(Plan.FREE)
    async with open_browser(installation, tenant.owner) as browser:
        assert "It gets its own workspace" in (await browser.get(f"/w/{tenant.id}")).text
        for _ in range(2):
            await browser.post(f"/w/{tenant.id}/demo")
        (job,) = await waiting(installation)
        assert job.plan is Plan.AGENCY
        rows = await installation.db.fetch(
            "SELECT name, plan, payer_user_id FROM workspaces ORDER BY created_at, name DESC"
        )
        assert [tuple(row) for row in rows] == [
            (tenant.workspace.name, "free", tenant.owner.id),
            ("Demonstration", "agency", tenant.owner.id),
        ]
        shown = await installation.db.fetchrow("SELECT shown_in, domain_id FROM demonstrations")
        assert (await browser.get(f"/w/{shown['shown_in']}/d/{shown['domain_id']}")).status_code == 200


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ADMIN])
async def test_only_an_owner_is_offered_it_and_gets_it(installation, role):
    tenant = await installation.tenant()
    person = await installation.member(tenant, role)
    async with open_browser(installation, person) as browser:
        assert OFFER not in (await browser.get(f"/w/{tenant.id}")).text
        assert (await browser.post(f"/w/{tenant.id}/demo")).status_code == 403
    assert await waiting(installation) == []


async def test_a_workspace_with_a_domain_a_foreign_one_and_another_site_get_none(installation):
    tenant, theirs = await installation.tenant(), await installation.tenant()
    await installation.tracked_domain(tenant)
    async with open_browser(installation, tenant.owner) as browser:
        assert OFFER not in (await browser.get(f"/w/{tenant.id}/new")).text
        assert (await browser.post(f"/w/{tenant.id}/demo")).status_code == 409
        assert (await browser.post(f"/w/{theirs.id}/demo")).status_code == 404
        crossed = {"Sec-Fetch-Site": "cross-site"}
        assert (await browser.post(f"/w/{tenant.id}/demo", headers=crossed)).status_code == 403
    assert await waiting(installation) == []


async def test_it_is_refused_where_a_platform_is_connected(database_url, tmp_path):
    async with Installation.open(database_url, tmp_path, openai_api_key="sk-of-somebody") as installation:
        tenant = await installation.tenant()
        async with open_browser(installation, tenant.owner) as browser:
            assert OFFER not in (await browser.get(f"/w/{tenant.id}")).text
            refused = await browser.post(f"/w/{tenant.id}/demo")
            assert refused.status_code == 409 and "sandbox" in refused.text
        assert await waiting(installation) == []
        assert await installation.db.fetchval("SELECT count(*) FROM domains") == 0

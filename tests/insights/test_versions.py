"""The version of a domain: the same as long as nothing is, and another one after each change that a page shows."""

from sightline.accounts.models import Actor, Role
from sightline.competitors.review import add_competitor
from sightline.insights.alerts.mute import mute_alert
from sightline.insights.recommendations.tasks import mark_done, mark_open, read_tasks
from sightline.insights.versions.read import read_version
from sightline.plans.table import Plan
from tests.insights.anvil_market import market_answer, open_market
from tests.web.page_browser import open_browser


async def test_every_change_that_the_overview_shows_is_another_version_and_seen_at_once(installation):
    history = await open_market(installation)
    about = (history.workspace_id, history.domain_id)
    actor = Actor("session", about[0], history.tenant.owner.id, Role.OWNER, Plan.AGENCY, livemode=True)
    await history.run_full_check(market_answer)

    async def read_domain_version():
        return await read_version(installation.db, *about, newest_domains=50)

    first = (await read_tasks(installation.db, *about)).open[0]
    versions = [await read_domain_version()]
    assert await read_domain_version() == versions[0]

    async def act(step) -> None:
        async with installation.db.transaction() as tx:
            await step(tx)
        versions.append(await read_domain_version())

    async with open_browser(installation, history.tenant.owner) as browser:
        path = f"/w/{history.tenant.id}/d/{history.domain_id}"
        before = (await browser.get(path)).text
        await act(lambda tx: mark_done(tx, actor, about[1], first.key, now=installation.clock()))
        marked = (await browser.get(path)).text
        await act(lambda tx: mark_open(tx, actor, about[1], first.key))
        assert (await browser.get(path)).text == before != marked
        await act(lambda tx: add_competitor(tx, *about, "hooli.com", ["Hooli"], now=installation.clock()))
        await history.run_daily_check(lambda *_: "Acme is best.")
        versions.append(await read_domain_version())
        await history.run_daily_check(lambda *_: "Nobody is named here.")
        versions.append(await read_domain_version())
        assert (await browser.get(path)).text != before
    await act(lambda tx: tx.execute("UPDATE prompts SET tags = '{metal}' WHERE domain_id = $1", about[1]))
    (alert, *_) = await history.rows("alerts")
    await act(lambda tx: mute_alert(tx, actor, about[1], alert["id"], now=installation.clock()))
    assert versions[0] == versions.pop(2), "what was undone is as it was"
    assert len(set(versions)) == len(versions)

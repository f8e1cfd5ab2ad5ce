"""Asking a competitor's site for its name: through the guard, within limits, and kept once."""

import pytest

from sightline.competitors import review
from sightline.competitors.read_site import read_competitor_site
from sightline.competitors.site_job import SiteJob
from sightline.domains.home_page import SiteUnreadable
from sightline.jobs.retry import Retry
from sightline.kit.ids import new_id


class Fetching:
    """A site that says what it is told to."""

    def __init__(self, outcome, meanwhile=None) -> None:
        self.outcome, self.meanwhile = outcome, meanwhile
        self.asked: list[str] = []

    async def __call__(self, domain: str) -> str | None:
        self.asked.append(domain)
        if self.meanwhile is not None:
            await self.meanwhile()
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


async def read(steps, row, fetch, *, attempts: int = 0) -> None:
    steps.installation.clock.advance(minutes=1)
    job = SiteJob(steps.workspace, row.id)
    await read_competitor_site(steps.installation.db, fetch, job, attempts, clock=steps.installation.clock)


async def site_read_at(steps):
    return await steps.installation.db.fetchval("SELECT site_read_at FROM competitors")


async def test_the_declared_name_is_kept_and_answers_are_read_again(steps):
    await steps.insert_scan()
    row = await steps.add("globex.com", "GBX")
    await steps.forget_recomputations()
    fetch = Fetching("Globex")
    await read(steps, row, fetch)
    named = await steps.find(row.id)
    assert (named.display_name, named.names, named.last_updated) == ("Globex", ["GBX"], steps.installation.clock())
    assert await site_read_at(steps) == steps.installation.clock()
    assert await steps.recomputations() == [("competitor_named", "waiting")]
    await read(steps, row, fetch)
    assert (await steps.find(row.id), fetch.asked) == (named, ["globex.com"]), "a second run of the job does nothing"


async def test_a_site_that_declares_nothing_leaves_null(steps):
    await steps.insert_scan()
    row = await steps.add("globex.com")
    await steps.forget_recomputations()
    await read(steps, row, Fetching(None))
    assert await steps.find(row.id) == row
    assert await site_read_at(steps) == steps.installation.clock()
    assert await steps.recomputations() == []


async def test_failure_leaves_null_and_is_tried_again_a_few_times(steps):
    row = await steps.add("globex.com")
    for attempts in range(3):
        with pytest.raises(Retry) as again:
            await read(steps, row, Fetching(SiteUnreadable("away", temporary=True)), attempts=attempts)
        assert again.value.delay >= 60
    await read(steps, row, Fetching(SiteUnreadable("away", temporary=True)), attempts=3)
    await read(steps, row, Fetching(SiteUnreadable("gone", temporary=False)))
    assert (await steps.find(row.id), await site_read_at(steps)) == (row, None)


async def test_where_nothing_outside_may_be_contacted_nothing_is_learnt(steps):
    row = await steps.add("globex.com")
    await read(steps, row, None)
    assert (await steps.find(row.id), await site_read_at(steps)) == (row, None)


async def test_who_is_not_or_no_longer_wanted_is_not_named(steps):
    row = await steps.add("globex.com")

    async def dismiss():
        await steps.run(review.dismiss_competitor, row.id)

    await read(steps, row, Fetching("Globex", meanwhile=dismiss))
    fetch = Fetching("Globex")
    await read(steps, row, fetch)
    assert ((await steps.find(row.id)).display_name, fetch.asked) == (None, [])
    job = SiteJob(steps.workspace, new_id())
    await read_competitor_site(steps.installation.db, fetch, job, 0, clock=steps.installation.clock)
    assert fetch.asked == []


async def test_a_domain_that_is_removed_meanwhile_is_left_alone(steps):
    row = await steps.add("globex.com")

    async def remove():
        await steps.installation.db.execute("UPDATE domains SET status = 'removed', removed_at = now()")

    await read(steps, row, Fetching("Globex", meanwhile=remove))
    assert (await steps.find(row.id)).display_name is None

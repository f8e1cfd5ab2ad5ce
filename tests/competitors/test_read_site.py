"""Asking a competitor's site for its name: through the guard, within limits, and kept once."""

import pytest

from sightline.competitors import review
from sightline.competitors.fetch_site import SiteUnreadable
from sightline.competitors.read_site import read_competitor_site
from sightline.competitors.site_job import SiteJob
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


async def read(market, row, fetch, *, attempts: int = 0) -> None:
    market.installation.clock.advance(minutes=1)
    job = SiteJob(market.workspace, row.id)
    await read_competitor_site(market.installation.db, fetch, job, attempts, clock=market.installation.clock)


async def site_read_at(market):
    return await market.installation.db.fetchval("SELECT site_read_at FROM competitors")


async def test_the_declared_name_is_kept_and_answers_are_read_again(market):
    await market.check()
    row = await market.add("globex.com", "GBX")
    await market.forget_recomputations()
    fetch = Fetching("Globex")
    await read(market, row, fetch)
    named = await market.one(row.id)
    assert (named.display_name, named.names, named.last_updated) == ("Globex", ["GBX"], market.installation.clock())
    assert await site_read_at(market) == market.installation.clock()
    assert await market.recomputations() == [("competitor_named", "waiting")]
    await read(market, row, fetch)
    assert (await market.one(row.id), fetch.asked) == (named, ["globex.com"]), "a second run of the job does nothing"


async def test_a_site_that_declares_nothing_leaves_null(market):
    await market.check()
    row = await market.add("globex.com")
    await market.forget_recomputations()
    await read(market, row, Fetching(None))
    assert await market.one(row.id) == row
    assert await site_read_at(market) == market.installation.clock()
    assert await market.recomputations() == []


async def test_failure_leaves_null_and_is_tried_again_a_few_times(market):
    row = await market.add("globex.com")
    for attempts in range(3):
        with pytest.raises(Retry) as again:
            await read(market, row, Fetching(SiteUnreadable("away", temporary=True)), attempts=attempts)
        assert again.value.delay >= 60
    await read(market, row, Fetching(SiteUnreadable("away", temporary=True)), attempts=3)
    await read(market, row, Fetching(SiteUnreadable("gone", temporary=False)))
    assert (await market.one(row.id), await site_read_at(market)) == (row, None)


async def test_where_nothing_outside_may_be_contacted_nothing_is_learnt(market):
    row = await market.add("globex.com")
    await read(market, row, None)
    assert (await market.one(row.id), await site_read_at(market)) == (row, None)


async def test_who_is_not_or_no_longer_wanted_is_not_named(market):
    row = await market.add("globex.com")

    async def dismiss():
        await market.do(review.dismiss_competitor, row.id)

    await read(market, row, Fetching("Globex", meanwhile=dismiss))
    fetch = Fetching("Globex")
    await read(market, row, fetch)
    assert ((await market.one(row.id)).display_name, fetch.asked) == (None, [])
    job = SiteJob(market.workspace, new_id())
    await read_competitor_site(market.installation.db, fetch, job, 0, clock=market.installation.clock)
    assert fetch.asked == []


async def test_a_domain_that_is_removed_meanwhile_is_left_alone(market):
    row = await market.add("globex.com")

    async def remove():
        await market.installation.db.execute("UPDATE domains SET status = 'removed', removed_at = now()")

    await read(market, row, Fetching("Globex", meanwhile=remove))
    assert (await market.one(row.id)).display_name is None

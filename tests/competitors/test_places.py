"""Competitors have their colours "in a stable order: by when they were confirmed, not by order in a check"."""

from sightline.answers.models import Brand
from sightline.competitors import review
from sightline.competitors.display_order import assign_display_order
from tests.competitors.market import Market


async def places(market, *domains):
    rivals = [Brand(domain.partition(".")[0], (), (domain,)) for domain in domains]
    return await assign_display_order(market.installation.db, market.workspace, market.domain, rivals)


async def test_the_place_is_that_of_the_first_confirmation_and_stays(installation):
    market = await Market.open(installation)
    first, second = await market.add("globex.com"), await market.add("initech.com")
    (hooli,) = [row for row in await market.suggest(("Hooli", "hooli.com", 2.0)) if row.status == "suggested"]
    everybody = ("hooli.com", "initech.com", "globex.com")
    assert (await places(market, *everybody)) == {"hooli": 3, "initech": 2, "globex": 1}, "unknown ones come behind"
    await market.do(review.confirm_competitor, hooli.id)
    await market.do(review.hide_competitor, first.id)
    await market.do(review.rename_competitor, second.id, ["Initech Inc"])
    assert (await places(market, *everybody)) == {"hooli": 3, "initech": 2, "globex": 1}
    await market.do(review.unhide_competitor, first.id)
    assert (await places(market, "globex.com", "other.com")) == {"globex": 1, "other": 4}


async def test_competitors_of_another_domain_have_no_place_here(installation):
    market, other = await Market.open(installation), await Market.open(installation)
    await other.add("globex.com")
    assert await places(market, "initech.com", "globex.com") == {"initech": 1, "globex": 2}

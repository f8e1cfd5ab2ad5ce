"""Competitors have colors "in a stable order: by when they were confirmed, not by order in a check"."""

from sightline.answers.models import Brand
from sightline.competitors import review
from sightline.competitors.display_order import assign_display_order
from tests.competitors.competitor_steps import CompetitorSteps


async def positions(steps, *domains):
    competitors = [Brand(domain.partition(".")[0], (), (domain,)) for domain in domains]
    return await assign_display_order(steps.installation.db, steps.workspace, steps.domain, competitors)


async def test_the_position_is_that_of_the_first_confirmation_and_never_changes(installation):
    steps = await CompetitorSteps.open(installation)
    first, second = await steps.add("globex.com"), await steps.add("initech.com")
    (hooli,) = [row for row in await steps.suggest(("Hooli", "hooli.com", 2.0)) if row.status == "suggested"]
    everybody = ("hooli.com", "initech.com", "globex.com")
    assert (await positions(steps, *everybody)) == {"hooli": 3, "initech": 2, "globex": 1}, "unknown ones come behind"
    await steps.run(review.confirm_competitor, hooli.id)
    await steps.run(review.hide_competitor, first.id)
    await steps.run(review.rename_competitor, second.id, ["Initech Inc"])
    assert (await positions(steps, *everybody)) == {"hooli": 3, "initech": 2, "globex": 1}
    await steps.run(review.unhide_competitor, first.id)
    assert (await positions(steps, "globex.com", "other.com")) == {"globex": 1, "other": 4}


async def test_competitors_of_another_domain_do_not_count(installation):
    steps, other = await CompetitorSteps.open(installation), await CompetitorSteps.open(installation)
    await other.add("globex.com")
    assert await positions(steps, "initech.com", "globex.com") == {"initech": 1, "globex": 2}

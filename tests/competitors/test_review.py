"""People's say on competitors: adding, confirming, dismissing, hiding, naming."""

import pytest

from sightline.competitors import review
from sightline.competitors.states import TRANSITIONS
from sightline.domains.tracking.change import BrandChanges, change_tracked_domain
from sightline.errors import Problem
from sightline.kit.ids import new_id
from tests.competitors.competitor_steps import CompetitorSteps


def fault(refused) -> tuple[str, str, str]:
    problem = refused.value
    (error,) = problem.members["errors"]
    return problem.code, error["field"], error["code"]


async def test_an_added_competitor_is_confirmed_with_its_cleaned_domain_and_names(steps):
    row = await steps.add("https://WWW.Globex.com/about", " Globex ", "GLOBEX", "Globex\tCorp")
    assert (row.competitor_domain, row.status, row.discovery_source) == ("globex.com", "confirmed", "added_by_you")
    assert row.names == ["Globex", "Globex Corp"]
    assert (row.display_name, row.found_as, row.score) == (None, None, None)
    assert row.discovered_at == row.last_updated == steps.installation.clock()
    assert await steps.confirmed() == ["globex.com"]
    assert await steps.count() == 1


@pytest.mark.parametrize("domain", ["acme.com", "shop.acme.com", "acme.io", "https://blog.acme.io/x"])
async def test_the_own_domain_is_refused(steps, domain):
    await steps.run(change_tracked_domain, BrandChanges(owned_domains=["acme.io"]))
    with pytest.raises(Problem) as refused:
        await steps.add(domain)
    assert fault(refused) == ("validation_failed", "domain", "own_domain")
    assert await steps.list_all() == []


@pytest.mark.parametrize("domain", ["", "globex", "10.0.0.1", "globex.local", "globex.example", "com"])
async def test_what_is_no_domain_is_refused(steps, domain):
    with pytest.raises(Problem) as refused:
        await steps.add(domain)
    assert fault(refused) == ("validation_failed", "domain", "invalid_domain")


@pytest.mark.parametrize("name", ["", "  ", "\x00", "x" * 201, "—", "\ud800"])
async def test_what_cannot_be_a_name_is_refused(steps, name):
    with pytest.raises(Problem) as refused:
        await steps.add("globex.com", "Globex", name)
    assert fault(refused) == ("validation_failed", "names[1]", "invalid")
    with pytest.raises(Problem) as refused:
        await steps.add("globex.com", *(f"Name {n}" for n in range(51)))
    assert fault(refused) == ("validation_failed", "names", "too_many")


@pytest.mark.parametrize("before", ["suggested", "dismissed", "hidden"])
async def test_adding_an_existing_one_confirms_the_same_record(steps, before):
    (row,) = await steps.suggest(("Globex", "globex.com", 7.0))
    if before == "dismissed":
        await steps.run(review.dismiss_competitor, row.id)
    if before == "hidden":
        await steps.run(review.confirm_competitor, row.id)
        await steps.run(review.hide_competitor, row.id)
    assert await steps.count() == 0
    added = await steps.add("globex.com", "Globex Corp")
    assert (added.id, added.status, added.discovery_source) == (row.id, "confirmed", "detected")
    assert added.discovered_at == row.discovered_at
    assert added.last_updated == steps.installation.clock()
    assert added.names[0] == "Globex Corp"
    assert await steps.count() == 1


async def test_adding_one_that_is_confirmed_changes_nothing_but_its_names(steps):
    first = await steps.add("globex.com", "Globex")
    assert await steps.add("www.globex.com", " Globex") == first
    named = await steps.add("globex.com", "Globex Corp")
    assert (named.id, named.names) == (first.id, ["Globex Corp", "Globex"])
    assert named.last_updated > first.last_updated
    assert await steps.count() == 1


async def test_a_suggestion_is_confirmed_under_the_name_by_which_it_was_found(steps):
    (row,) = await steps.suggest(("Globex", "globex.com", 7.0))
    assert await steps.confirmed() == []
    confirmed = await steps.run(review.confirm_competitor, row.id)
    assert (confirmed.status, confirmed.names, confirmed.discovery_source) == ("confirmed", ["Globex"], "detected")
    assert confirmed.last_updated == steps.installation.clock()
    assert await steps.run(review.confirm_competitor, row.id) == confirmed, "asking twice does it once"
    assert await steps.count() == 1


async def test_one_that_was_found_by_name_alone_needs_a_domain_given(steps):
    (row,) = await steps.suggest(("Globex", None, 7.0))
    with pytest.raises(Problem) as refused:
        await steps.run(review.confirm_competitor, row.id)
    assert fault(refused) == ("validation_failed", "domain", "required")
    with pytest.raises(Problem) as refused:
        await steps.run(review.confirm_competitor, row.id, domain="acme.com")
    assert fault(refused) == ("validation_failed", "domain", "own_domain")
    confirmed = await steps.run(review.confirm_competitor, row.id, domain="www.globex.com")
    assert (confirmed.id, confirmed.competitor_domain, confirmed.names) == (row.id, "globex.com", ["Globex"])
    assert await steps.count() == 1


@pytest.mark.parametrize("before", ["suggested", "confirmed", "dismissed"])
async def test_a_name_whose_domain_is_on_record_becomes_one_with_that_record(steps, before):
    await steps.suggest(("Globex Corporation", "globex.com", 3.0), ("Globex", None, 7.0))
    by_domain, by_name = sorted(await steps.list_all(), key=lambda row: row.competitor_domain is None)
    if before == "confirmed":
        await steps.run(review.confirm_competitor, by_domain.id)
    if before == "dismissed":
        await steps.run(review.dismiss_competitor, by_domain.id)
    confirmed = await steps.run(review.confirm_competitor, by_name.id, domain="globex.com")
    assert (confirmed.id, confirmed.status, confirmed.names[0]) == (by_domain.id, "confirmed", "Globex")
    assert [row.id for row in await steps.list_all()] == [by_domain.id]
    assert await steps.count() == 1


async def test_another_domain_than_the_known_one_is_refused(steps):
    (row,) = await steps.suggest(("Globex", "globex.com", 7.0))
    with pytest.raises(Problem) as refused:
        await steps.run(review.confirm_competitor, row.id, domain="globex.io")
    assert fault(refused) == ("validation_failed", "domain", "other_domain")
    assert (await steps.run(review.confirm_competitor, row.id, domain="WWW.globex.com")).status == "confirmed"


async def test_dismissed_and_hidden_ones_are_not_listed_and_not_counted(steps):
    gone, away, kept = [await steps.add(domain) for domain in ("one.com", "two.com", "three.com")]
    assert (await steps.run(review.dismiss_competitor, gone.id)).status == "dismissed"
    assert (await steps.run(review.hide_competitor, away.id)).status == "hidden"
    assert await steps.confirmed() == ["three.com"]
    assert await steps.count() == 1
    again = await steps.run(review.unhide_competitor, away.id)
    assert again.last_updated == steps.installation.clock()
    assert await steps.confirmed() == ["two.com", "three.com"], "most recently updated first"
    assert (await steps.count(), kept.status) == (2, "confirmed")


@pytest.mark.parametrize(
    ("status", "step"),
    [
        ("dismissed", "confirm"), ("hidden", "confirm"), ("hidden", "dismiss"), ("suggested", "hide"),
        ("dismissed", "hide"), ("suggested", "unhide"), ("dismissed", "unhide"),
    ],
)  # fmt: skip
async def test_a_step_that_leads_nowhere_from_here_is_refused(steps, status, step):
    (row,) = await steps.suggest(("Globex", "globex.com", 7.0))
    query = "UPDATE competitors SET status = $1 RETURNING to_jsonb(competitors)"
    before = await steps.installation.db.fetchval(query, status)
    with pytest.raises(Problem) as refused:
        await steps.run(getattr(review, f"{step}_competitor"), row.id)
    assert fault(refused) == ("validation_failed", "competitor_id", "state")
    assert await steps.installation.db.fetchval("SELECT to_jsonb(c) FROM competitors c") == before


def test_the_ways_are_those_of_the_plan():
    assert {(source, way.target) for move, way in TRANSITIONS.items() if move != "add" for source in way.sources} == {
        ("suggested", "confirmed"),
        ("suggested", "dismissed"),
        ("confirmed", "dismissed"),
        ("confirmed", "hidden"),
        ("hidden", "confirmed"),
    }
    assert TRANSITIONS["add"].sources == {"suggested", "dismissed", "hidden"}


async def test_at_most_20_are_confirmed_per_domain(steps):
    rows = [await steps.add(f"rival-{n}.com") for n in range(20)]
    (found,) = [row for row in await steps.suggest(("Globex", "globex.com", 7.0)) if row.status == "suggested"]
    for step in (
        steps.add("one-more.com"),
        steps.run(review.confirm_competitor, found.id),
    ):
        with pytest.raises(Problem) as refused:
            await step
        assert fault(refused) == ("validation_failed", "domain", "limit")
    await steps.run(review.hide_competitor, rows[0].id)
    await steps.run(review.confirm_competitor, found.id)
    with pytest.raises(Problem) as refused:
        await steps.run(review.unhide_competitor, rows[0].id)
    assert fault(refused) == ("validation_failed", "domain", "limit")
    assert (await steps.add("rival-1.com", "A name")).names == ["A name"], "it takes no new place"
    assert await steps.count() == 20


async def test_names_are_replaced(steps):
    row = await steps.add("globex.com", "Globex", "Globex Corp")
    renamed = await steps.run(review.rename_competitor, row.id, ["GBX", "Globex"])
    assert (renamed.names, renamed.last_updated) == (["GBX", "Globex"], steps.installation.clock())
    assert await steps.run(review.rename_competitor, row.id, ["GBX", " Globex"]) == renamed
    assert (await steps.run(review.rename_competitor, row.id, [])).names == []


async def test_one_that_became_the_brands_own_meanwhile_is_not_brought_back(steps):
    row = await steps.add("globex.com")
    await steps.run(review.hide_competitor, row.id)
    await steps.run(change_tracked_domain, BrandChanges(owned_domains=["globex.com"]))
    with pytest.raises(Problem) as refused:
        await steps.run(review.unhide_competitor, row.id)
    assert fault(refused) == ("validation_failed", "domain", "own_domain")


async def test_foreign_is_not_found(steps):
    row = await steps.add("globex.com")
    stranger = await CompetitorSteps.open(steps.installation)
    for competitor_id in (row.id, new_id(), None):
        for step in (review.confirm_competitor, review.dismiss_competitor, review.hide_competitor):
            with pytest.raises(Problem, match=r"^not_found"):
                await stranger.run(step, competitor_id)
        with pytest.raises(Problem, match=r"^not_found"):
            await stranger.run(review.rename_competitor, competitor_id, ["Mine"])
    stranger.domain = steps.domain
    with pytest.raises(Problem, match=r"^domain_not_found"):
        await stranger.add("initech.com")
    await steps.installation.db.execute("UPDATE domains SET status = 'removed', removed_at = now()")
    with pytest.raises(Problem, match=r"^domain_not_found"):
        await steps.run(review.dismiss_competitor, row.id)

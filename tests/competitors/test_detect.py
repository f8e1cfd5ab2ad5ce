"""What answers suggest: suggested, never tracked by itself, and never against what people have decided."""

import pytest

from sightline.competitors import review
from sightline.domains.tracking.change import BrandChanges, change_tracked_domain
from sightline.kit.ids import new_id


async def test_what_is_found_is_suggested_and_never_tracked_by_itself(steps):
    await steps.insert_scan()
    globex, initech = await steps.suggest(("Globex", "www.Globex.com", 49.8), ("Initech", None, 4.8))
    assert (globex.status, globex.discovery_source, globex.competitor_domain) == ("suggested", "detected", "globex.com")
    assert (globex.found_as, globex.names, globex.display_name, globex.score) == ("Globex", [], None, 49.8)
    assert globex.discovered_at == globex.last_updated == steps.installation.clock()
    assert (initech.competitor_domain, initech.found_as) == (None, "Initech")
    assert (await steps.confirmed(), await steps.count()) == ([], 0)
    assert (await steps.recomputations(), await steps.jobs("competitor.site")) == ([], [])


async def test_a_suggestion_changes_only_when_its_score_does(steps):
    (first,) = await steps.suggest(("Globex", "globex.com", 7.0))
    assert await steps.suggest(("GLOBEX", "globex.com", 7.0)) == [first]
    assert await steps.suggest() == [first]
    (second,) = await steps.suggest(("Globex", "globex.com", 8.5))
    assert (second.id, second.score, second.last_updated) == (first.id, 8.5, steps.installation.clock())
    assert second.discovered_at == first.discovered_at


@pytest.mark.parametrize("decision", ["confirm", "dismiss", "hide"])
@pytest.mark.parametrize(
    "found", [("Globex", "globex.com"), ("Globex", None), ("Globex", "globex.io"), ("GBX", "globex.com")]
)
async def test_what_people_have_decided_is_never_touched(steps, decision, found):
    (row,) = await steps.suggest(("Globex", "globex.com", 7.0))
    if decision == "hide":
        await steps.run(review.confirm_competitor, row.id)
    decided = await steps.run(getattr(review, f"{decision}_competitor"), row.id)
    assert await steps.suggest((*found, 99.0)) == [decided]


async def test_a_name_that_was_dismissed_alone_is_not_suggested_with_a_domain(steps):
    (row,) = await steps.suggest(("Globex", None, 7.0))
    dismissed = await steps.run(review.dismiss_competitor, row.id)
    assert await steps.suggest(("globex", "globex.com", 9.0)) == [dismissed]


async def test_what_was_decided_of_a_name_counts_more_than_a_suggestion_of_it(steps):
    await steps.suggest(("Globex", None, 7.0))
    added = await steps.add("globex.com", "Globex")
    await steps.run(review.dismiss_competitor, added.id)
    before = await steps.list_all()
    assert await steps.suggest(("Globex", None, 9.0)) == before


async def test_a_name_that_people_gave_or_a_site_declares_is_known(steps):
    await steps.add("globex.com", "GBX")
    await steps.installation.db.execute("UPDATE competitors SET display_name = 'Globex International'")
    rows = await steps.suggest(("gbx", None, 9.0), ("Globex  International", "globex.io", 8.0))
    assert [row.status for row in rows] == ["confirmed"]


async def test_a_name_that_later_comes_with_a_domain_is_one_row(steps):
    (alone,) = await steps.suggest(("Globex", None, 7.0))
    (merged,) = await steps.suggest(("Globex", "globex.com", 7.0))
    assert (merged.id, merged.competitor_domain, merged.discovered_at) == (alone.id, "globex.com", alone.discovered_at)
    assert merged.last_updated > alone.last_updated
    assert await steps.suggest(("Globex", None, 7.0)) == [merged], "the domain stays known"


async def test_a_name_and_a_domain_that_turn_out_to_be_one_become_one_row(steps):
    rows = await steps.suggest(("Globex Corporation", "globex.com", 3.0), ("Globex", None, 7.0))
    by_domain = next(row for row in rows if row.competitor_domain)
    (row,) = await steps.suggest(("Globex", "globex.com", 8.0))
    assert (row.id, row.score) == (by_domain.id, 8.0)


async def test_one_competitor_found_twice_in_one_check_is_one_row(steps):
    (row,) = await steps.suggest(("Globex", None, 7.0), ("globex", "globex.com", 3.0), ("GBX", "globex.com", 5.0))
    assert (row.found_as, row.competitor_domain, row.score) == ("Globex", "globex.com", 7.0)


async def test_the_brand_itself_is_left_out(steps):
    await steps.run(change_tracked_domain, BrandChanges(aliases=["Acme Anvils"], owned_domains=["anvils.io"]))
    found = [
        ("ACME", None),
        ("acme anvils", "other.com"),
        ("Shop", "shop.acme.com"),
        ("A", "acme.com"),
        ("B", "anvils.io"),
    ]
    assert await steps.suggest(*((*each, 9.0) for each in found)) == []


async def test_what_cannot_be_a_name_or_a_domain_is_left_out(steps):
    rows = await steps.suggest(("\x00", "a.com", 9.0), ("x" * 201, None, 9.0), ("Globex\x00", "10.0.0.1", 7.0))
    assert [(row.found_as, row.competitor_domain) for row in rows] == [("Globex", None)]


async def test_nothing_is_suggested_for_a_domain_that_is_gone(steps):
    await steps.installation.db.execute("UPDATE domains SET status = 'removed', removed_at = now()")
    assert await steps.suggest(("Globex", "globex.com", 7.0)) == []
    steps.domain = new_id()
    assert await steps.suggest(("Globex", "globex.com", 7.0)) == []

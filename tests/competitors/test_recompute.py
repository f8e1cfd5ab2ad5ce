"""What follows from a change: stored answers are read again, sites are read, and nothing happens twice."""

import asyncio

import pytest

from sightline.competitors import review
from sightline.domains.recomputations.request import request_recompute
from sightline.domains.tracking.change import BrandChanges, change_tracked_domain
from sightline.errors import Problem
from sightline.kit.ids import new_id


async def test_every_change_of_the_confirmed_set_or_its_names_wants_a_recomputation(steps):
    await steps.insert_scan()
    row = await steps.add("globex.com")
    assert await steps.recomputations() == [("competitors_changed", "waiting")]
    (job,) = await steps.jobs("domain.recompute")
    assert job == {
        "workspace_id": str(steps.workspace),
        "domain_id": str(steps.domain),
        "reason": "competitors_changed",
    }
    for step, given, reason in (
        (review.rename_competitor, [["Globex"]], "competitor_named"),
        (review.hide_competitor, [], "competitors_changed"),
        (review.unhide_competitor, [], "competitors_changed"),
        (review.dismiss_competitor, [], "competitors_changed"),
    ):
        await steps.forget_recomputations()
        await steps.run(step, row.id, *given)
        assert await steps.recomputations() == [(reason, "waiting")]
        assert len(await steps.jobs("domain.recompute")) == 1


async def test_what_changes_nothing_that_is_measured_wants_none(steps):
    await steps.insert_scan()
    row = await steps.add("globex.com", "Globex")
    (found,) = [row for row in await steps.suggest(("Initech", "initech.com", 7.0)) if row.status == "suggested"]
    await steps.forget_recomputations()
    await steps.add("globex.com", "Globex")
    await steps.run(review.rename_competitor, row.id, ["Globex"])
    await steps.run(review.rename_competitor, found.id, ["Initech Ltd"])
    await steps.run(review.dismiss_competitor, found.id)
    await steps.run(change_tracked_domain, BrandChanges(brand_name=" Acme ", aliases=[" "]))
    assert await steps.recomputations() == []
    assert await steps.jobs("domain.recompute") == []


@pytest.mark.parametrize("status", [None, "running", "failed", "cancelled"])
async def test_only_where_the_domain_has_a_completed_scan(steps, status):
    if status is not None:
        await steps.insert_scan(status)
    await steps.add("globex.com")
    assert await steps.recomputations() == []
    assert await steps.jobs("domain.recompute") == []


async def test_changes_before_the_work_begins_are_one_piece_of_work(steps):
    await steps.insert_scan()
    await steps.add("globex.com")
    await steps.add("initech.com")
    assert await steps.recomputations() == [("competitors_changed", "waiting")]
    assert len(await steps.jobs("domain.recompute")) == 1
    await steps.installation.db.execute("UPDATE recomputations SET status = 'running'")
    await steps.add("hooli.com")
    assert await steps.recomputations() == [("competitors_changed", "running"), ("competitors_changed", "waiting")]


async def test_a_recomputation_goes_with_its_cause(steps):
    await steps.insert_scan()

    async def add_and_fail():
        async with steps.installation.db.transaction() as tx:
            await review.add_competitor(tx, steps.workspace, steps.domain, "globex.com", now=steps.installation.clock())
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await add_and_fail()
    assert (await steps.recomputations(), await steps.jobs("domain.recompute"), await steps.count()) == ([], [], 0)
    assert await steps.jobs("competitor.site") == []


async def test_wanting_at_once_makes_one_row(steps):
    await steps.insert_scan()

    async def want():
        async with steps.installation.db.transaction() as tx:
            await request_recompute(tx, steps.workspace, steps.domain, "brand_changed", now=steps.installation.clock())

    await asyncio.gather(*(want() for _ in range(4)))
    assert await steps.recomputations() == [("brand_changed", "waiting")]
    assert len(await steps.jobs("domain.recompute")) == 1


async def test_the_site_is_read_of_whoever_is_confirmed_without_a_name_of_its_own(steps):
    (found,) = await steps.suggest(("Initech", "initech.com", 7.0))
    assert await steps.jobs("competitor.site") == []
    added = await steps.add("globex.com")
    await steps.run(review.confirm_competitor, found.id)
    wanted = [job["competitor_id"] for job in await steps.jobs("competitor.site")]
    assert wanted == [str(added.id), str(found.id)]
    await steps.installation.db.execute("UPDATE competitors SET display_name = 'Globex'")
    await steps.installation.db.execute("DELETE FROM jobs")
    await steps.run(review.hide_competitor, added.id)
    await steps.run(review.unhide_competitor, added.id)
    assert await steps.jobs("competitor.site") == []


# Two at once


async def test_two_confirms_at_once_are_one(steps):
    await steps.insert_scan()
    (row,) = await steps.suggest(("Globex", "globex.com", 7.0))
    done = await asyncio.gather(*(steps.run(review.confirm_competitor, row.id) for _ in range(4)))
    assert len({(each.status, each.last_updated) for each in done}) == 1
    assert (await steps.count(), await steps.confirmed()) == (1, ["globex.com"])
    assert len(await steps.recomputations()) == len(await steps.jobs("competitor.site")) == 1


async def test_adding_the_same_at_once_makes_one_record(steps):
    done = await asyncio.gather(*(steps.add("globex.com", f"Globex {n}") for n in range(4)))
    assert len({row.id for row in done}) == 1
    (row,) = await steps.list_all()
    assert set(row.names) == {f"Globex {n}" for n in range(4)}
    assert await steps.count() == 1


async def test_adding_while_somebody_dismisses_ends_in_one_of_the_two_orders(steps):
    (row,) = await steps.suggest(("Globex", "globex.com", 7.0))
    added, dismissed = await asyncio.gather(
        steps.add("globex.com"), steps.run(review.dismiss_competitor, row.id), return_exceptions=True
    )
    assert not isinstance(added, Exception) and not isinstance(dismissed, Exception)
    (now,) = await steps.list_all()
    assert now.status in {"confirmed", "dismissed"}
    assert await steps.count() == (now.status == "confirmed")


async def test_the_limit_holds_for_many_at_once(steps):
    for n in range(18):
        await steps.add(f"rival-{n}.com")
    done = await asyncio.gather(*(steps.add(f"late-{n}.com") for n in range(5)), return_exceptions=True)
    assert sum(isinstance(each, Problem) for each in done) == 3
    assert await steps.count() == len(await steps.confirmed()) == 20


async def test_suggesting_while_somebody_adds_makes_one_record(steps):
    await asyncio.gather(steps.suggest(("Globex", "globex.com", 7.0)), steps.add("globex.com"))
    (row,) = await steps.list_all()
    assert row.status == "confirmed"


async def test_owning_and_adding_a_domain_at_once_never_both(steps):
    done = await asyncio.gather(
        steps.run(change_tracked_domain, BrandChanges(owned_domains=["globex.com"])),
        steps.add("globex.com"),
        return_exceptions=True,
    )
    assert sum(isinstance(each, Problem) for each in done) == 1


# The brand's details


async def test_brand_details_change_cleaned_and_are_read_again(steps):
    await steps.insert_scan()
    changes = BrandChanges(brand_name=" Acme Corp ", aliases=["Acme", "ACME", ""], owned_domains=["https://Acme.io/"])
    changed = await steps.run(change_tracked_domain, changes)
    assert (changed.brand_name, changed.aliases, changed.owned_domains) == ("Acme Corp", ["Acme"], ["acme.io"])
    assert await steps.recomputations() == [("brand_changed", "waiting")]
    kept = await steps.run(change_tracked_domain, BrandChanges(aliases=[]))
    assert (kept.brand_name, kept.aliases, kept.owned_domains) == ("Acme Corp", [], ["acme.io"])
    query = "SELECT brand_name, aliases, owned_domains FROM domains WHERE id = $1"
    assert tuple(await steps.installation.db.fetchrow(query, steps.domain)) == ("Acme Corp", [], ["acme.io"])


async def test_brand_details_that_are_not_valid_are_refused(steps):
    await steps.add("eu.globex.com")
    for changes, field, code in (
        (BrandChanges(brand_name=" "), "brand_name", "required"),
        (BrandChanges(owned_domains=["acme.io", "nonsense"]), "owned_domains[1]", "invalid_domain"),
        (BrandChanges(owned_domains=["acme.io", "globex.com"]), "owned_domains[1]", "competitor"),
    ):
        with pytest.raises(Problem) as refused:
            await steps.run(change_tracked_domain, changes)
        (error,) = refused.value.members["errors"]
        assert (refused.value.code, error["field"], error["code"]) == ("validation_failed", field, code)
    steps.domain = new_id()
    with pytest.raises(Problem, match=r"^domain_not_found"):
        await steps.run(change_tracked_domain, BrandChanges(brand_name="X"))

"""What follows from a change: stored answers are read again, sites are read, and nothing happens twice."""

import asyncio

import pytest

from sightline.competitors import review
from sightline.domains.recomputations.request import request_recompute
from sightline.domains.tracking.change import BrandChanges, change_tracked_domain
from sightline.errors import Problem
from sightline.kit.ids import new_id


async def test_every_change_of_the_confirmed_set_or_its_names_wants_a_recomputation(market):
    await market.check()
    row = await market.add("globex.com")
    assert await market.recomputations() == [("competitors_changed", "waiting")]
    (job,) = await market.jobs("domain.recompute")
    assert job == {
        "workspace_id": str(market.workspace),
        "domain_id": str(market.domain),
        "reason": "competitors_changed",
    }
    for step, given, reason in (
        (review.rename_competitor, [["Globex"]], "competitor_named"),
        (review.hide_competitor, [], "competitors_changed"),
        (review.unhide_competitor, [], "competitors_changed"),
        (review.dismiss_competitor, [], "competitors_changed"),
    ):
        await market.forget_recomputations()
        await market.do(step, row.id, *given)
        assert await market.recomputations() == [(reason, "waiting")]
        assert len(await market.jobs("domain.recompute")) == 1


async def test_what_changes_nothing_that_is_measured_wants_none(market):
    await market.check()
    row = await market.add("globex.com", "Globex")
    (found,) = [row for row in await market.suggest(("Initech", "initech.com", 7.0)) if row.status == "suggested"]
    await market.forget_recomputations()
    await market.add("globex.com", "Globex")
    await market.do(review.rename_competitor, row.id, ["Globex"])
    await market.do(review.rename_competitor, found.id, ["Initech Ltd"])
    await market.do(review.dismiss_competitor, found.id)
    await market.do(change_tracked_domain, BrandChanges(brand_name=" Acme ", aliases=[" "]))
    assert await market.recomputations() == []
    assert await market.jobs("domain.recompute") == []


@pytest.mark.parametrize("status", [None, "running", "failed", "cancelled"])
async def test_only_where_the_domain_has_a_completed_scan(market, status):
    if status is not None:
        await market.check(status)
    await market.add("globex.com")
    assert await market.recomputations() == []
    assert await market.jobs("domain.recompute") == []


async def test_changes_before_the_work_begins_are_one_piece_of_work(market):
    await market.check()
    await market.add("globex.com")
    await market.add("initech.com")
    assert await market.recomputations() == [("competitors_changed", "waiting")]
    assert len(await market.jobs("domain.recompute")) == 1
    await market.installation.db.execute("UPDATE recomputations SET status = 'running'")
    await market.add("hooli.com")
    assert await market.recomputations() == [("competitors_changed", "running"), ("competitors_changed", "waiting")]


async def test_a_recomputation_goes_with_its_cause(market):
    await market.check()

    async def add_and_fail():
        async with market.installation.db.transaction() as tx:
            await review.add_competitor(
                tx, market.workspace, market.domain, "globex.com", now=market.installation.clock()
            )
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await add_and_fail()
    assert (await market.recomputations(), await market.jobs("domain.recompute"), await market.count()) == ([], [], 0)
    assert await market.jobs("competitor.site") == []


async def test_wanting_at_once_makes_one_row(market):
    await market.check()

    async def want():
        async with market.installation.db.transaction() as tx:
            await request_recompute(
                tx, market.workspace, market.domain, "brand_changed", now=market.installation.clock()
            )

    await asyncio.gather(*(want() for _ in range(4)))
    assert await market.recomputations() == [("brand_changed", "waiting")]
    assert len(await market.jobs("domain.recompute")) == 1


async def test_the_site_is_read_of_whoever_is_confirmed_without_a_name_of_its_own(market):
    (found,) = await market.suggest(("Initech", "initech.com", 7.0))
    assert await market.jobs("competitor.site") == []
    added = await market.add("globex.com")
    await market.do(review.confirm_competitor, found.id)
    wanted = [job["competitor_id"] for job in await market.jobs("competitor.site")]
    assert wanted == [str(added.id), str(found.id)]
    await market.installation.db.execute("UPDATE competitors SET display_name = 'Globex'")
    await market.installation.db.execute("DELETE FROM jobs.pgqueuer")
    await market.do(review.hide_competitor, added.id)
    await market.do(review.unhide_competitor, added.id)
    assert await market.jobs("competitor.site") == []


# Two at once


async def test_two_confirms_at_once_are_one(market):
    await market.check()
    (row,) = await market.suggest(("Globex", "globex.com", 7.0))
    done = await asyncio.gather(*(market.do(review.confirm_competitor, row.id) for _ in range(4)))
    assert len({(each.status, each.last_updated) for each in done}) == 1
    assert (await market.count(), await market.confirmed()) == (1, ["globex.com"])
    assert len(await market.recomputations()) == len(await market.jobs("competitor.site")) == 1


async def test_adding_the_same_at_once_makes_one_record(market):
    done = await asyncio.gather(*(market.add("globex.com", f"Globex {n}") for n in range(4)))
    assert len({row.id for row in done}) == 1
    (row,) = await market.all()
    assert set(row.names) == {f"Globex {n}" for n in range(4)}
    assert await market.count() == 1


async def test_adding_while_somebody_dismisses_ends_in_one_of_the_two_orders(market):
    (row,) = await market.suggest(("Globex", "globex.com", 7.0))
    added, dismissed = await asyncio.gather(
        market.add("globex.com"), market.do(review.dismiss_competitor, row.id), return_exceptions=True
    )
    assert not isinstance(added, Exception) and not isinstance(dismissed, Exception)
    (now,) = await market.all()
    assert now.status in {"confirmed", "dismissed"}
    assert await market.count() == (now.status == "confirmed")


async def test_the_limit_holds_for_many_at_once(market):
    for n in range(18):
        await market.add(f"rival-{n}.com")
    done = await asyncio.gather(*(market.add(f"late-{n}.com") for n in range(5)), return_exceptions=True)
    assert sum(isinstance(each, Problem) for each in done) == 3
    assert await market.count() == len(await market.confirmed()) == 20


async def test_suggesting_while_somebody_adds_makes_one_record(market):
    await asyncio.gather(market.suggest(("Globex", "globex.com", 7.0)), market.add("globex.com"))
    (row,) = await market.all()
    assert row.status == "confirmed"


async def test_owning_and_adding_a_domain_at_once_never_both(market):
    done = await asyncio.gather(
        market.do(change_tracked_domain, BrandChanges(owned_domains=["globex.com"])),
        market.add("globex.com"),
        return_exceptions=True,
    )
    assert sum(isinstance(each, Problem) for each in done) == 1


# The brand's details


async def test_brand_details_change_cleaned_and_are_read_again(market):
    await market.check()
    changes = BrandChanges(brand_name=" Acme Corp ", aliases=["Acme", "ACME", ""], owned_domains=["https://Acme.io/"])
    changed = await market.do(change_tracked_domain, changes)
    assert (changed.brand_name, changed.aliases, changed.owned_domains) == ("Acme Corp", ["Acme"], ["acme.io"])
    assert await market.recomputations() == [("brand_changed", "waiting")]
    kept = await market.do(change_tracked_domain, BrandChanges(aliases=[]))
    assert (kept.brand_name, kept.aliases, kept.owned_domains) == ("Acme Corp", [], ["acme.io"])
    query = "SELECT brand_name, aliases, owned_domains FROM domains WHERE id = $1"
    assert tuple(await market.installation.db.fetchrow(query, market.domain)) == ("Acme Corp", [], ["acme.io"])


async def test_brand_details_that_are_not_valid_are_refused(market):
    await market.add("eu.globex.com")
    for changes, field, code in (
        (BrandChanges(brand_name=" "), "brand_name", "required"),
        (BrandChanges(owned_domains=["acme.io", "nonsense"]), "owned_domains[1]", "invalid_domain"),
        (BrandChanges(owned_domains=["acme.io", "globex.com"]), "owned_domains[1]", "competitor"),
    ):
        with pytest.raises(Problem) as refused:
            await market.do(change_tracked_domain, changes)
        (error,) = refused.value.members["errors"]
        assert (refused.value.code, error["field"], error["code"]) == ("validation_failed", field, code)
    market.domain = new_id()
    with pytest.raises(Problem, match=r"^domain_not_found"):
        await market.do(change_tracked_domain, BrandChanges(brand_name="X"))

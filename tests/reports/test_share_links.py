"""Links to one report: "token shown once, digest stored, revocable", with expiry after 1, 7 or 30 days."""

import hashlib
from datetime import timedelta

import pytest

from sightline.accounts.models import Actor, Role
from sightline.errors import Problem
from sightline.kit.ids import new_id
from sightline.plans.table import Plan
from sightline.reports.sharing import share_links
from sightline.reports.weekly.queries import find_report
from tests.reports.stored_reports import store_report


class Owner:
    """A member with a report to share."""

    def __init__(self, installation, tenant, domain_id, report_id) -> None:
        self.installation, self.domain_id, self.report_id = installation, domain_id, report_id
        self.actor = Actor("session", tenant.workspace.id, tenant.owner.id, Role.EDITOR, Plan.AGENCY, livemode=True)

    async def run(self, step, *arguments):
        async with self.installation.db.transaction() as tx:
            return await step(tx, self.actor, self.domain_id, *arguments, now=self.installation.clock())

    async def share(self, days=7):
        return await self.run(share_links.create_share_link, self.report_id, days)

    async def list_links(self):
        report = await find_report(self.installation.db, self.actor.workspace_id, self.domain_id, self.report_id)
        return [
            each.id
            for each in await share_links.list_share_links(self.installation.db, report, now=self.installation.clock())
        ]

    async def can_open(self, token):
        try:
            found = await share_links.open_share_link(self.installation.db, token, now=self.installation.clock())
        except Problem:
            return False
        return found.id == self.report_id


@pytest.fixture
async def owner(installation):
    return await open_owner(installation)


async def open_owner(installation):
    tenant = await installation.tenant()
    domain_id = await installation.tracked_domain(tenant)
    return Owner(installation, tenant, domain_id, await store_report(installation, tenant.workspace.id, domain_id))


@pytest.mark.parametrize("days", share_links.LIFETIMES_DAYS)
async def test_a_link_opens_the_report_until_it_expires(installation, owner, days):
    made = await owner.share(days)
    assert made.link.expires_at == installation.clock() + timedelta(days=days)
    installation.clock.advance(days=days, seconds=-1)
    assert await owner.can_open(made.token) and await owner.list_links() == [made.link.id]
    installation.clock.advance(seconds=1)
    assert not await owner.can_open(made.token) and await owner.list_links() == []


async def test_only_the_digest_of_the_token_is_stored(installation, owner):
    made = await owner.share()
    row = await installation.db.fetchrow("SELECT * FROM report_shares")
    assert row["digest"] == hashlib.sha256(made.token.encode()).digest()
    assert len(made.token) >= 43 and made.token not in str(dict(row))


async def test_a_revoked_link_opens_nothing_and_others_stay_open(installation, owner):
    first, second = await owner.share(), await owner.share()
    for _ in range(2):
        await owner.run(share_links.revoke_share_link, owner.report_id, first.link.id)
    assert [await owner.can_open(made.token) for made in (first, second)] == [False, True]
    assert await owner.list_links() == [second.link.id]


async def test_an_unknown_token_or_an_untracked_domain_opens_nothing(installation, owner):
    made = await owner.share()
    for token in ("", "x", made.token[:-1], made.token + "A", "ü" * 43, "x" * 5000):
        assert not await owner.can_open(token)
    await installation.db.execute("UPDATE domains SET status = 'removed', removed_at = now()")
    assert not await owner.can_open(made.token)


@pytest.mark.parametrize("days", [0, 2, 31, -1, 10**9])
async def test_any_other_lifetime_is_refused(installation, owner, days):
    with pytest.raises(Problem, match="validation_failed"):
        await owner.share(days)
    assert await owner.list_links() == []


async def test_a_report_has_twenty_open_links_at_most(installation, owner):
    made = [await owner.share() for _ in range(20)]
    with pytest.raises(Problem, match="validation_failed"):
        await owner.share()
    await owner.run(share_links.revoke_share_link, owner.report_id, made[0].link.id)
    assert await owner.share()


async def test_reports_and_links_of_another_workspace_are_not_found(installation, owner):
    other = await open_owner(installation)
    made = await owner.share()
    for report_id in (owner.report_id, new_id(), None):
        with pytest.raises(Problem, match="not_found"):
            await other.run(share_links.create_share_link, report_id, 7)
        with pytest.raises(Problem, match="not_found"):
            await other.run(share_links.revoke_share_link, report_id, made.link.id)
    with pytest.raises(Problem, match="not_found"):
        await other.run(share_links.revoke_share_link, other.report_id, made.link.id)
    assert await owner.can_open(made.token) and not await other.can_open(made.token)

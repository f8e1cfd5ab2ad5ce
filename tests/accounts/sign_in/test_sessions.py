"""Sessions and passwords under concurrent changes."""

import asyncio

import pytest

from sightline.accounts.sign_in import sessions
from sightline.accounts.sign_in.models import Browser
from sightline.errors import Problem
from tests.installation import PASSWORD, PASSWORD_HASH

BROWSER = Browser("203.0.113.7")
WAITS = """SELECT EXISTS (SELECT FROM pg_stat_activity
                          WHERE datname = current_database() AND wait_event_type = 'Lock')"""


async def test_a_password_that_is_being_changed_cannot_sign_in(installation):
    user, settings = (await installation.tenant()).owner, installation.app_context.settings
    async with installation.db.transaction() as tx:
        await sessions.change_password(tx, user.id, PASSWORD_HASH + "=")
        signing_in = asyncio.create_task(
            sessions.sign_in(installation.db, settings, user.email, PASSWORD, browser=BROWSER, now=installation.clock())
        )
        while not signing_in.done() and not await installation.db.fetchval(WAITS):
            await asyncio.sleep(0.02)
    with pytest.raises(Problem, match="sign_in_failed"):
        await signing_in
    assert await installation.db.fetchval("SELECT count(*) FROM sessions") == 0


async def test_of_two_concurrent_password_changes_one_succeeds_and_leaves_one_session(installation):
    user, settings = (await installation.tenant()).owner, installation.app_context.settings

    async def change(new: str):
        await sessions.change_own_password(
            installation.db, settings, user, PASSWORD, new, browser=BROWSER, now=installation.clock()
        )

    came = await asyncio.gather(change("one horse battery"), change("two horse battery"), return_exceptions=True)
    assert sorted(str(each)[:17] for each in came) == ["None", "validation_failed"]
    assert await installation.db.fetchval("SELECT count(*) FROM sessions") == 1

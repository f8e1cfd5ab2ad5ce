"""A domain of `sightline demo` on which a platform changes its surface: the Overview shows when."""

import html
from datetime import timedelta
from functools import partial

import pytest

from sightline.accounts.users import find_user
from sightline.credits.ledger import build_credit_rules
from sightline.onboarding.demo.build import build_demo, list_demo_domains
from sightline.onboarding.demo.history import build_demo_history
from sightline.onboarding.demo.replay import DemoReplay
from sightline.scoreboard.history.trend import list_surface_breaks, read_trend_points
from sightline.worker.follow_up import follow_up_in_process
from tests.web.page_browser import open_browser


@pytest.mark.timeout(300)
@pytest.mark.slow
async def test_the_demonstration_shows_a_change_of_surface(installation):
    db, settings, now = installation.db, installation.app_context.settings, installation.clock()
    built = await build_demo(db, base_url=settings.public_url, rules=build_credit_rules(settings), now=now)
    replay = DemoReplay.from_settings(settings, partial(follow_up_in_process, db, settings), now=now)
    (shown,) = [each for each in await list_demo_domains(db) if each.domain == "globex.com"]
    await build_demo_history(db, replay, [shown], weeks=2)
    points = await read_trend_points(db, shown.workspace_id, shown.domain_id, "sandbox", since=now - timedelta(weeks=9))
    (found,) = list_surface_breaks(points)
    assert (found.platform, found.before, found.now) == ("chatgpt", "api", "app")
    owner = await find_user(db, built.users["owner"].email)
    async with open_browser(installation, owner) as browser:
        page = html.unescape((await browser.get(f"/w/{shown.workspace_id}/d/{shown.domain_id}")).text)
    assert "because a platform was asked on another surface (ChatGPT: app instead of API)." in page
    assert "New surface" in page

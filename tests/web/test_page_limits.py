"""Pages are limited as the API is: requests of a user, and addresses that come with unknown sessions."""

from sightline.api.edge.browsers import SESSION_COOKIE
from tests.installation import Installation
from tests.web.page_browser import open_browser


async def test_a_user_has_one_limit_for_pages_and_for_the_api(database_url, tmp_path):
    async with Installation.open(database_url, tmp_path, session_rate_per_minute=5) as installation:
        tenant = await installation.tenant()
        async with open_browser(installation, tenant.owner) as browser:
            for _ in range(4):
                assert (await browser.get("/account")).status_code == 200
            assert (await browser.get("/api/v1/console/session")).status_code == 200
            refused = await browser.get("/account")
            assert (refused.status_code, refused.headers["retry-after"]) == (429, "50")
            assert "rate_limited" in refused.text
        other = await installation.tenant()
        async with open_browser(installation, other.owner) as browser:
            assert (await browser.get("/account")).status_code == 200
        installation.clock.advance(minutes=1)
        async with open_browser(installation, tenant.owner) as browser:
            assert (await browser.get("/account")).status_code == 200


async def test_an_address_with_sixty_unknown_sessions_is_turned_away_and_known_ones_are_not(installation):
    tenant = await installation.tenant()
    async with open_browser(installation, tenant.owner) as known, open_browser(installation) as stranger:
        assert (await known.get("/account")).status_code == 200
        for number in range(60):
            answer = await stranger.get("/account", headers={"Cookie": f"{SESSION_COOKIE}={number}"})
            assert answer.status_code == 303
        answer = await stranger.get("/account", headers={"Cookie": f"{SESSION_COOKIE}=more"})
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "50")
        assert (await known.get("/account")).status_code == 200
        assert (await stranger.get("/sign-in")).status_code == 200, "who has no session can still sign in"

"""The first run: a link, a form, an owner."""

import asyncio

import pytest

from sightline.accounts import passwords
from sightline.credits.ledger import build_credit_rules
from sightline.errors import Problem
from sightline.onboarding.bootstrap import FirstOwner, bootstrap, create_first_token, create_token
from sightline.onboarding.demo.build import build_demo
from tests.accounts.hashers import BlockingHasher, RecordingHasher
from tests.installation import PASSWORD
from tests.web.page_browser import open_browser


async def create_welcome_token(installation) -> str:
    async with installation.db.transaction() as tx:
        return await create_token(tx, now=installation.clock())


def owner(token: str, **more: str) -> dict[str, str]:
    given = {"name": "Ada", "email": "Ada@Acme.com", "password": PASSWORD, "workspace_name": "Acme"}
    return {"token": token, **given, **more}


async def test_the_link_creates_the_owner_signs_them_in_and_leads_to_set_up(installation):
    token = await create_welcome_token(installation)
    async with open_browser(installation) as browser:
        page = await browser.get(f"/welcome?token={token}")
        assert page.text.count(token) == 1 and 'method="post"' in page.text
        assert page.headers["cache-control"] == "no-store" and page.headers["referrer-policy"] == "same-origin"
        made = await browser.post("/welcome", data=owner(token))
        workspace = await installation.db.fetchval("SELECT id FROM workspaces")
        assert (made.status_code, made.headers["location"]) == (303, f"/w/{workspace}/new")
        assert "Your website" in (await browser.get(made.headers["location"])).text
        again = await browser.post("/welcome", data=owner(token))  # in a hurry
        assert (again.status_code, again.headers["location"]) == (303, f"/w/{workspace}")
    counts = "SELECT (SELECT count(*) FROM users), (SELECT count(*) FROM workspaces), (SELECT count(*) FROM api_keys)"
    assert tuple(await installation.db.fetchrow(counts)) == (1, 1, 0)


async def test_a_used_link_lets_nobody_in_without_the_password(installation):
    token = await create_welcome_token(installation)
    async with open_browser(installation) as browser:
        await browser.post("/welcome", data=owner(token))
    async with open_browser(installation) as stranger:
        for form, status in (
            (owner(token, password="a wrong password"), 401),
            (owner(token, email="eve@evil.com"), 401),
        ):
            refused = await stranger.post("/welcome", data=form)
            assert refused.status_code == status and "set-cookie" not in refused.headers
            assert "already set up" in refused.text
        page = await stranger.get(f"/welcome?token={token}")
        assert "already set up" in page.text and 'href="/sign-in"' in page.text and "<form" not in page.text
    assert await installation.db.fetchval("SELECT count(*) FROM users") == 1


async def test_a_second_owner_is_made_by_a_fresh_link_on_an_installation_that_has_one(installation):
    await installation.tenant()
    token = await create_welcome_token(installation)
    async with open_browser(installation) as browser:
        assert "already set up" in (await browser.get("/welcome")).text
        assert "Create account and workspace" in (await browser.get(f"/welcome?token={token}")).text
        assert (await browser.post("/welcome", data=owner(token))).status_code == 303


async def test_the_link_of_the_first_start_ends_when_an_owner_exists(installation):
    db, now = installation.db, installation.clock()
    token = await create_first_token(db, now=now)
    await build_demo(db, base_url="http://test", rules=build_credit_rules(installation.app_context.settings), now=now)
    async with open_browser(installation) as browser:
        assert "<form" in (await browser.get(f"/welcome?token={token}")).text, "a demonstration has no real owner"
        await installation.tenant()
        page = await browser.get(f"/welcome?token={token}")
        assert "This link no longer works." in page.text and "<form" not in page.text
        refused = await browser.post("/welcome", data=owner(token))
        assert refused.status_code == 401 and "set-cookie" not in refused.headers
    ada = FirstOwner(email="ada@acme.com", name="Ada", password_hash="x", workspace_name="Acme")
    async with db.transaction() as tx:  # as if the owner had been created between the two looks at the token
        with pytest.raises(Problem):
            await bootstrap(tx, token, ada, now=now, with_operator=True)


async def test_a_used_link_of_the_first_start_still_signs_its_owner_in(installation):
    token = await create_first_token(installation.db, now=installation.clock())
    async with open_browser(installation) as browser:
        for _ in range(2):
            assert (await browser.post("/welcome", data=owner(token))).status_code == 303
            await installation.tenant()


@pytest.mark.parametrize("token", ["", "bt_unknown", "'; rm -rf ~ '", '"><script>alert(1)</script>', "x" * 300])
async def test_a_link_that_does_not_work_shows_where_to_get_one_and_nothing_of_itself(installation, token):
    async with open_browser(installation) as browser:
        page = await browser.get("/welcome", params={"token": token})
        assert page.status_code == 200
        assert "sightline bootstrap-token" in page.text and "<form" not in page.text
        assert ("This link is incomplete or has expired." in page.text) == bool(token)
        assert "alert(1)" not in page.text and "rm -rf" not in page.text
        refused = await browser.post("/welcome", data=owner(token))
        assert refused.status_code == 401
    assert await installation.db.fetchval("SELECT count(*) FROM users") == 0


async def test_a_short_password_and_other_invalid_fields_are_refused(installation):
    token = await create_welcome_token(installation)
    async with open_browser(installation) as browser:
        for wrong, said in (
            ({"password": "short"}, "Use a password of 10 to 1,000 characters."),
            ({"email": "nobody"}, "Enter one e-mail address"),
            ({"workspace_name": " "}, "Enter a workspace name"),
            ({"name": ""}, "Enter a name of 1 to 200 characters."),
        ):
            page = await browser.post("/welcome", data=owner(token, **wrong))
            assert page.status_code == 422 and said in page.text
            assert PASSWORD not in page.text and "short" not in page.text
        crossed = {"Sec-Fetch-Site": "cross-site"}
        assert (await browser.post("/welcome", data=owner(token), headers=crossed)).status_code == 403
    assert await installation.db.fetchval("SELECT count(*) FROM users") == 0


async def test_wrong_links_are_hashed_never_and_counted_like_failed_sign_ins(installation, monkeypatch):
    token, hasher = await create_welcome_token(installation), RecordingHasher()
    # Whether and when a password is hashed cannot be seen from outside.
    monkeypatch.setattr(passwords, "hasher", hasher)
    async with open_browser(installation) as browser:
        for _ in range(20):
            assert (await browser.post("/welcome", data=owner("bt_wrong"))).status_code == 401
        refused = await browser.post("/welcome", data=owner(token))
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "2")
        assert hasher.hashed == []
        installation.clock.advance(minutes=1)
        assert (await browser.post("/welcome", data=owner(token))).status_code == 303
    assert hasher.hashed == [PASSWORD]


async def test_a_full_password_queue_asks_to_try_again(installation, monkeypatch):
    token, hasher = await create_welcome_token(installation), BlockingHasher()
    # Whether and when a password is hashed cannot be seen from outside.
    monkeypatch.setattr(passwords, "hasher", hasher)
    others = [asyncio.create_task(passwords.hash_password("x")) for _ in range(34)]
    async with open_browser(installation) as browser:
        for path, form in (("/welcome", owner(token)), ("/sign-in", {"email": "a@acme.com", "password": "x"})):
            refused = await browser.post(path, data=form)
            assert (refused.status_code, refused.headers["retry-after"]) == (429, "5")
            assert "Try again in " in refused.text
    hasher.finish.set()
    await asyncio.gather(*others)

"""Joining by a link: as who one is or as somebody new, once, and with nothing told to anybody else."""

import pytest

from sightline.accounts.models import Role
from tests.accounts.test_invitations import create_invitation, find_role
from tests.installation import PASSWORD
from tests.web.page_browser import open_browser


def person(token: str, email: str = "grace@acme.com") -> dict[str, str]:
    return {"token": token, "name": "Grace", "email": email, "password": PASSWORD}


async def test_somebody_new_creates_an_account_joins_and_is_signed_in(installation):
    tenant = await installation.tenant()
    _, token = await create_invitation(installation, tenant, email="grace@acme.com")
    async with open_browser(installation) as browser:
        page = await browser.get(f"/join?token={token}")
        assert page.status_code == 200 and 'value="grace@acme.com"' in page.text
        assert tenant.workspace.name in page.text and "<strong>Editor</strong>" in page.text
        assert page.headers["referrer-policy"] == "same-origin" and page.headers["cache-control"] == "no-store"
        weak = await browser.post("/join/new", data={**person(token), "password": "short"})
        assert weak.status_code == 422 and "short" not in weak.text and 'value="Grace"' in weak.text
        joined = await browser.post("/join/new", data=person(token))
        assert (joined.status_code, joined.headers["location"]) == (303, f"/w/{tenant.id}")
        assert (await browser.get(f"/w/{tenant.id}")).status_code == 200
    async with open_browser(installation) as again:  # the same form in a hurry
        twice = await again.post("/join/new", data=person(token))
        assert (twice.status_code, twice.headers["location"]) == (303, f"/w/{tenant.id}")
    assert await installation.db.fetchval("SELECT count(*) FROM users") == 2


async def test_who_has_an_account_signs_in_and_is_brought_back_to_join(installation):
    tenant, user = await installation.tenant(), await installation.user()
    _, token = await create_invitation(installation, tenant, role=Role.VIEWER)
    async with open_browser(installation) as browser:
        taken = await browser.post("/join/new", data=person(token, user.email))
        assert taken.status_code == 422 and "already has an account" in taken.text
        page = f"/join?token={token}"
        form = {"email": user.email, "password": PASSWORD, "next": page}
        assert (await browser.post("/sign-in", data=form)).headers["location"] == page
        assert f"Join as {user.email}" in (await browser.get(page)).text
        for _ in range(2):
            assert (await browser.post("/join", data={"token": token})).headers["location"] == f"/w/{tenant.id}"
        assert (await browser.get(page)).headers["location"] == f"/w/{tenant.id}"
    assert await find_role(installation, tenant, user) == (Role.VIEWER, False)


async def test_a_session_that_ended_meanwhile_does_not_lose_the_link(installation):
    tenant = await installation.tenant()
    _, token = await create_invitation(installation, tenant)
    async with open_browser(installation) as browser:
        asked = await browser.post("/join", data={"token": token})
        assert asked.headers["location"] == f"/sign-in?next=%2Fjoin%3Ftoken%3D{token}"


async def test_links_that_do_not_work_look_alike_and_tell_nothing(installation):
    tenant, user = await installation.tenant(), await installation.user()
    _, used = await create_invitation(installation, tenant, email="grace@acme.com")
    _, expired = await create_invitation(installation, tenant)
    async with open_browser(installation, user) as browser:
        await browser.post("/join", data={"token": used})
    installation.clock.advance(days=8)
    async with open_browser(installation) as stranger, open_browser(installation, await installation.user()) as other:
        for token in (used, expired, "in_nonsense", ""):
            for answer in (
                await stranger.get("/join", params={"token": token}),
                await other.post("/join", data={"token": token}),
                await stranger.post("/join/new", data=person(token, f"x{len(token)}@acme.com")),
            ):
                assert answer.status_code == 404 and "invitation_invalid" in answer.text
                assert tenant.workspace.name not in answer.text and "grace" not in answer.text
    assert await installation.db.fetchval("SELECT count(*) FROM users") == 3


@pytest.mark.parametrize("path", ["/join", "/join/new"])
async def test_a_form_of_another_site_does_nothing(installation, path):
    tenant, user = await installation.tenant(), await installation.user()
    _, token = await create_invitation(installation, tenant)
    async with open_browser(installation, user) as browser:
        refused = await browser.post(path, data=person(token), headers={"Sec-Fetch-Site": "cross-site"})
        assert refused.status_code == 403
    assert await installation.db.fetchval("SELECT count(*) FROM members") == 1


async def test_asking_which_addresses_have_an_account_is_throttled(installation):
    tenant = await installation.tenant()
    _, token = await create_invitation(installation, tenant)
    async with open_browser(installation) as browser:
        form = {**person(token, tenant.owner.email), "password": "short"}
        answers = [(await browser.post("/join/new", data=form)).status_code for _ in range(6)]
    assert answers == [422] * 5 + [429]

"""The page of members: everybody looks, admins and owners act, and the link of an invitation is shown once."""

import re

import pytest

from sightline.accounts.models import Role
from sightline.kit.ids import new_id
from tests.installation import Installation
from tests.web.page_browser import open_browser


def invitation(**more: str) -> dict[str, str]:
    return {"token": str(new_id()), "role": "editor", **more}


async def test_a_viewer_sees_the_members_and_no_action_but_leaving(installation):
    tenant = await installation.tenant()
    viewer = await installation.member(tenant, Role.VIEWER)
    async with open_browser(installation, viewer) as browser:
        page = (await browser.get(f"/w/{tenant.id}/members")).text
        assert tenant.owner.email in page and "Your role is Viewer." in page
        actions = re.findall(r'action="([^"]+)"', page)
        assert [each for each in actions if "/members" in each] == [f"/w/{tenant.id}/members/leave"]


@pytest.mark.parametrize("role", [Role.VIEWER, Role.EDITOR])
async def test_who_may_not_act_is_told_which_role_it_takes_in_plain_words(installation, role):
    tenant = await installation.tenant()
    person = await installation.member(tenant, role)
    async with open_browser(installation, person) as browser:
        for path in ("invitations", f"{person.id}/change", f"{tenant.owner.id}/remove", f"{person.id}/payer"):
            answer = await browser.post(f"/w/{tenant.id}/members/{path}", data=invitation(role="owner"))
            assert answer.status_code == 403
            assert "This needs the role " in answer.text and "key" not in answer.text.partition("Error code")[0]
    assert await installation.db.fetchval("SELECT count(*) FROM invitations") == 0


async def test_the_link_is_shown_once_and_the_same_form_makes_one_invitation(installation):
    tenant = await installation.tenant()
    path, form = f"/w/{tenant.id}/members/invitations", invitation(email="Grace@Acme.com")
    async with open_browser(installation, tenant.owner) as browser:
        made = await browser.post(path, data=form)
        (link,) = re.findall(r"http://test/join\?token=(in_[\w-]+)", made.text)
        again = await browser.post(path, data=form)
        assert again.headers["location"].endswith("/members?done=invited_before")
        page = (await browser.get(again.headers["location"])).text
        assert "grace@acme.com" in page and link not in page and "You have already sent this form." in page
        assert await installation.db.fetchval("SELECT count(*) FROM invitations") == 1
        (revoke,) = re.findall(r'action="([^"]+/revoke)"', page)
        assert (await browser.post(revoke)).headers["location"].endswith("?done=revoked")
        assert (await browser.get(f"/join?token={link}")).status_code == 404
        assert (await browser.post(path, data=invitation(role="owner"))).status_code == 422
        assert (await browser.post(path, data=invitation(role="emperor"))).status_code == 422


async def test_an_admin_changes_roles_below_and_hears_why_not_above(installation):
    tenant = await installation.tenant()
    admin, editor = (
        await installation.member(tenant, Role.ADMIN),
        await installation.member(tenant, Role.EDITOR, billing=True),
    )
    members = f"/w/{tenant.id}/members"
    async with open_browser(installation, admin) as browser:
        page = (await browser.get(members)).text
        assert f"/{editor.id}/change" in page and f"/{tenant.owner.id}/change" not in page
        assert 'name="billing"' not in page  # which an admin without it cannot grant
        changed = await browser.post(f"{members}/{editor.id}/change", data={"role": "viewer"})
        assert changed.headers["location"].endswith("?done=changed")
        row = await installation.db.fetchrow("SELECT role, billing FROM members WHERE user_id = $1", editor.id)
        assert tuple(row) == ("viewer", True)
        for them, given in ((tenant.owner.id, "viewer"), (editor.id, "owner")):
            refused = await browser.post(f"{members}/{them}/change", data={"role": given})
            assert refused.status_code == 403 and 'role="alert"' in refused.text
        removed = await browser.post(f"{members}/{editor.id}/remove")
        assert removed.headers["location"].endswith("?done=removed")
        assert (await browser.post(f"{members}/{editor.id}/remove")).status_code == 404
        assert (await browser.post(f"{members}/leave")).headers["location"] == "/"
        assert (await browser.get(members)).status_code == 404


async def test_the_last_owner_hears_that_they_stay(installation):
    tenant = await installation.tenant()
    members = f"/w/{tenant.id}/members"
    async with open_browser(installation, tenant.owner) as browser:
        refused = await browser.post(f"{members}/{tenant.owner.id}/change", data={"role": "admin"})
        assert refused.status_code == 409 and "A workspace needs an owner" in refused.text
        refused = await browser.post(f"{members}/leave")
        assert refused.status_code == 409 and "pays for the workspace" in refused.text


async def test_foreign_ids_are_not_there_and_forms_of_another_site_do_nothing(installation):
    mine, theirs = await installation.tenant(), await installation.tenant()
    member = await installation.member(theirs, Role.EDITOR)
    paths = ("invitations", f"invitations/{new_id()}/revoke", f"{member.id}/change", f"{member.id}/remove", "leave")
    async with open_browser(installation, mine.owner) as browser:
        for path in paths:
            form = invitation(role="viewer")
            assert (await browser.post(f"/w/{theirs.id}/members/{path}", data=form)).status_code == 404
            crossed = {"Sec-Fetch-Site": "cross-site"}
            assert (await browser.post(f"/w/{mine.id}/members/{path}", data=form, headers=crossed)).status_code == 403
        for path in paths[1:-1]:
            answer = await browser.post(f"/w/{mine.id}/members/{path}", data={"role": "viewer"})
            assert answer.status_code == 404 and member.email not in answer.text
        assert (await browser.get(f"/w/{theirs.id}/members")).status_code == 404
    assert await installation.db.fetchval("SELECT count(*) FROM members") == 3


async def test_a_mail_server_that_is_away_is_told_and_the_link_is_shown_all_the_same(database_url, tmp_path):
    async with Installation.open(database_url, tmp_path, smtp_url="smtp://127.0.0.1:9") as installation:
        tenant = await installation.tenant()
        async with open_browser(installation, tenant.owner) as browser:
            page = await browser.post(f"/w/{tenant.id}/members/invitations", data=invitation(email="grace@acme.com"))
            assert page.status_code == 200
            assert "The e-mail could not be sent" in page.text and "/join?token=in_" in page.text
    assert not (tmp_path / "data" / "mail").exists()

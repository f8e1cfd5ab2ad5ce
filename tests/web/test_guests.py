"""Guests of a client: they see and change its domains, and nothing else of the workspace, on any page or API."""

import re
import uuid

import pytest

from sightline.accounts.members import end_membership
from sightline.accounts.models import Role, build_operator_actor
from sightline.accounts.queries import list_memberships
from sightline.api.app import OPERATIONS
from sightline.clients.manage import remove_client
from sightline.web.app import PAGES
from tests.web.form_catalog import FORMS
from tests.web.page_browser import open_browser
from tests.web.populated_tenant import populate_tenant
from tests.web.test_every_form import digest_tables
from tests.web.test_every_page import list_urls


def is_of_workspace(url: str) -> bool:
    return url.startswith("/w/")


async def test_a_guest_of_another_client_reaches_no_page_and_no_form_of_a_domain(installation, client):
    mine, ids = await populate_tenant(installation, client)
    elsewhere = await installation.tracked_domain(mine, "elsewhere.com")
    guest, _ = await installation.guest(mine, Role.EDITOR, elsewhere)
    async with open_browser(installation, guest) as browser:
        before = await digest_tables(installation)
        for url in filter(is_of_workspace, list_urls(ids)):
            if url.partition("?")[0] in {f"/w/{mine.id}", f"/w/{mine.id}/jump"}:
                continue
            shown = await browser.get(url)
            assert shown.status_code in {403, 404}, (url, shown.status_code)
        for form in FORMS:
            if is_of_workspace(form.path):
                sent = await browser.post(form.url(ids), data=form.body(ids))
                assert sent.status_code in {403, 404}, (form.path, sent.status_code)
        assert await digest_tables(installation) == before
        home = (await browser.get(f"/w/{mine.id}")).text
        assert "elsewhere.com" in home and ids["domain"] not in home
        found = (await browser.get(f"/w/{mine.id}/jump?q=anvil")).text
        assert "which anvil" not in found and f"/w/{mine.id}/members" not in found
        for domain in (ids["domain"], elsewhere):
            jumped = await browser.get(f"/w/{mine.id}/jump?domain={domain}")
            assert (jumped.status_code == 200) == (domain == elsewhere)


@pytest.mark.parametrize("role", [Role.VIEWER, Role.EDITOR])
async def test_a_guest_has_their_role_for_the_domains_of_their_client(installation, client, role):
    mine, ids = await populate_tenant(installation, client)
    guest, _ = await installation.guest(mine, role, ids["domain"])
    async with open_browser(installation, guest) as browser:
        for url in list_urls(ids):
            shown = await browser.get(url)
            if url.startswith(f"/w/{mine.id}/d/"):
                is_refused = "/share" in url or (role is Role.VIEWER and url.endswith("/import"))
                assert shown.status_code == 403 if is_refused else shown.status_code in {200, 303}, url
                assert f"/w/{mine.id}/members" not in shown.text and f"/w/{mine.id}/console" not in shown.text, url
        assert (await browser.get(f"/w/{mine.id}/d/{ids['domain']}")).status_code == 200
        for form in filter(lambda each: is_of_workspace(each.path), FORMS):
            sent = await browser.post(form.url(ids), data=form.body(ids))
            if not form.path.startswith("/w/{workspace}/d/"):
                assert sent.status_code in {403, 404}, form.path
            elif form.path.endswith("/settings/emails") or "/share" in form.path:  # for members only
                assert sent.status_code == 403, form.path
            else:
                assert sent.status_code == (form.status if role.covers(form.min_role) else 403), form.path


async def test_files_and_streams_are_refused_to_guests_of_another_client(installation, client):
    """The walk over pages leaves these out."""
    mine, ids = await populate_tenant(installation, client)
    elsewhere = await installation.tracked_domain(mine, "elsewhere.com")
    stranger, _ = await installation.guest(mine, Role.EDITOR, elsewhere)
    guest, _ = await installation.guest(mine, Role.VIEWER, ids["domain"])
    known = {**ids, "scan_id": ids["check"], "format": "csv"}
    paths = {path for page in PAGES if "GET" in page.methods for path in page.paths}
    files = ("export.csv", "ledger.csv", "/events", "/progress", ".pdf", ".html", "/payload")
    found = sorted(path for path in paths if is_of_workspace(path) and any(each in path for each in files))
    assert len(found) >= 5, found
    async with open_browser(installation, stranger) as browser:
        for path in found:
            url = re.sub(r"\{(\w+)(?::\w+)?\}", lambda name: known.get(name[1], str(uuid.uuid4())), path)
            assert (await browser.get(url)).status_code in {403, 404}, url
    async with open_browser(installation, guest) as browser:
        exported = await browser.get(f"/w/{mine.id}/d/{ids['domain']}/prompts/export.csv")
        assert exported.status_code == 200 and "anvil" in exported.text
        settings = (await browser.get(f"/w/{mine.id}/d/{ids['domain']}/settings")).text
        assert "in the workspace" not in settings, "how much the workspace tracks is not theirs to know"


async def test_search_finds_what_is_theirs_however_much_others_have(installation, client):
    mine, ids = await populate_tenant(installation, client)
    other = uuid.UUID(await installation.tracked_domain(mine, "elsewhere.com"))
    guest, _ = await installation.guest(mine, Role.VIEWER, ids["domain"])
    await installation.db.execute(
        """INSERT INTO prompts (workspace_id, id, domain_id, prompt, identity, language_code, source, status,
                                created_at)
           SELECT $1, gen_random_uuid(), $2, 'aaa anvil ' || n, 'aaa anvil ' || n, 'en', 'added_by_you', 'active', now()
           FROM generate_series(1, 100) AS n""",
        mine.workspace.id,
        other,
    )
    async with open_browser(installation, guest) as browser:
        found = (await browser.get(f"/w/{mine.id}/jump?q=anvil")).text
    assert "which anvil" in found and "aaa anvil" not in found


async def test_the_console_api_refuses_guests(installation, client):
    mine, ids = await populate_tenant(installation, client)
    guest, _ = await installation.guest(mine, Role.EDITOR, ids["domain"])
    async with installation.client(X_Workspace_Id=mine.id) as api:
        await installation.open_session_for(api, guest)
        session = (await api.get("/api/v1/console/session")).json()["data"]
        assert [each["role"] for each in session["workspaces"]] == ["guest"]
        api.headers["X-CSRF-Token"] = session["csrf_token"]
        for operation in OPERATIONS:
            if operation.api == "console" and operation.in_workspace:
                path = operation.path
                for name in ("domain_id", "scan_id", "answer_id", "key_id", "endpoint_id", "delivery_id"):
                    path = path.replace("{" + name + "}", ids["domain"])
                refused = await api.request(operation.method, f"/api/v1/console{path}")
                assert refused.status_code in {400, 403}, (operation.name, refused.text)
                assert refused.json()["code"] in {"workspace_access_required", "billing_permission_required"}


async def test_access_ends_with_the_client_the_plan_and_the_membership(installation, client):
    mine, ids = await populate_tenant(installation, client)
    guest, client_id = await installation.guest(mine, Role.VIEWER, ids["domain"])
    path = f"/w/{mine.id}/d/{ids['domain']}"
    async with open_browser(installation, guest) as browser:
        await installation.db.execute("UPDATE workspaces SET plan = 'professional' WHERE id = $1", mine.workspace.id)
        assert (await browser.get(path)).status_code == 404
        await installation.db.execute("UPDATE workspaces SET plan = 'agency' WHERE id = $1", mine.workspace.id)
        assert (await browser.get(path)).status_code == 200
        await installation.set_role(mine, guest, Role.VIEWER)  # a member now, and no guest any more
        assert (await browser.get(f"/w/{mine.id}/members")).status_code == 200
        async with installation.db.transaction() as tx:
            await end_membership(tx, mine.workspace.id, guest.id)
        assert await list_memberships(installation.db, guest.id) == []
        other, other_client = await installation.guest(mine, Role.VIEWER, ids["domain"])
    async with open_browser(installation, other) as browser:
        assert (await browser.get(path)).status_code == 200
        async with installation.db.transaction() as tx:
            await remove_client(tx, build_operator_actor(mine.workspace.id), other_client)
        assert (await browser.get(path)).status_code == 404
    domain = await installation.db.fetchrow(
        "SELECT status, client_id FROM domains WHERE id = $1::text::uuid", ids["domain"]
    )
    assert tuple(domain) == ("setup", None)
    assert client_id != other_client

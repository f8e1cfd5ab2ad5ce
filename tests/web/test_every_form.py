"""Every form of the pages: who may send it, from which site, and with whose ids.

Cross-site requests and ids of other tenants are refused, and a refused form changes nothing. A form that is missing in
`tests/web/form_catalog.py` fails these tests.
"""

import re
from contextlib import AsyncExitStack

from sightline.accounts.models import Role
from sightline.accounts.operators.grant import grant_operator
from sightline.web.app import PAGES
from tests.web.form_catalog import FORMS, OPERATOR_FORMS, PUBLIC_FORMS, C
from tests.web.page_browser import open_browser
from tests.web.populated_tenant import populate_tenant

# Counters of requests, and leases of refused forms: they may change.
_IGNORED_TABLES = {
    "rate_minutes",
    "failed_attempts",
    "rate_months",
    "usage_minutes",
    "idempotency_keys",
    "alembic_version",
}
_OTHER_SITES = (
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
)
# Without Sec-Fetch-Site, only the origin counts.
_BAD_ORIGINS = ({}, {"Origin": "https://evil.com"}, {"Origin": "null"}, {"Origin": "http://test.evil.com"})


def list_form_paths() -> set[str]:
    """Return the paths of all forms; those of the Console once, not for each mode."""
    paths = {path for page in PAGES if "POST" in page.methods for path in page.paths}
    plain = {re.sub(r":\w+\}", "}", path) for path in paths}
    return {path for path in plain if not path.startswith(f"{C}/test")}


def covers(declared_path: str, path: str) -> bool:
    """Return whether a case's path belongs to a route; it may fill in a placeholder, such as a competitor's step."""
    return re.fullmatch(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(declared_path)), path) is not None


async def digest_tables(installation) -> dict[str, str]:
    """Return a digest of every table, to show that a refused form changed nothing."""
    query = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
    tables = [row[0] for row in await installation.db.fetch(query) if row[0] not in _IGNORED_TABLES]
    digest = "SELECT md5(string_agg(each::text, '|' ORDER BY each::text)) FROM {} AS each"
    return {table: await installation.db.fetchval(digest.format(table)) for table in tables}


async def assert_control_characters_are_refused(browser, path: str, body: dict) -> None:
    for name in body:
        for character in ("\0", "\x1b", "\x7f", "\x9b"):
            strange = await browser.post(path, data={**body, name: f"a{character}b"})
            assert strange.status_code == 422, (path, name, character)
            assert f"The field “{name}” contains control characters." in strange.text, (path, name)


def test_every_form_is_in_the_catalog():
    rows = {form.path for form in (*FORMS, *OPERATOR_FORMS)} | set(PUBLIC_FORMS)
    missing = [path for path in list_form_paths() if not any(covers(path, row) for row in rows)]
    assert not missing, "add them to tests/web/form_catalog.py"
    assert not [row for row in rows if not any(covers(path, row) for path in list_form_paths())], (
        "rows of forms that are gone"
    )


async def test_forms_are_refused_without_a_session_from_other_sites_and_with_ids_of_other_tenants(installation, client):
    mine, ids = await populate_tenant(installation, client)
    _, theirs = await populate_tenant(installation, client)
    async with AsyncExitStack() as opened:
        owner = await opened.enter_async_context(open_browser(installation, mine.owner))
        stranger = await opened.enter_async_context(open_browser(installation))
        before = await digest_tables(installation)
        for form in FORMS:
            path, body = form.url(ids), form.body(ids)
            unknown = await stranger.post(path, data=body)
            assert (unknown.status_code, unknown.headers["location"][:13]) == (303, "/sign-in?next"), path
            for headers in _OTHER_SITES:
                assert (await owner.post(path, data=body, headers=headers)).status_code == 403, path
            if form.private_placeholders:
                elsewhere = await owner.post(form.url(theirs), data=form.body(theirs))
                assert elsewhere.status_code == 404, path
            for place in form.private_placeholders:
                other = form.url(ids, **{place: theirs[form.id_names.get(place, place)]})
                assert (await owner.post(other, data=body)).status_code == 404, other
            for name in form.named_in_fields:
                foreign = await owner.post(path, data=form.body(ids, **{name: theirs[name]}))
                assert foreign.status_code in {404, 422}, (path, name)
            if path.startswith(f"/w/{mine.id}/console/") and len(form.placeholders) > 1:
                in_test_mode = path.replace("/console/", "/console/test/", 1)
                assert (await owner.post(in_test_mode, data=body)).status_code == 404, in_test_mode
            await assert_control_characters_are_refused(owner, path, body)
        for path in PUBLIC_FORMS:
            address = path.format(session="x", token="x")
            crossed = await stranger.post(address, headers={"Sec-Fetch-Site": "cross-site"})
            assert crossed.status_code in {403, 404}, path
            strange = await stranger.post(
                path.format(session="x", token="x"), data={"email": "a\0b", "password": "x\0"}
            )
            assert strange.status_code in {404, 422}, path
        del owner.headers["Sec-Fetch-Site"]
        for form in FORMS:
            for headers in _BAD_ORIGINS:
                refused = await owner.post(form.url(ids), data=form.body(ids), headers=headers)
                assert refused.status_code == 403, (form.path, headers)
        assert await digest_tables(installation) == before


async def test_every_address_of_a_form_opens_a_page_when_it_is_opened_again(installation, client):
    mine, ids = await populate_tenant(installation, client)
    async with installation.db.transaction() as tx:
        await grant_operator(tx, mine.owner.id, now=installation.clock())
    expected = {f"{C}/scans/preview": f"{C}/scans/new", "/w/{workspace}/d/{domain}/settings/preview": "/settings"}
    async with open_browser(installation, mine.owner) as browser, open_browser(installation) as stranger:
        for form in (*FORMS, *OPERATOR_FORMS):
            path = form.url(ids)
            shown = await browser.get(f"{path}?kept=1", follow_redirects=True)
            assert shown.status_code == 200 and "<main" in shown.text, (path, shown.status_code)
            if form.path in expected:
                assert str(shown.url).endswith(expected[form.path].format(**ids) + "?kept=1"), path
            asked = await stranger.get(path, follow_redirects=True)
            assert asked.status_code == 200 and asked.url.path in {"/sign-in", "/welcome"}, path
        for path in PUBLIC_FORMS:
            assert "json" not in (await stranger.get(path)).headers["content-type"], path


async def test_each_form_requires_its_declared_role(installation, client):
    mine, ids = await populate_tenant(installation, client)
    async with AsyncExitStack() as opened:
        browsers = {
            role: await opened.enter_async_context(open_browser(installation, await installation.member(mine, role)))
            for role in (Role.VIEWER, Role.EDITOR, Role.ADMIN)
        }
        owner = await opened.enter_async_context(open_browser(installation, mine.owner))
        before = await digest_tables(installation)
        for form in FORMS:
            for role, browser in browsers.items():
                if not role.covers(form.min_role):
                    refused = await browser.post(form.url(ids), data=form.body(ids))
                    assert refused.status_code == 403, (form.path, role)
        assert await digest_tables(installation) == before
        wrong = []
        for form in FORMS:  # with the right role, the server accepts each of them
            sender = owner if "/account/" in form.path else browsers.get(form.min_role, owner)
            answer = await sender.post(form.url(ids), data=form.body(ids))
            if answer.status_code != form.status:
                wrong.append((form.path, answer.status_code))
        assert wrong == []

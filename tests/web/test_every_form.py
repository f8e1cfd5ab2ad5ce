"""Every form of the pages, one after the other: who may send it, from where, and about whose property.

"Cross-site request, foreign ids in every form: each refused", and nothing is changed by what is refused. A form without
a row in `tests/web/every_form.py` fails here.
"""

import re
from contextlib import AsyncExitStack

from sightline.accounts.models import Role
from sightline.web.app import PAGES
from tests.web.browser import visiting
from tests.web.every_form import FORMS, OPEN, C
from tests.web.full_tenant import furnish

# Counters of requests and leases of forms that were refused: no property of anybody's.
_MOVING = {"rate_minutes", "rate_months", "usage_minutes", "idempotency_keys", "alembic_version"}
_ELSEWHERE = (
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
)
# A browser that says nothing of the site is believed by the origin alone.
_NO_ORIGIN = ({}, {"Origin": "https://evil.com"}, {"Origin": "null"}, {"Origin": "http://test.evil.com"})


def declared() -> set[str]:
    """The addresses of all forms; the Console's once, not for each mode."""
    paths = {path for page in PAGES if "POST" in page.http_methods for path in page.paths}
    plain = {re.sub(r":\w+\}", "}", path) for path in paths}
    return {path for path in plain if not path.startswith(f"{C}/test")}


def covers(declared_path: str, path: str) -> bool:
    """A row may say a word where the route has a name, such as a competitor's step."""
    return re.fullmatch(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(declared_path)), path) is not None


async def look_at_all(installation) -> dict[str, str]:
    """A digest of every table: what is the same before and after was not touched."""
    query = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
    tables = [row[0] for row in await installation.db.fetch(query) if row[0] not in _MOVING]
    digest = "SELECT md5(string_agg(each::text, '|' ORDER BY each::text)) FROM {} AS each"
    return {table: await installation.db.fetchval(digest.format(table)) for table in tables}


def test_every_form_has_a_row():
    rows = {form.path for form in FORMS} | set(OPEN)
    missing = [path for path in declared() if not any(covers(path, row) for row in rows)]
    assert not missing, "add them to tests/web/every_form.py"
    assert not [row for row in rows if not any(covers(path, row) for path in declared())], "rows of forms that are gone"


async def test_no_form_acts_without_a_session_from_elsewhere_or_on_what_belongs_to_others(installation, client):
    mine, estate = await furnish(installation, client)
    _, theirs = await furnish(installation, client)
    async with AsyncExitStack() as opened:
        owner = await opened.enter_async_context(visiting(installation, mine.owner))
        stranger = await opened.enter_async_context(visiting(installation))
        before = await look_at_all(installation)
        for form in FORMS:
            path, body = form.address(estate), form.body(estate)
            unknown = await stranger.post(path, data=body)
            assert (unknown.status_code, unknown.headers["location"][:13]) == (303, "/sign-in?next"), path
            for headers in _ELSEWHERE:
                assert (await owner.post(path, data=body, headers=headers)).status_code == 403, path
            if form.foreign:
                elsewhere = await owner.post(form.address(theirs), data=form.body(theirs))
                assert elsewhere.status_code == 404, path
            for place in form.foreign:
                other = form.address(estate, **{place: theirs[form.owns.get(place, place)]})
                assert (await owner.post(other, data=body)).status_code == 404, other
            for name in form.named_in_fields:
                foreign = await owner.post(path, data=form.body(estate, **{name: theirs[name]}))
                assert foreign.status_code in {404, 422}, (path, name)
            if path.startswith(f"/w/{mine.id}/console/") and len(form.places) > 1:
                in_test_mode = path.replace("/console/", "/console/test/", 1)
                assert (await owner.post(in_test_mode, data=body)).status_code == 404, in_test_mode
        for path in OPEN:
            crossed = await stranger.post(path.format(session="x"), headers={"Sec-Fetch-Site": "cross-site"})
            assert crossed.status_code in {403, 404}, path
        del owner.headers["Sec-Fetch-Site"]
        for form in FORMS:
            for headers in _NO_ORIGIN:
                refused = await owner.post(form.address(estate), data=form.body(estate), headers=headers)
                assert refused.status_code == 403, (form.path, headers)
        assert await look_at_all(installation) == before


async def test_every_role_may_send_what_its_row_says_and_nothing_else(installation, client):
    mine, estate = await furnish(installation, client)
    async with AsyncExitStack() as opened:
        browsers = {
            role: await opened.enter_async_context(visiting(installation, await installation.member(mine, role)))
            for role in (Role.VIEWER, Role.EDITOR, Role.ADMIN)
        }
        owner = await opened.enter_async_context(visiting(installation, mine.owner))
        before = await look_at_all(installation)
        for form in FORMS:
            for role, browser in browsers.items():
                if not role.covers(form.needs):
                    refused = await browser.post(form.address(estate), data=form.body(estate))
                    assert refused.status_code == 403, (form.path, role)
        assert await look_at_all(installation) == before
        wrong = []
        for form in FORMS:  # and each of them was a form that the server takes
            sender = owner if "/account/" in form.path else browsers.get(form.needs, owner)
            answer = await sender.post(form.address(estate), data=form.body(estate))
            if answer.status_code != form.answer:
                wrong.append((form.path, answer.status_code))
        assert wrong == []

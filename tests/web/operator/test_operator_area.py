"""The operator's area: pages and forms for installation operators, and a 404 for everybody else."""

import re

from structlog.testing import capture_logs

from sightline.accounts.models import MEMBER_ROLES
from sightline.accounts.operators.grant import grant_operator, remove_operator
from sightline.accounts.operators.queries import list_operators
from sightline.accounts.users import find_user
from sightline.credits.ledger import build_credit_rules
from sightline.onboarding.bootstrap import create_token
from sightline.onboarding.demo.build import build_demo, demo_email
from sightline.web.app import PAGES
from tests.installation import PASSWORD
from tests.web.form_catalog import OPERATOR_FORMS
from tests.web.page_browser import open_browser
from tests.web.test_every_form import assert_control_characters_are_refused, digest_tables


def list_operator_pages() -> list[str]:
    """Return the paths of all pages of the area, for one of the platforms where a path names one."""
    found = sorted(path for page in PAGES if "GET" in page.methods for path in page.paths)
    return [re.sub(r"\{\w+\}", "chatgpt", path) for path in found if path.startswith("/operator")]


async def make_operator(installation):
    user = await installation.user()
    async with installation.db.transaction() as tx:
        assert await grant_operator(tx, user.id, now=installation.clock())
    return user


async def test_pages_and_forms_exist_for_operators_alone_whatever_their_role(installation):
    tenant, operator = await installation.tenant(), await make_operator(installation)
    members = [tenant.owner, *[await installation.member(tenant, role) for role in MEMBER_ROLES]]
    assert "/operator/platforms" in list_operator_pages()
    async with open_browser(installation, operator) as browser:
        shown = [await browser.get(path) for path in list_operator_pages()]
        assert {each.status_code for each in shown} == {200, 303}
        assert "/operator" not in (await browser.get("/account")).text.partition("<main")[0]
    for member in members:
        async with open_browser(installation, member) as browser:
            unknown = await browser.get("/nowhere")
            for path in list_operator_pages():
                hidden = await browser.get(path)
                assert (hidden.status_code, hidden.text) == (404, unknown.text.replace("/nowhere", path)), path
            for form in OPERATOR_FORMS:
                assert (await browser.post(form.path, data=form.body({}))).status_code == 404, form.path
            assert "/operator" not in (await browser.get(f"/w/{tenant.id}")).text
    async with open_browser(installation) as stranger:
        for path in list_operator_pages():
            assert (await stranger.get(path)).headers["location"].startswith("/sign-in?next="), path


async def test_an_operator_who_was_removed_sees_the_area_no_longer(installation):
    tenant = await installation.tenant()
    async with installation.db.transaction() as tx:
        assert await grant_operator(tx, tenant.owner.id, now=installation.clock())
        assert not await grant_operator(tx, tenant.owner.id, now=installation.clock())
    async with open_browser(installation, tenant.owner) as browser:
        assert 'href="/operator/platforms"' in (await browser.get(f"/w/{tenant.id}")).text
        assert (await browser.get("/operator/platforms")).status_code == 200
        async with installation.db.transaction() as tx:
            assert await remove_operator(tx, tenant.owner.id)
            assert not await remove_operator(tx, tenant.owner.id)
        assert (await browser.get("/operator/platforms")).status_code == 404


async def use_link(installation, email: str) -> None:
    """Create an owner with a new link, as `sightline bootstrap-token` prints it."""
    async with installation.db.transaction() as tx:
        token = await create_token(tx, now=installation.clock())
    form = {"token": token, "name": "Ada", "email": email, "password": PASSWORD, "workspace_name": "Acme"}
    async with open_browser(installation) as browser:
        assert (await browser.post("/welcome", data=form)).status_code == 303


async def build_demonstration(installation) -> None:
    rules = build_credit_rules(installation.app_context.settings)
    await build_demo(installation.db, base_url="http://test", rules=rules, now=installation.clock())


async def list_operator_emails(installation) -> list[str]:
    return [user.email for user in await list_operators(installation.db)]


async def test_the_first_owner_of_an_embedded_installation_is_its_operator_and_later_ones_are_not(installation):
    with capture_logs() as logs:
        await use_link(installation, "first@acme.com")
    await use_link(installation, "second@acme.com")
    (first,) = await list_operators(installation.db)
    assert first.email == "first@acme.com"
    granted = [line for line in logs if line["event"] == "operator_granted"]
    assert [(line["user_id"], line["by"]) for line in granted] == [(str(first.id), "bootstrap_link")]
    async with installation.db.transaction() as tx:
        await remove_operator(tx, first.id)
    await use_link(installation, "third@acme.com")
    assert await list_operators(installation.db) == [], "removed for good"


async def test_a_link_makes_nobody_an_operator_of_an_installation_that_has_customers(installation):
    tenant = await installation.tenant()
    await use_link(installation, "late@acme.com")
    assert await list_operators(installation.db) == []
    async with installation.db.transaction() as tx:
        await grant_operator(tx, tenant.owner.id, now=installation.clock())
    await use_link(installation, "later@acme.com")
    assert await list_operator_emails(installation) == [tenant.owner.email]


async def test_the_people_of_a_demonstration_are_no_customers(installation):
    await build_demonstration(installation)
    await use_link(installation, "first@acme.com")
    assert await list_operator_emails(installation) == ["first@acme.com"]


async def test_an_operator_of_a_demonstration_is_the_first_and_the_link_makes_no_second(installation):
    await build_demonstration(installation)
    demo_owner = await find_user(installation.db, demo_email("owner"))
    async with installation.db.transaction() as tx:
        await grant_operator(tx, demo_owner.id, now=installation.clock())
    await use_link(installation, "first@acme.com")
    assert await list_operator_emails(installation) == [demo_owner.email]


async def test_forms_are_refused_from_other_sites_with_control_characters_and_for_platforms_that_do_not_exist(
    installation,
):
    async with open_browser(installation, await make_operator(installation)) as browser:
        before = await digest_tables(installation)
        for form in OPERATOR_FORMS:
            crossed = await browser.post(form.path, data=form.body({}), headers={"Sec-Fetch-Site": "cross-site"})
            assert crossed.status_code == 403, form.path
            unknown = await browser.post(form.path.replace("chatgpt", "chatgtp"), data=form.body({}))
            assert unknown.status_code == 404, form.path
            await assert_control_characters_are_refused(browser, form.path, form.body({}))
        assert await digest_tables(installation) == before
        for form in OPERATOR_FORMS:
            assert (await browser.post(form.path, data=form.body({}))).status_code == form.status, form.path

"""Single sign-on in Chromium: set up, used, required, lost, and let go by the operator."""

import re

import pytest
from playwright.async_api import expect

from sightline.accounts.single_sign_on.providers import assign_domain, end_requirement
from sightline.kit.clock import utc_now
from tests.browser.demo_site import SECRET_KEY
from tests.browser.windows import check_themes_and_widths
from tests.fakes.identity_provider import DISCOVERY, IdentityProvider
from tests.installation import PASSWORD, Installation
from tests.process.serving.processes import free_port, running

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_single_sign_on_is_set_up_used_required_and_lost_again(shared_browser, site_database, tmp_path):
    url, home = f"http://127.0.0.1:{(port := free_port())}", tmp_path / "sso"
    given = {"database_url": site_database, "data_dir": home, "secret_key": SECRET_KEY, "base_url": url}
    given |= {"webhook_allow_loopback": "true"}
    async with Installation.open(site_database, tmp_path) as installation:
        with IdentityProvider() as idp, running("api", port=port, **given):
            tenant = await installation.tenant()
            user, own = tenant.owner, f"/w/{tenant.id}/single-sign-on"
            async with installation.db.transaction() as tx:
                await assign_domain(tx, tenant.workspace.id, user.email.partition("@")[2], now=utc_now())
            idp.set_person("owner", user.email, name="Owner")
            context = await shared_browser.browser.new_context(base_url=url)
            page = await context.new_page()

            await sign_in(page, user)
            await page.goto(own)
            await page.get_by_label("Issuer").fill(idp.url)
            await page.get_by_label("Client id").fill("sightline")
            await page.get_by_label("Client secret").fill("a secret")
            await page.get_by_role("button", name="Save").click()
            await expect(page.get_by_text("Identity provider saved.")).to_be_visible()
            await expect(page.get_by_role("button", name="Require single sign-on")).to_have_count(0)

            await page.goto("/sign-in")
            await check_themes_and_widths(page, "journey-sign-in")
            await page.get_by_label("E-mail").fill(user.email)
            await page.get_by_role("button", name="Use single sign-on").click()
            await page.wait_for_url(f"{idp.url}/oauth2/authorize**")
            await page.locator('input[name="sub"]').fill("owner")
            await page.get_by_role("button", name="Authorize").click()
            await page.wait_for_url(f"{url}/w/**")

            await page.goto(own)
            await page.get_by_role("button", name="Require single sign-on").click()
            await expect(page.get_by_role("button", name="Allow passwords, too")).to_be_visible()
            await check_themes_and_widths(page, "journey-single-sign-on")

            await context.clear_cookies()
            await sign_in(page, user)
            await expect(page.get_by_role("heading", name="This workspace requires single sign-on")).to_be_visible()
            idp.faults[DISCOVERY] = (500, b"")
            await page.goto("/sign-in")
            await page.get_by_label("E-mail").fill(user.email)
            await page.get_by_role("button", name="Use single sign-on").click()
            await expect(page.get_by_text("The identity provider does not respond")).to_be_visible()
            async with installation.db.transaction() as tx:
                assert await end_requirement(tx, tenant.workspace.id)
            await page.goto(own)
            await page.locator("summary", has_text="Remove").click()
            await page.get_by_role("button", name="Remove the identity provider").click()
            await expect(page.get_by_text("Identity provider removed.")).to_be_visible()
            await context.close()


async def sign_in(page, user):
    await page.goto("/sign-in")
    await page.get_by_label("E-mail").fill(user.email)
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign in", exact=True).click()
    await page.wait_for_url(re.compile(r"/w/"))

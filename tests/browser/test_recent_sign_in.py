"""A form that changes who has access, sent in Chromium long after the sign-in: asked in place, and gone on with."""

import pytest
from playwright.async_api import expect

from tests.browser.windows import sign_in
from tests.installation import PASSWORD, Installation

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_an_invitation_goes_on_after_the_password(windows, site_database, tmp_path):
    async with Installation.open(site_database, tmp_path) as installation:
        tenant = await installation.tenant()
        page = await windows.open()
        await sign_in(page, tenant.owner.email, PASSWORD)
        await installation.db.execute(
            "UPDATE sessions SET confirmed_at = confirmed_at - interval '1 hour' WHERE user_id = $1", tenant.owner.id
        )
    await page.goto(f"/w/{tenant.id}/members")
    await page.get_by_label("E-mail (optional)").fill("ada@acme.com")
    await page.get_by_role("button", name="Create invitation").click()
    await expect(page.get_by_role("heading", name="Confirm that it is you")).to_be_visible()
    await page.get_by_label("Password").fill("not this one")
    await page.get_by_role("button", name="Continue").click()
    await expect(page.get_by_text("That was not right")).to_be_visible()
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Continue").click()
    await expect(page.get_by_role("heading", name="Your invitation")).to_be_visible()
    await page.goto(f"/w/{tenant.id}/members")
    await expect(page.get_by_text("ada@acme.com")).to_be_visible()
    windows.forget_refusals(403)

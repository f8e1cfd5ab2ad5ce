"""A passkey in Chromium, kept by a virtual authenticator: added, asked for, lost, and replaced by a recovery code."""

import re

import pytest
from playwright.async_api import expect

from tests.browser.demo_site import SECRET_KEY
from tests.installation import PASSWORD, Installation
from tests.process.serving.processes import free_port, running

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_passkey_signs_in_and_a_recovery_code_replaces_it(shared_browser, site_database, tmp_path):
    async with Installation.open(site_database, tmp_path) as installation:
        user = (await installation.tenant()).owner
    port = free_port()  # passkeys need a host name, and the other browser tests use an address
    url, home = f"http://localhost:{port}", tmp_path / "named"
    given = {"database_url": site_database, "data_dir": home, "secret_key": SECRET_KEY, "base_url": url}
    with running("api", port=port, **given) as server:
        context = await shared_browser.browser.new_context(base_url=url)
        page = await context.new_page()
        devtools = await context.new_cdp_session(page)
        await devtools.send("WebAuthn.enable")
        options = {"protocol": "ctap2", "transport": "internal", "hasUserVerification": True}
        options |= {"isUserVerified": True, "automaticPresenceSimulation": True}
        device = await devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})

        await sign_in(page, user)
        await page.goto("/account/factors/passkey")
        await page.get_by_label("Name").fill("Laptop")
        await page.get_by_role("button", name="Create the passkey").click()
        await expect(page.get_by_role("heading", name="Your recovery codes")).to_be_visible()
        codes = re.findall(r"[a-z2-7]{6}(?:-[a-z2-7]{6}){3}", await page.inner_text("main"))
        assert len(codes) == 10
        await page.get_by_role("link", name="I have saved them").click()
        await expect(page.get_by_text("Laptop")).to_be_visible()

        await context.clear_cookies()
        await sign_in(page, user)
        await expect(page.get_by_role("heading", name="Second factor")).to_be_visible()
        await page.get_by_role("button", name="Use a passkey").click()
        await page.wait_for_url("**/w/**")

        await devtools.send("WebAuthn.removeVirtualAuthenticator", device)
        await context.clear_cookies()
        await sign_in(page, user)
        await page.get_by_label("Code").fill(codes[0])
        await page.get_by_role("button", name="Continue").click()
        await page.wait_for_url("**/w/**")
        await page.goto("/account/factors")
        await page.get_by_role("button", name="Remove Laptop").click()
        await expect(page.get_by_text("You have no second factor yet.")).to_be_visible()
        await context.close()
        server.stop()


async def sign_in(page, user):
    await page.goto("/sign-in")
    await page.get_by_label("E-mail").fill(user.email)
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign in").click()
    await page.wait_for_url(re.compile(r"/(w/|sign-in/factor)"))

"""A form that is sent after the session has ended: its sender gets it back, from the tab alone."""

import pytest
from playwright.async_api import Page, expect

from tests.browser.windows import sign_in

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(300),  # the first one waits for the demo site and its server
]

OFFER, STORED = "[data-restore]", "sessionStorage.getItem('unsent form')"
NAME = 'Ada "Anvil" <Lovelace>'


async def send_name_after_the_session(page: Page) -> None:
    await page.context.clear_cookies(name="sightline_session")
    await page.get_by_label("Name", exact=True).fill(NAME)
    await page.get_by_label("Name", exact=True).press("Enter")
    await page.wait_for_url("**/sign-in?next=%2Faccount&unsent=yes")
    await expect(page.get_by_role("status")).to_contain_text("Your form was not sent")


async def sign_in_as(windows, page: Page, role: str) -> None:
    user = windows.site.users[role]
    await page.get_by_label("E-mail").fill(user.email)
    await page.get_by_label("Password").fill(user.password)
    await page.get_by_role("button", name="Sign in").click()


async def open_account(windows, role: str) -> Page:
    """Open the page in a session of its own, which the test can end."""
    page = await windows.open()
    await sign_in(page, windows.site.users[role].email, windows.site.users[role].password)
    await page.goto("/account")
    return page


async def test_the_same_person_restores_the_form(windows):
    page = await open_account(windows, "owner")
    former = await page.get_by_label("Name", exact=True).input_value()
    await send_name_after_the_session(page)
    await page.get_by_label("E-mail").fill(windows.site.users["owner"].email)
    await page.get_by_label("Password").fill("wrong")
    async with page.expect_event("load"):
        await page.get_by_role("button", name="Sign in").click()
    await sign_in_as(windows, page, "owner")
    await page.wait_for_url("**/account")
    await expect(page.locator(OFFER)).to_be_visible()
    assert await page.get_by_label("Name", exact=True).input_value() == former, "nothing acts by itself"
    await page.get_by_role("button", name="Restore it").click()
    assert await page.get_by_label("Name", exact=True).input_value() == NAME
    assert await page.locator(OFFER).count() == 0 and await page.evaluate(STORED) is None
    windows.forget_refusals(401)


async def test_another_person_does_not_get_the_form(windows):
    page = await open_account(windows, "owner")
    await send_name_after_the_session(page)
    assert NAME.split(maxsplit=1)[0] in await page.evaluate(STORED)
    await sign_in_as(windows, page, "viewer")
    await page.wait_for_url("**/account")
    await expect(page.locator(OFFER)).to_be_hidden()
    assert await page.evaluate(STORED) is None


async def test_passwords_are_never_stored_and_signing_out_forgets_the_form(windows):
    page = await open_account(windows, "owner")
    await page.context.clear_cookies(name="sightline_session")
    await page.get_by_label("Current password").fill("correct horse battery")
    await page.get_by_label("New password").fill("correct horse battery staple")
    await page.get_by_role("button", name="Change password").click()
    await page.wait_for_url("**/sign-in?next=*")
    assert await page.evaluate(STORED) is None
    await sign_in_as(windows, page, "owner")
    await page.wait_for_url("**/account")
    await send_name_after_the_session(page)
    await sign_in_as(windows, page, "owner")
    await page.wait_for_url("**/account")
    await expect(page.locator(OFFER)).to_be_visible()
    await page.get_by_role("button", name="Sign out").first.click()
    await page.wait_for_url("**/sign-in")
    assert await page.evaluate(STORED) is None

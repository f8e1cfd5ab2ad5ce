"""Browser windows of a test. Errors that a page reports are recorded and fail the test that opened it."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Response, WebError, expect

from tests.browser.demo_site import DemoSite

SCREENSHOTS = Path(__file__).parents[2] / "build" / "screenshots"
WIDE, MIDDLE, PHONE = (1440, 900), (1024, 768), (390, 844)
TIMEOUT_MS = 30_000
MAX_PAGE_BYTES = 150_000
_FAILING_IMPACTS = {"serious", "critical"}

_RUN_AXE = """async (only) => {
  const found = await axe.run(document, {resultTypes: ["violations"], ...(only ? {runOnly: only} : {})});
  return found.violations.map((each) => [each.impact, each.id, each.nodes.map((node) => node.html.slice(0, 200))]);
}"""
_COLOR_RULES = ("color-contrast", "link-in-text-block")

expect.set_options(timeout=TIMEOUT_MS)


class SharedBrowser:
    """The Chromium of the test session, with the cookies of users who signed in before."""

    def __init__(self, browser: Browser, base_url: str, site: DemoSite) -> None:
        self.browser, self.base_url, self.site = browser, base_url, site
        self._signed_in: dict[str, Any] = {}

    @asynccontextmanager
    async def open_windows(self) -> AsyncIterator["BrowserWindows"]:
        windows = BrowserWindows(self)
        try:
            yield windows
            assert windows.faults == [], windows.faults
        finally:
            await windows.close()

    async def sign_in_once(self, role: str) -> Any:
        """Return the cookies of a role's user, who signs in on the page the first time."""
        if role not in self._signed_in:
            async with self.open_windows() as windows:
                page = await windows.open()
                await sign_in(page, self.site.users[role].email, self.site.users[role].password)
                self._signed_in[role] = await page.context.storage_state()
        return self._signed_in[role]


class BrowserWindows:
    """The windows of one test, with the `faults` of their pages.

    Faults are console messages, script errors, policy violations, requests to other hosts, and 5xx responses.
    """

    def __init__(self, shared_browser: SharedBrowser) -> None:
        self.shared_browser, self.site = shared_browser, shared_browser.site
        self.faults: list[str] = []
        self._contexts: list[BrowserContext] = []

    async def open(self, role: str | None = None, path: str = "", **options: Any) -> Page:
        """Open a new window at `path`, signed in as the user of `role` if one is given."""
        width, height = options.pop("size", WIDE)
        context = await self.shared_browser.browser.new_context(
            base_url=self.shared_browser.base_url,
            viewport={"width": width, "height": height},
            storage_state=await self.shared_browser.sign_in_once(role) if role else None,
            reduced_motion="reduce",
            **options,
        )
        context.set_default_timeout(TIMEOUT_MS)
        self._contexts.append(context)
        context.on("console", self._record_message)
        context.on("weberror", self._record_error)
        context.on("request", self._record_request)
        context.on("response", self._record_response)
        page = await context.new_page()
        await page.goto(path or "/sign-in")
        return page

    def forget_refusals(self, status: int) -> None:
        """Drop what Chromium reported about answers with this status, which the test wanted."""
        self.faults[:] = [each for each in self.faults if not re.search(rf"\b{status}\b", each)]

    async def close(self) -> None:
        for context in self._contexts:
            await context.close()

    def _record_message(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.faults.append(f"{message.type} on {message.page and message.page.url}: {message.text}")

    def _record_error(self, error: WebError) -> None:
        self.faults.append(f"script on {error.page and error.page.url}: {error.error}")

    def _record_request(self, request: Request) -> None:
        if not request.url.startswith((self.shared_browser.base_url, "data:", "blob:")):
            self.faults.append(f"a request to another host: {request.url}")

    def _record_response(self, response: Response) -> None:
        if response.status >= 500:
            self.faults.append(f"{response.status} {response.url}")


async def sign_in(page: Page, email: str, password: str) -> None:
    await page.get_by_label("E-mail").fill(email)
    await page.get_by_label("Password").fill(password)
    await page.get_by_role("button", name="Sign in").click()
    await page.wait_for_url("**/w/*")


async def find_accessibility_violations(page: Page, *only: str) -> list[Any]:
    """Return the serious and critical violations that axe finds, of all rules or of those named."""
    if not await page.evaluate("typeof axe === 'object'"):
        await page.evaluate(AXE_SCRIPT)
    found = await page.evaluate(_RUN_AXE, list(only) or None)
    return [each for each in found if each[0] in _FAILING_IMPACTS]


async def check_themes_and_widths(page: Page, name: str) -> None:
    """Check that the page has no violation and does not scroll sideways, on each screen and in both themes.

    A check of all rules takes seconds. The small screen has the layout of the wide one with less space, and the dark
    theme changes colors alone, which do not depend on the width. So one is checked for scrolling, the other by the
    rules about color.
    """
    for width, height in (PHONE, MIDDLE, WIDE):
        await page.set_viewport_size({"width": width, "height": height})
        if (width, height) != MIDDLE:
            violations = await find_accessibility_violations(page)
            assert not violations, f"{width} pixels: {violations}"
        assert await measure_overflow(page) <= 0, f"it scrolls sideways at {width} pixels"
        await save_screenshot(page, f"{name}-{width}")
    await page.emulate_media(color_scheme="dark")
    violations = await find_accessibility_violations(page, *_COLOR_RULES)
    assert not violations, f"dark: {violations}"
    await save_screenshot(page, f"{name}-dark")
    await page.emulate_media(color_scheme="light")


async def save_screenshot(page: Page, name: str) -> None:
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    await page.screenshot(path=SCREENSHOTS / f"{name}.jpg", type="jpeg", quality=70)


async def measure_overflow(page: Page) -> int:
    """Return by how many pixels the page is wider than the window."""
    return await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")

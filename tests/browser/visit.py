"""Somebody at a browser. Whatever a page complains of is noted, and fails the test that opened it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Response, WebError, expect

from tests.browser.world import World

SCREENSHOTS = Path(__file__).parents[2] / "build" / "screenshots"
WIDE, MIDDLE, PHONE = (1440, 900), (1024, 768), (390, 844)
PATIENCE = 30_000
LARGEST_PAGE = 150_000
_GRAVE = {"serious", "critical"}

_RUN_AXE = """async (only) => {
  const found = await axe.run(document, {resultTypes: ["violations"], ...(only ? {runOnly: only} : {})});
  return found.violations.map((each) => [each.impact, each.id, each.nodes.map((node) => node.html.slice(0, 200))]);
}"""

expect.set_options(timeout=PATIENCE)


class Chrome:
    """The browser of the session, and who has signed in before."""

    def __init__(self, browser: Browser, base_url: str, world: World) -> None:
        self.browser, self.base_url, self.world = browser, base_url, world
        self._signed_in: dict[str, Any] = {}

    @asynccontextmanager
    async def watching(self) -> AsyncIterator["Visitor"]:
        visitor = Visitor(self)
        try:
            yield visitor
            assert visitor.faults == []
        finally:
            await visitor.close()

    async def state_of(self, role: str) -> Any:
        """The cookies of a person who has signed in once, on the page that is there for it."""
        if role not in self._signed_in:
            async with self.watching() as visitor:
                page = await visitor.open()
                await sign_in(page, self.world.people[role].email, self.world.people[role].password)
                self._signed_in[role] = await page.context.storage_state()
        return self._signed_in[role]


class Visitor:
    """Pages of one test. `faults`: console errors, broken scripts, violations of the policy, requests to elsewhere."""

    def __init__(self, chrome: Chrome) -> None:
        self.chrome, self.world = chrome, chrome.world
        self.faults: list[str] = []
        self._contexts: list[BrowserContext] = []

    async def open(self, role: str | None = None, path: str = "", **options: Any) -> Page:
        """A new browser window of `role`, at `path`; nobody is signed in where there is no role."""
        width, height = options.pop("size", WIDE)
        context = await self.chrome.browser.new_context(
            base_url=self.chrome.base_url,
            viewport={"width": width, "height": height},
            storage_state=await self.chrome.state_of(role) if role else None,
            reduced_motion="reduce",
            **options,
        )
        context.set_default_timeout(PATIENCE)
        self._contexts.append(context)
        context.on("console", self._hear)
        context.on("weberror", self._note_error)
        context.on("request", self._note_request)
        context.on("response", self._note_response)
        page = await context.new_page()
        await page.goto(path or "/sign-in")
        return page

    async def close(self) -> None:
        for context in self._contexts:
            await context.close()

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.faults.append(f"{message.type} on {message.page and message.page.url}: {message.text}")

    def _note_error(self, error: WebError) -> None:
        self.faults.append(f"script on {error.page and error.page.url}: {error.error}")

    def _note_request(self, request: Request) -> None:
        if not request.url.startswith((self.chrome.base_url, "data:", "blob:")):
            self.faults.append(f"a request to elsewhere: {request.url}")

    def _note_response(self, response: Response) -> None:
        if response.status >= 500:
            self.faults.append(f"{response.status} {response.url}")


async def sign_in(page: Page, email: str, password: str) -> None:
    await page.get_by_label("E-mail").fill(email)
    await page.get_by_label("Password").fill(password)
    await page.get_by_role("button", name="Sign in").click()
    await page.wait_for_url("**/w/*")


async def find_barriers(page: Page, *only: str) -> list[Any]:
    """What axe finds grave on the page as it is; with rules named, by these alone."""
    if not await page.evaluate("typeof axe === 'object'"):
        await page.evaluate(AXE_SCRIPT)
    found = await page.evaluate(_RUN_AXE, list(only) or None)
    return [each for each in found if each[0] in _GRAVE]


async def take_picture(page: Page, name: str) -> None:
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    await page.screenshot(path=SCREENSHOTS / f"{name}.jpg", type="jpeg", quality=70)


async def widest(page: Page) -> int:
    """By how many pixels the page is wider than the window: a phone should never scroll sideways."""
    return await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")

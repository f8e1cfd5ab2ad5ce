"""A browser on the Console pages of a workspace."""

import re
from contextlib import asynccontextmanager

from sightline.kit.ids import new_id
from tests.console_customers import Customer
from tests.web.page_browser import open_browser


class ConsoleBrowser:
    """A signed-in browser with paths relative to the Console of one workspace and mode."""

    def __init__(self, browser, tenant, *, livemode: bool) -> None:
        self.browser = browser
        self.base = f"/w/{tenant.id}/console" + ("" if livemode else "/test")

    async def get(self, path: str = "", **params: str):
        return await self.browser.get(self.base + path, params=params or None)

    async def post(self, path: str, headers=None, **fields):
        return await self.browser.post(self.base + path, data=fields, headers=headers)

    async def token(self, path: str) -> str:
        """Return the one-time token of the page's first form that has one."""
        return re.search(r'name="token" value="([^"]+)"', (await self.get(path)).text)[1]


@asynccontextmanager
async def open_console_browser(installation, tenant, user=None, *, livemode: bool = True):
    async with open_browser(installation, user or tenant.owner) as browser:
        yield ConsoleBrowser(browser, tenant, livemode=livemode)


async def create_customer(installation, client, **facts) -> Customer:
    return await Customer.create(installation, client, **facts)


def build_scan_form(customer, **changes):
    return {
        "token": str(new_id()),
        "domain_id": customer.domain,
        "keywords": "best crm\nbest crm for teams",
        "platforms": ["chatgpt", "gemini"],
        **changes,
    }

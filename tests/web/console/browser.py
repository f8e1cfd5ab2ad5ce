"""A member of a workspace at the pages of the Console."""

import re
from contextlib import asynccontextmanager

from sightline.kit.ids import new_id
from tests.console_customers import Customer
from tests.web.browser import visiting


class Desk:
    """A browser in one workspace and mode."""

    def __init__(self, browser, tenant, *, livemode: bool) -> None:
        self.browser = browser
        self.base = f"/w/{tenant.id}/console" + ("" if livemode else "/test")

    async def get(self, path: str = "", **params: str):
        return await self.browser.get(self.base + path, params=params or None)

    async def post(self, path: str, headers=None, **fields):
        return await self.browser.post(self.base + path, data=fields, headers=headers)

    async def token(self, path: str) -> str:
        """The one-time token of the page's first form that has one."""
        return re.search(r'name="token" value="([^"]+)"', (await self.get(path)).text)[1]


@asynccontextmanager
async def at_desk(installation, tenant, user=None, *, livemode: bool = True):
    async with visiting(installation, user or tenant.owner) as browser:
        yield Desk(browser, tenant, livemode=livemode)


async def customer_of(installation, client, **facts) -> Customer:
    return await Customer.arrive(installation, client, **facts)


def scan_form(customer, **changes):
    return {
        "token": str(new_id()),
        "domain_id": customer.domain,
        "keywords": "best crm\nbest crm for teams",
        "platforms": ["chatgpt", "gemini"],
        **changes,
    }

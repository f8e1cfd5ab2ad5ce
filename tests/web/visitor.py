"""A browser without a script: keeps cookies, follows nothing by itself."""

from contextlib import asynccontextmanager

import httpx

from sightline.api.app import create_app
from sightline.web.app import PAGES, page_not_found
from tests.house import PASSWORD


@asynccontextmanager
async def visiting(house, user=None, **headers: str):
    """Signed in as `user`, when there is one."""
    transport = httpx.ASGITransport(app=create_app(house.wiring, PAGES, page_not_found), client=("203.0.113.7", 4711))
    named = {name.replace("_", "-"): value for name, value in {"Sec_Fetch_Site": "same-origin", **headers}.items()}
    async with httpx.AsyncClient(transport=transport, base_url="http://test", headers=named) as browser:
        if user is not None:
            answer = await browser.post("/sign-in", data={"email": user.email, "password": PASSWORD})
            assert answer.status_code == 303, answer.text
        yield browser

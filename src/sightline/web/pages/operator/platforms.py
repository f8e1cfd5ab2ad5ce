"""Operator → Platforms: which AI platforms the installation asks."""

from litestar import Response

from sightline.platforms.access import find_connections, is_sandbox
from sightline.platforms.catalog import PLATFORMS
from sightline.web.page_requests import PageRequest
from sightline.web.pages.operator.operator_page import render_operator_page, require_operator
from sightline.web.routing import page, redirect

_PATH = "/operator/platforms"


@page("/operator")
async def operator_start(request: PageRequest) -> Response[str]:
    await require_operator(request)
    return redirect(_PATH)


@page(_PATH)
async def platforms_page(request: PageRequest) -> Response[str]:
    signed_in = await require_operator(request)
    settings = signed_in.app_context.settings
    return render_operator_page(
        signed_in,
        "app/operator/platforms.html",
        section="platforms",
        title="Platforms",
        platforms=PLATFORMS,
        connected=find_connections(settings),
        sandbox=is_sandbox(settings),
    )


PAGES = (operator_start, platforms_page)

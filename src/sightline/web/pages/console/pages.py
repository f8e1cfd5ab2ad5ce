"""The route handlers of every Console page."""

from litestar.handlers import HTTPRouteHandler

from sightline.web.pages.console import (
    answers,
    deliveries,
    domains,
    keys,
    new_scan,
    overview,
    scans,
    webhooks,
)
from sightline.web.pages.console import (
    credits as credit_pages,
)

PAGES: tuple[HTTPRouteHandler, ...] = (
    *overview.PAGES,
    *scans.PAGES,
    *new_scan.PAGES,
    *answers.PAGES,
    *domains.PAGES,
    *credit_pages.PAGES,
    *keys.PAGES,
    *webhooks.PAGES,
    *deliveries.PAGES,
)

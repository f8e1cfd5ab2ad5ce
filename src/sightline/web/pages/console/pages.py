"""The route handlers of every Console page."""

from sightline.api.site_routes import SiteRoute
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

PAGES: tuple[SiteRoute, ...] = (
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

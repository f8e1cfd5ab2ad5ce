"""The pages on which a domain is looked after, in the order of the rail."""

from sightline.web.pages.dashboard import (
    alerts,
    competitors,
    opportunities,
    recommendations,
    reports,
    sentiment,
    settings,
    sharing,
)

PAGES = (
    *competitors.PAGES,
    *sentiment.PAGES,
    *opportunities.PAGES,
    *recommendations.PAGES,
    *alerts.PAGES,
    *reports.PAGES,
    *sharing.PAGES,
    *settings.PAGES,
)

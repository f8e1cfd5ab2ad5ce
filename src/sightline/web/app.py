"""The route handlers of every page and asset, for `create_app`."""

from sightline.api.openapi.document import serve_openapi
from sightline.api.site_routes import SiteRoute
from sightline.web import assets, vega_bundle
from sightline.web.pages import checkout, domain_setup, password_reset, sign_in, theme, welcome
from sightline.web.pages.accounts import account, demo, join, members
from sightline.web.pages.console.pages import PAGES as CONSOLE_PAGES
from sightline.web.pages.dashboard.pages import PAGES as DASHBOARD_PAGES
from sightline.web.pages.docs import routes as docs_routes
from sightline.web.pages.form_addresses import build_form_redirects
from sightline.web.pages.not_found import handle_not_found
from sightline.web.pages.operator import platforms as operator_platforms
from sightline.web.pages.operator import status as operator_status

PAGES: tuple[SiteRoute, ...] = (
    *sign_in.PAGES,
    *password_reset.PAGES,
    *DASHBOARD_PAGES,
    *domain_setup.PAGES,
    *CONSOLE_PAGES,
    *docs_routes.PAGES,
    *account.PAGES,
    *members.PAGES,
    *join.PAGES,
    *demo.PAGES,
    *operator_platforms.PAGES,
    *operator_status.PAGES,
    *welcome.PAGES,
    *checkout.PAGES,
    *theme.PAGES,
    assets.serve_asset,
    vega_bundle.serve_bundle,
    serve_openapi,
)

ROUTES: tuple[SiteRoute, ...] = (*PAGES, build_form_redirects(PAGES))
"""All pages, and the redirects to them."""

__all__ = ["PAGES", "ROUTES", "handle_not_found"]

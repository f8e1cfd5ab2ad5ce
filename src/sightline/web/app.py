"""Every page and asset, for `create_app`."""

from litestar.handlers import HTTPRouteHandler

from sightline.api.openapi.document import serve_openapi
from sightline.web.assets import serve_asset
from sightline.web.pages.accounts.account import PAGES as ACCOUNT_PAGES
from sightline.web.pages.accounts.demo import PAGES as DEMO_PAGES
from sightline.web.pages.accounts.join import PAGES as JOIN_PAGES
from sightline.web.pages.accounts.members import PAGES as MEMBER_PAGES
from sightline.web.pages.checkout import checkout_return, local_checkout, pay_locally
from sightline.web.pages.console.pages import PAGES as CONSOLE_PAGES
from sightline.web.pages.dashboard.managing import PAGES as MANAGING_PAGES
from sightline.web.pages.dashboard.measured import PAGES as MEASURED_PAGES
from sightline.web.pages.dashboard.overview import domains, overview
from sightline.web.pages.domain_setup import PAGES as SET_UP_PAGES
from sightline.web.pages.not_found import handle_not_found
from sightline.web.pages.reference import errors, reference
from sightline.web.pages.sign_in import home, sign_in, sign_in_page, sign_out
from sightline.web.pages.theme import PAGES as THEME_PAGES
from sightline.web.pages.welcome import PAGES as WELCOME_PAGES
from sightline.web.vega_bundle import serve_bundle

PAGES: tuple[HTTPRouteHandler, ...] = (
    home,
    sign_in_page,
    sign_in,
    sign_out,
    domains,
    overview,
    *MEASURED_PAGES,
    *MANAGING_PAGES,
    *SET_UP_PAGES,
    *CONSOLE_PAGES,
    reference,
    errors,
    *ACCOUNT_PAGES,
    *MEMBER_PAGES,
    *JOIN_PAGES,
    *DEMO_PAGES,
    *WELCOME_PAGES,
    checkout_return,
    local_checkout,
    pay_locally,
    *THEME_PAGES,
    serve_asset,
    serve_bundle,
    serve_openapi,
)

__all__ = ["PAGES", "handle_not_found"]

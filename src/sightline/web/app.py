"""The route handlers of every page and asset, for `create_app`.

A page is served as soon as a module below `pages` declares its route.
"""

import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import urljoin

from starlette.responses import Response

from sightline.api.openapi.document import serve_openapi
from sightline.api.site_routes import SiteRoute
from sightline.web import assets, pages, vega_bundle
from sightline.web.page_requests import PageRequest
from sightline.web.pages.not_found import handle_not_found
from sightline.web.pages.operator.operator_page import OPERATOR_PATH, require_operator
from sightline.web.routing import page, redirect

_PARAMETER = re.compile(r"\{(\w+)\}")


def _find_routes() -> Iterator[SiteRoute]:
    for module in pkgutil.walk_packages(pages.__path__, f"{pages.__name__}."):
        found = vars(importlib.import_module(module.name)).values()
        yield from (each for each in found if isinstance(each, SiteRoute))


def _redirect_forms(declared: Iterable[SiteRoute]) -> SiteRoute:
    """Return a handler for GET of every address that only takes forms: it redirects to the page with the form."""
    readable = {path for each in declared if "GET" in each.methods for path in each.paths}
    forms = {path: each.form_page for each in declared if "POST" in each.methods for path in each.paths}
    targets = {path: _find_form_page(path, declared, readable) for path, declared in forms.items()}
    missing = {path: target for path, target in targets.items() if path not in readable}

    @page(sorted(missing))
    async def open_form_page(request: PageRequest) -> Response:
        """Redirect to the page with the form, with the query. The operator's area stays hidden from others."""
        if request.url.path.startswith(OPERATOR_PATH):
            await require_operator(request)
        target = _fill_parameters(missing[request.route_path], request.path_params)
        return redirect(target + (f"?{request.url.query}" if request.url.query else ""))

    return open_form_page


def _find_form_page(path: str, declared: str | None, readable: set[str]) -> str:
    """Return the declared page of a form, or else the nearest page above its address."""
    if declared is not None:
        return urljoin(path, declared)
    comparable = {_PARAMETER.sub("{}", each) for each in readable}
    while path and _PARAMETER.sub("{}", path) not in comparable:
        path = path.rpartition("/")[0]
    return path or "/"


def _fill_parameters(path: str, values: Mapping[str, str]) -> str:
    return _PARAMETER.sub(lambda name: str(values[name[1]]), path)


PAGES: tuple[SiteRoute, ...] = (*_find_routes(), assets.serve_asset, vega_bundle.serve_bundle, serve_openapi)
ROUTES: tuple[SiteRoute, ...] = (*PAGES, _redirect_forms(PAGES))
"""All pages, and the redirects to them."""

__all__ = ["PAGES", "ROUTES", "handle_not_found"]

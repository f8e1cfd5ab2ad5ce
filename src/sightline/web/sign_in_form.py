"""The sign-in page, also as the answer to a form whose sender is no longer signed in."""

from urllib.parse import urljoin, urlsplit

from litestar import Response
from litestar.response import Redirect

from sightline.accounts.kept_forms.keep import seal_for_browser
from sightline.accounts.kept_forms.models import KeptForm
from sightline.api.app_context import AppContext
from sightline.errors import Problem
from sightline.web.page_requests import (
    PageRequest,
    SignInRequired,
    find_same_origin,
    is_local_path,
    read_browser,
    sign_in_path,
)
from sightline.web.render import HEADERS, private_html_response, render
from sightline.web.returned_forms import list_fields

FORM_PAGE = "form_page"
"""The option of a route that names the page with its form, relative to its path."""


def render_sign_in(
    next_path: str,
    *,
    email: str = "",
    kept: str = "",
    problem: Problem | None = None,
    done: str | None = None,
    status: int = 200,
) -> Response[str]:
    """Render the page. `kept` is a sealed form, which signing in brings back."""
    html = render(
        "app/sign_in.html",
        next_path=next_path if is_local_path(next_path) else "",
        email=email,
        kept=kept,
        problem=problem,
        done=done,
    )
    return private_html_response(html, status=status, problem=problem)


def ask_to_sign_in(request: PageRequest, required: SignInRequired) -> Response[str] | Redirect:
    """Lead to the sign-in page and back. A form is carried through it, if its browser is known to somebody."""
    path = _find_form_page(request) if request.method == "POST" else required.path
    if kept := _seal_form(request):
        return render_sign_in(path, kept=kept, status=401)
    return Redirect(sign_in_path(path), status_code=303, headers={**HEADERS, "Cache-Control": "no-store"})


def _seal_form(request: PageRequest) -> str | None:
    """Return the form of the request, sealed. One from another site is not kept: its sender would be deceived."""
    app_context: AppContext = request.app.state.app_context
    device = read_browser(request).device_token
    if "form" not in request.state or device is None or not find_same_origin(request):
        return None
    fields = list_fields(request.state.form)
    return seal_for_browser(app_context.settings, KeptForm(request.url.path, fields, app_context.clock()), device)


def _find_form_page(request: PageRequest) -> str:
    """Return the page with the form: the declared one, or the one that the browser names, or that of its address."""
    declared: str | None = request.route_handler.opt.get(FORM_PAGE)
    if declared is not None:
        return urljoin(request.url.path, declared)
    shown = urlsplit(request.headers.get("referer", ""))
    path = shown.path + (f"?{shown.query}" if shown.query else "")
    return path if shown.netloc == request.headers.get("host") and is_local_path(path) else request.url.path

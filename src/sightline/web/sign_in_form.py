"""The sign-in page, also as the answer to a form whose sender is no longer signed in."""

from urllib.parse import urljoin, urlsplit

from starlette.responses import Response

from sightline.accounts.page_paths import is_local_path
from sightline.accounts.single_sign_on.providers import has_provider
from sightline.api.app_context import AppContext
from sightline.errors import Problem
from sightline.web.page_requests import (
    PageRequest,
    SignInRequired,
    sign_in_path,
)
from sightline.web.render import HEADERS, private_html_response, render


async def render_sign_in(
    request: PageRequest,
    next_path: str,
    *,
    email: str = "",
    unsent: bool = False,
    problem: Problem | None = None,
    done: str | None = None,
) -> Response:
    """Render the page. `unsent` says that a form was not sent, because the session had ended."""
    app_context: AppContext = request.app.state.app_context
    html = render(
        "app/sign_in.html",
        with_single_sign_on=await has_provider(app_context.db, app_context.settings),
        next_path=next_path if is_local_path(next_path) else "",
        email=email,
        unsent=unsent,
        problem=problem,
        done=done,
    )
    return private_html_response(html, problem=problem)


def ask_to_sign_in(request: PageRequest, required: SignInRequired) -> Response:
    """Lead to the sign-in page and back: to the page with the form, if one was sent. Its fields stay in the tab."""
    unsent = request.method == "POST"
    address = sign_in_path(find_form_page(request) if unsent else required.path, unsent=unsent)
    headers = {**HEADERS, "Cache-Control": "no-store", "Location": address}
    return Response(status_code=303, headers=headers, media_type="text/plain")


def find_form_page(request: PageRequest) -> str:
    """Return the page with the form: the declared one, or the one that the browser names, or that of its address."""
    if request.form_page is not None:
        return urljoin(request.url.path, request.form_page)
    shown = urlsplit(request.headers.get("referer", ""))
    path = shown.path + (f"?{shown.query}" if shown.query else "")
    return path if shown.netloc == request.headers.get("host") and is_local_path(path) else request.url.path

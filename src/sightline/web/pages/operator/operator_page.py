"""What every page of the operator's area shares: who may open it, and its layout."""

from typing import Any

from litestar import Response
from litestar.exceptions import NotFoundException

from sightline.accounts.page_paths import workspace_path
from sightline.web.page_requests import PageRequest, SignedInRequest, require_same_origin, require_signed_in
from sightline.web.render import private_html_response, render

OPERATOR_PATH = "/operator"


async def require_operator(request: PageRequest) -> SignedInRequest:
    """Return the signed-in operator. For every other user the page does not exist."""
    signed_in = await require_signed_in(request)
    if not signed_in.is_operator:
        raise NotFoundException
    return signed_in


async def require_operator_form(request: PageRequest) -> SignedInRequest:
    """Return the operator who sent a form from one of our own pages."""
    require_same_origin(request)
    return await require_operator(request)


def render_operator_page(
    signed_in: SignedInRequest, template: str, *, section: str, title: str, status: int = 200, **context: Any
) -> Response[str]:
    """Render a page inside the layout of the operator's area. The response is never cached."""
    first = signed_in.workspaces[0] if signed_in.workspaces else None
    html = render(
        template,
        user=signed_in.user,
        section=section,
        title=title,
        back_path=workspace_path(first.workspace_id) if first else "/account",
        **context,
    )
    return private_html_response(html, status=status)

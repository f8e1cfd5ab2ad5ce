"""What every page of the operator's area shares: who may open it, and its layout."""

from typing import Any

from starlette.responses import Response

from sightline.accounts.page_paths import domain_path, workspace_path
from sightline.domains.tracking.read import list_tracked_domains
from sightline.errors import Problem
from sightline.web.page_requests import PageRequest, SignedInRequest, require_signed_in
from sightline.web.pages.not_found import PageNotFound
from sightline.web.render import private_html_response, render

OPERATOR_PATH = "/operator"


async def require_operator(request: PageRequest) -> SignedInRequest:
    """Return the signed-in operator. For every other user the page does not exist."""
    signed_in = await require_signed_in(request)
    if not signed_in.is_operator:
        raise PageNotFound
    return signed_in


async def find_dashboard_path(signed_in: SignedInRequest) -> str:
    """Return the path of the Overview if the workspace tracks one domain, otherwise of the list of domains."""
    if not signed_in.workspaces:
        return "/account"
    membership, actor = signed_in.select_workspace(str(signed_in.workspaces[0].workspace_id))
    found = await list_tracked_domains(signed_in.app_context.db, actor, after=None, page_size=2)
    if len(found.rows) == 1 and found.rows[0].status != "setup":
        return domain_path(membership.workspace_id, found.rows[0].id)
    return workspace_path(membership.workspace_id)


def render_operator_page(
    signed_in: SignedInRequest,
    template: str,
    *,
    section: str,
    title: str,
    status: int = 200,
    problem: Problem | None = None,
    **context: Any,
) -> Response:
    """Render a page inside the layout of the operator's area. The response is never cached."""
    first = signed_in.workspaces[0] if signed_in.workspaces else None
    html = render(
        template,
        user=signed_in.user,
        section=section,
        title=title,
        problem=problem,
        back_path=workspace_path(first.workspace_id) if first else "/account",
        **context,
    )
    return private_html_response(html, status=status, problem=problem)

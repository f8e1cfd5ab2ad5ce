"""Lists of more than one page: the `cursor` in the query says where the next page begins."""

from sightline.api.edge.cursors import Paging, read_paging
from sightline.web.page_context import PageContext
from sightline.web.page_requests import PageRequest


def read_list_paging(request: PageRequest, ctx: PageContext, name: str, **filters: str) -> Paging:
    """Return where a list starts.

    The cursor is signed like those of the API, and only valid for this list, workspace, domain and filter.
    """
    return read_paging(
        request.url.query,
        f"pages.{name}" if ctx.domain is None else f"pages.{ctx.domain.id}.{name}",
        ctx.actor.workspace_id,
        livemode=ctx.actor.livemode,
        sized=False,
        signing_keys=ctx.app_context.settings.signing_keys,
        filters=filters,
    )

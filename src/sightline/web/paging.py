"""Lists of more than one page: the `cursor` in the query says where the next page begins."""

from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from sightline.api.edge.cursors import Paging, describe_list, read_paging
from sightline.web.page_context import PageContext
from sightline.web.page_requests import PageRequest

Row = TypeVar("Row")


def read_list_paging(request: PageRequest, ctx: PageContext, name: str, **filters: str) -> Paging:
    """Return where a list starts.

    The cursor is signed like those of the API, and only valid for this list, workspace, domain and filter.
    """
    list_name = f"pages.{name}" if ctx.domain is None else f"pages.{ctx.domain.id}.{name}"
    return read_paging(
        request.url.query,
        describe_list(list_name, ctx.actor, filters),
        sized=False,
        signing_keys=ctx.app_context.settings.signing_keys,
    )


class NumberedPage(NamedTuple, Generic[Row]):
    """One page of rows that are all in memory."""

    rows: Sequence[Row]
    number: int
    pages: int


def cut_numbered_page(request: PageRequest, rows: Sequence[Row], size: int) -> NumberedPage[Row]:
    """Return the page that `page` in the query asks for, or the nearest one that there is."""
    requested = request.query_params.get("page", "")
    pages = max(1, -(-len(rows) // size))
    number = min(max(int(requested) if requested.isascii() and requested.isdigit() else 1, 1), pages)
    return NumberedPage(rows[(number - 1) * size : number * size], number, pages)

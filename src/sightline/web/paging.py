"""Lists of more than one page: `cursor` in the address says where the next one begins."""

from sightline.api.edge.cursors import Paging, read_paging
from sightline.web.frame import Place
from sightline.web.visits import Asked


def page_through(request: Asked, place: Place, name: str, **filters: str) -> Paging:
    """Where the list starts. Its cursor is the API's own kind: signed, and good for this list of this place and filter
    alone."""
    return read_paging(
        request.url.query,
        f"pages.{name}" if place.domain is None else f"pages.{place.domain.id}.{name}",
        place.actor.workspace_id,
        livemode=place.actor.livemode,
        sized=False,
        signing_key=place.visit.app_context.settings.signing_key,
        filters=filters,
    )

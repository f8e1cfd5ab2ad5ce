"""Lists of more than one page: `cursor` in the address says where the next one begins."""

import uuid
from datetime import datetime
from typing import Any, NamedTuple

from sightline.api.edge.cursors import open_cursor, sign_cursor
from sightline.db.keyset import Slice, SortKey
from sightline.web.frame import Place
from sightline.web.visits import Asked


class Pages(NamedTuple):
    """One list of one domain: a cursor of another is refused."""

    after: SortKey | None
    context: bytes
    signing_key: bytes

    @property
    def is_first(self) -> bool:
        return self.after is None

    @property
    def after_time_and_id(self) -> tuple[datetime, uuid.UUID] | None:
        return None if self.after is None else (datetime.fromisoformat(self.after[0]), uuid.UUID(self.after[1]))

    def sign_next(self, rows: Slice[Any]) -> str | None:
        return None if rows.next_key is None else sign_cursor(rows.next_key, self.context, self.signing_key)


def page_of(request: Asked, place: Place, name: str) -> Pages:
    assert place.domain is not None
    context = f"web.{name}:{place.actor.workspace_id}:{place.domain.id}".encode()
    key = place.visit.wiring.settings.signing_key
    cursor = request.query_params.get("cursor")
    return Pages(open_cursor(cursor, context, key) if cursor else None, context, key)

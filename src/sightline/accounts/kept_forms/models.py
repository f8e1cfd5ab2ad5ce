"""A form that is kept."""

from datetime import datetime

import msgspec


class KeptForm(msgspec.Struct, frozen=True):
    """What a form contained, without its secrets."""

    action: str
    """The path that it was sent to."""
    fields: dict[str, list[str]]
    sent_at: datetime

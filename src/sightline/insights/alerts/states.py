"""The states of an alert and the ways between them. The one UPDATE that follows these ways is `queries.move_alert`."""

import enum
from collections.abc import Mapping


class AlertState(enum.StrEnum):
    WATCH = "watch"
    CONFIRMED = "confirmed"
    LAPSED = "lapsed"
    """The next Daily Check did not confirm it."""
    RESOLVED = "resolved"


TRANSITIONS: Mapping[AlertState, frozenset[AlertState]] = {
    AlertState.WATCH: frozenset({AlertState.CONFIRMED, AlertState.LAPSED}),
    AlertState.CONFIRMED: frozenset({AlertState.RESOLVED}),
    AlertState.LAPSED: frozenset(),
    AlertState.RESOLVED: frozenset(),
}

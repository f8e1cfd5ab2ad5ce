"""The states of an alert and their transitions. The only UPDATE of a state is `queries.change_state`."""

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

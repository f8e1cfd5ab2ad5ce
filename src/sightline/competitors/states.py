"""What can become of a competitor, and by which step. The one UPDATE that follows these ways is
`queries.move_competitor`."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from sightline.competitors.models import CompetitorStatus

Action = Literal["add", "confirm", "dismiss", "hide", "unhide"]


class Transition(msgspec.Struct, frozen=True):
    sources: frozenset[CompetitorStatus]
    target: CompetitorStatus


TRANSITIONS: Mapping[Action, Transition] = {
    # Naming a competitor outright is stronger than any earlier opinion of it.
    "add": Transition(frozenset({"suggested", "dismissed", "hidden"}), "confirmed"),
    "confirm": Transition(frozenset({"suggested"}), "confirmed"),
    "dismiss": Transition(frozenset({"suggested", "confirmed"}), "dismissed"),
    "hide": Transition(frozenset({"confirmed"}), "hidden"),
    "unhide": Transition(frozenset({"hidden"}), "confirmed"),
}

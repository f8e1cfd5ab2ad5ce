"""What can become of a competitor, and by which step. The one UPDATE that follows these ways is
`queries.move_competitor`."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from sightline.competitors.models import CompetitorStatus

Move = Literal["add", "confirm", "dismiss", "hide", "unhide"]


class Way(msgspec.Struct, frozen=True):
    sources: frozenset[CompetitorStatus]
    target: CompetitorStatus


WAYS: Mapping[Move, Way] = {
    # Naming a competitor outright is stronger than any earlier opinion of it.
    "add": Way(frozenset({"suggested", "dismissed", "hidden"}), "confirmed"),
    "confirm": Way(frozenset({"suggested"}), "confirmed"),
    "dismiss": Way(frozenset({"suggested", "confirmed"}), "dismissed"),
    "hide": Way(frozenset({"confirmed"}), "hidden"),
    "unhide": Way(frozenset({"hidden"}), "confirmed"),
}

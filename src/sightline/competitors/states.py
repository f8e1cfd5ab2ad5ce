"""The states of a competitor and the actions between them. The only UPDATE of a status is `queries.change_status`."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from sightline.competitors.models import CompetitorStatus

Action = Literal["add", "confirm", "dismiss", "hide", "unhide"]


class Transition(msgspec.Struct, frozen=True):
    sources: frozenset[CompetitorStatus]
    target: CompetitorStatus


TRANSITIONS: Mapping[Action, Transition] = {
    # Adding a competitor explicitly overrides any earlier decision.
    "add": Transition(frozenset({"suggested", "dismissed", "hidden"}), "confirmed"),
    "confirm": Transition(frozenset({"suggested"}), "confirmed"),
    "dismiss": Transition(frozenset({"suggested", "confirmed"}), "dismissed"),
    "hide": Transition(frozenset({"confirmed"}), "hidden"),
    "unhide": Transition(frozenset({"hidden"}), "confirmed"),
}

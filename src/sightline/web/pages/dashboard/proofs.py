"""The answers that prove something, as links to their pages."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sightline.accounts.addresses import answer_path
from sightline.reports.words import platform_name
from sightline.scans.naming import find_origins
from sightline.web.frame import Place

_MOST_SHOWN = 6
Answer = tuple[uuid.UUID, uuid.UUID]
"""A check, and an answer of it."""


class Proof(NamedTuple):
    label: str
    path: str


class Proofs(NamedTuple):
    shown: Sequence[Proof]
    more: int


async def link_proofs(place: Place, lists: Sequence[Sequence[Answer]]) -> list[Proofs]:
    """One list of links for each list of answers: the first few of each, by the platform that gave them; where they
    are of several checks, with its day."""
    shown = [list(dict.fromkeys(answers))[:_MOST_SHOWN] for answers in lists]
    wanted = [answer for answers in shown for answer in answers]
    origins = await find_origins(place.visit.app_context.db, place.actor.workspace_id, wanted)
    return [
        Proofs(
            [_link(place, answer, origins, dated=_is_mixed(first)) for answer in first], len(set(answers)) - len(first)
        )
        for first, answers in zip(shown, lists, strict=True)
    ]


def _is_mixed(answers: Sequence[Answer]) -> bool:
    return len({scan_id for scan_id, _ in answers}) > 1


def _link(place: Place, answer: Answer, origins: Mapping[uuid.UUID, tuple[str, datetime]], *, dated: bool) -> Proof:
    scan_id, answer_id = answer
    label = "Answer"
    if answer_id in origins:
        platform, begun = origins[answer_id]
        label = platform_name(platform) + (f", {begun.day} {begun:%b}" if dated else "")
    assert place.domain is not None
    return Proof(label, answer_path(place.actor.workspace_id, place.domain.id, scan_id, answer_id))

"""The answers that prove something, as links to their pages."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sightline.accounts.addresses import answer_path
from sightline.reports.words import platform_name
from sightline.scans.naming import find_origins
from sightline.web.page_context import PageContext

_MAX_LINKS = 6
AnswerRef = tuple[uuid.UUID, uuid.UUID]
"""A check, and an answer of it."""


class EvidenceLink(NamedTuple):
    label: str
    path: str


class EvidenceLinks(NamedTuple):
    shown: Sequence[EvidenceLink]
    more: int


async def link_evidence(ctx: PageContext, lists: Sequence[Sequence[AnswerRef]]) -> list[EvidenceLinks]:
    """One list of links for each list of answers: the first few of each, by the platform that gave them; where they
    are of several checks, with its day."""
    shown = [list(dict.fromkeys(answers))[:_MAX_LINKS] for answers in lists]
    wanted = [answer for answers in shown for answer in answers]
    origins = await find_origins(ctx.db, ctx.actor.workspace_id, wanted)
    return [
        EvidenceLinks(
            [_link(ctx, answer, origins, dated=_is_mixed(first)) for answer in first], len(set(answers)) - len(first)
        )
        for first, answers in zip(shown, lists, strict=True)
    ]


def _is_mixed(answers: Sequence[AnswerRef]) -> bool:
    return len({scan_id for scan_id, _ in answers}) > 1


def _link(
    ctx: PageContext, answer: AnswerRef, origins: Mapping[uuid.UUID, tuple[str, datetime]], *, dated: bool
) -> EvidenceLink:
    scan_id, answer_id = answer
    label = "Answer"
    if answer_id in origins:
        platform, begun = origins[answer_id]
        label = platform_name(platform) + (f", {begun.day} {begun:%b}" if dated else "")
    assert ctx.domain is not None
    return EvidenceLink(label, answer_path(ctx.actor.workspace_id, ctx.domain.id, scan_id, answer_id))

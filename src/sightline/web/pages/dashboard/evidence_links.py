"""Links to the answers that a finding or a count is based on, and to the pages of competitors."""

import uuid
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from sightline.accounts.page_paths import answer_path
from sightline.competitors.queries import list_confirmed_competitors
from sightline.platforms.names import platform_name
from sightline.presentation.dates import format_short_date
from sightline.presentation.language import gettext
from sightline.scans.name_mentions import find_answer_origins
from sightline.scans.stored import AnswerOrigin
from sightline.scoreboard.answer_list.filter import AnswerFilter
from sightline.web.page_context import PageContext

_MAX_LINKS = 6
AnswerRef = tuple[uuid.UUID, uuid.UUID]
"""The ids of a scan and of one of its answers."""


class MeasuredBrand(Protocol):
    """A competitor in a ranking or in a scan."""

    @property
    def name(self) -> str: ...
    @property
    def domains(self) -> Sequence[str]: ...


async def link_competitors(ctx: PageContext, measured: Sequence[MeasuredBrand]) -> Mapping[str, str]:
    """Return the path of the page of each confirmed competitor, by the name that it is measured under."""
    assert ctx.domain is not None
    rows = await list_confirmed_competitors(ctx.db, ctx.actor.workspace_id, ctx.domain.id)
    paths = {row.competitor_domain: ctx.path("competitors", str(row.id)) for row in rows}
    return {brand.name: path for brand in measured for domain in reversed(brand.domains) if (path := paths.get(domain))}


class EvidenceLink(NamedTuple):
    label: str
    path: str


class AnswerLinks(NamedTuple):
    """Paths of the Answers page for parts of the answers that a page counts."""

    page: str
    counted: AnswerFilter

    def to(self, **fields: object) -> str:
        """Return the path of the answers that also match all of these fields."""
        return self.page + self.counted.to_query(**{name: str(value) for name, value in fields.items()})


class EvidenceLinks(NamedTuple):
    links: Sequence[EvidenceLink]
    more: int
    """How many further answers have no link."""
    path: str = ""
    """The list of all answers, or empty."""

    @property
    def total(self) -> int:
        return len(self.links) + self.more


class ChangedCell(NamedTuple):
    """A cell that changed: its prompt and platform, and its answers by the day of their check, newest first."""

    prompt: str
    platform: str
    links: Sequence[EvidenceLink]


class ChangedCells(NamedTuple):
    cells: Sequence[ChangedCell]
    """The first few."""
    path: str
    """The list of all answers."""


async def link_changed_cells(
    ctx: PageContext, lists: Sequence[Sequence[AnswerRef]], findings: Sequence[str]
) -> list[ChangedCells]:
    """Return for each list of answers the first few cells that they belong to, and the list of all of them.

    `findings` are what the lists prove, such as `alert:` and its id.
    """
    linked = [answer for answers in lists for answer in answers]
    origins = await find_answer_origins(ctx.db, ctx.actor.workspace_id, linked)
    return [
        ChangedCells(
            _group_by_cell(ctx, answers, origins)[:_MAX_LINKS],
            ctx.path("answers") + AnswerFilter(evidence=finding).to_query(),
        )
        for answers, finding in zip(lists, findings, strict=True)
    ]


def _group_by_cell(
    ctx: PageContext, answers: Sequence[AnswerRef], origins: Mapping[uuid.UUID, AnswerOrigin]
) -> list[ChangedCell]:
    assert ctx.domain is not None
    cells: dict[tuple[str, str], list[tuple[AnswerOrigin, AnswerRef]]] = {}
    for answer in dict.fromkeys(answers):
        if (origin := origins.get(answer[1])) is not None:
            cells.setdefault((origin.prompt, platform_name(origin.platform)), []).append((origin, answer))
    return [
        ChangedCell(
            prompt,
            platform,
            [
                EvidenceLink(
                    format_short_date(origin.asked_at), answer_path(ctx.actor.workspace_id, ctx.domain.id, *answer)
                )
                for origin, answer in sorted(found, key=lambda each: each[0].asked_at, reverse=True)
            ],
        )
        for (prompt, platform), found in cells.items()
    ]


async def link_evidence(
    ctx: PageContext, lists: Sequence[Sequence[AnswerRef]], findings: Sequence[str] = ()
) -> list[EvidenceLinks]:
    """Return links for each list of answers: the first few, labeled by platform, and the list of all of them.

    Where a list mixes several checks, the label has the day, too. `findings` are what the lists prove, such as
    `alert:` and its id.
    """
    shown = [list(dict.fromkeys(answers))[:_MAX_LINKS] for answers in lists]
    linked = [answer for answers in shown for answer in answers]
    origins = await find_answer_origins(ctx.db, ctx.actor.workspace_id, linked)
    return [
        EvidenceLinks(
            [_link(ctx, answer, origins, dated=_mixes_scans(first)) for answer in first],
            len(set(answers)) - len(first),
            ctx.path("answers") + AnswerFilter(evidence=finding).to_query() if finding else "",
        )
        for first, answers, finding in zip(shown, lists, findings or [""] * len(lists), strict=True)
    ]


def _mixes_scans(answers: Sequence[AnswerRef]) -> bool:
    return len({scan_id for scan_id, _ in answers}) > 1


def _link(
    ctx: PageContext, answer: AnswerRef, origins: Mapping[uuid.UUID, AnswerOrigin], *, dated: bool
) -> EvidenceLink:
    scan_id, answer_id = answer
    label = gettext("Answer")
    if answer_id in origins:
        origin = origins[answer_id]
        label = platform_name(origin.platform) + (f", {format_short_date(origin.asked_at)}" if dated else "")
    assert ctx.domain is not None
    return EvidenceLink(label, answer_path(ctx.actor.workspace_id, ctx.domain.id, scan_id, answer_id))

"""The figures of each tag, from the cells of the board.

Prompts that name the brand, and prompts added after the latest Full Check, count in no figure, as in the headline.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.accounts.models import Actor
from sightline.db.engine import Reader
from sightline.domains.models import TrackedDomainRow
from sightline.kit.examples import TRACKED_DOMAIN_ID, Example
from sightline.metrics.coverage import measure_coverage
from sightline.metrics.figure import VISIBILITY_SCORE_MEANING, Figure, Range, to_figure
from sightline.metrics.observation import Observation
from sightline.metrics.panel import Observations
from sightline.metrics.visibility import measure_visibility
from sightline.platforms.access import can_cite
from sightline.prompts.queries import list_tags_by_prompt
from sightline.prompts.schemas import EXAMPLE_PROMPT_ID
from sightline.scoreboard import queries
from sightline.scoreboard.schemas import BoardCell, BoardPrompt, decode_board

_ANSWERED = frozenset({"named", "cited_only", "absent"})


class TagFigures(msgspec.Struct, frozen=True, kw_only=True):
    """Figures of the prompts with one tag, from their latest valid answers."""

    tag: Annotated[str, Meta(description="Name of the tag.")]
    prompts: Annotated[int, Meta(description="Number of active prompts with the tag.")]
    measured: Annotated[
        int,
        Meta(
            description="Number of those prompts that count in the figures. Prompts that name the brand, and "
            "prompts that the latest Full Check did not ask, do not count."
        ),
    ]
    brand_coverage_pct: Annotated[Figure, Meta(description="Share of answers that name the brand, in percent.")]
    visibility_score: Annotated[Figure, Meta(description=f"{VISIBILITY_SCORE_MEANING}.")]


class PromptTags(msgspec.Struct, frozen=True, kw_only=True):
    """The tags of a tracked domain, in the order of their names."""

    domain_id: Annotated[uuid.UUID, Meta(description="Id of the tracked domain.")]
    tags: Annotated[list[TagFigures], Meta(description="Every tag of an active prompt, with its figures.")]


async def read_tag_figures(db: Reader, actor: Actor, domain: TrackedDomainRow) -> PromptTags:
    """Return the figures of every tag of the domain."""
    tagged = await list_tags_by_prompt(db, actor.workspace_id, domain.id)
    board = await queries.find_board(db, actor.workspace_id, domain.id) if tagged else None
    rows = () if board is None or board.board is None else decode_board(board.board).prompts
    return PromptTags(domain_id=domain.id, tags=measure_tags(tagged, rows))


def measure_tags(tagged: Mapping[uuid.UUID, Sequence[str]], board: Iterable[BoardPrompt]) -> list[TagFigures]:
    """Measure every tag, in the order of their names. Pure."""
    counted = {row.prompt_id: row for row in board if row.in_headline and not row.branded}
    by_tag: dict[str, list[uuid.UUID]] = {}
    for prompt_id, tags in tagged.items():
        for tag in tags:
            by_tag.setdefault(tag, []).append(prompt_id)
    return [
        _measure_tag(tag, len(ids), [counted[each] for each in ids if each in counted])
        for tag, ids in sorted(by_tag.items())
    ]


def _measure_tag(tag: str, prompts: int, rows: Sequence[BoardPrompt]) -> TagFigures:
    seen = Observations(_observe(row, cell) for row in rows for cell in row.cells if cell.in_headline)
    return TagFigures(
        tag=tag,
        prompts=prompts,
        measured=len(rows),
        brand_coverage_pct=to_figure(measure_coverage(seen)),
        visibility_score=to_figure(measure_visibility(seen)),
    )


def _observe(row: BoardPrompt, cell: BoardCell) -> Observation:
    """Return what a cell of the board says about the brand. The number of occurrences is not stored: one or zero."""
    answered = cell.state in _ANSWERED
    named, cited = cell.state == "named", answered and bool(cell.cited)
    return Observation(
        prompt_id=str(row.prompt_id),
        platform=cell.platform,
        country=row.country_iso_2,
        status="ok" if answered else "no_surface" if cell.state == "no_surface" else "failed",
        platform_cites=can_cite(cell.platform),
        mentioned=named,
        occurrences=int(named),
        rank=cell.position if named else None,
        stance="neutral" if named else None,
        cited=cited,
        has_sources=cited,
    )


# Examples

_EXAMPLE = PromptTags(
    domain_id=TRACKED_DOMAIN_ID,
    tags=[
        TagFigures(
            tag="forge",
            prompts=12,
            measured=11,
            brand_coverage_pct=Figure(
                value=43.2,
                low=36.4,
                high=50.1,
                n=44,
                numerator=19,
                denominator=44,
                early_reading=False,
                incomplete=False,
                prompts=11,
                market=Range(30.1, 57.4),
            ),
            visibility_score=Figure(
                value=31.8,
                low=26.0,
                high=37.9,
                n=44,
                numerator=14,
                denominator=44,
                early_reading=False,
                incomplete=False,
                prompts=11,
                market=Range(20.6, 44.5),
            ),
        )
    ],
)

EXAMPLES = {
    "read_prompt_tags": Example(_EXAMPLE),
    "change_prompt_tags": Example(_EXAMPLE, {"prompt_ids": [str(EXAMPLE_PROMPT_ID)], "add": ["forge"], "remove": []}),
}

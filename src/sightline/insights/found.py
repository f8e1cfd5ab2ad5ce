"""The insights of answers, of a Full Check or of a file: what is found in them, by rules or with an editor.

Everything that shows themes, recommendations and suggested prompts gets them from here.
"""

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Sequence

import msgspec

from sightline.insights.aspect_counts import AspectCounts, count_aspects
from sightline.insights.editor.edition import Edition, EditionMemory, edit, finish
from sightline.insights.editor.requests import Editor
from sightline.insights.inputs import InsightInputs
from sightline.insights.models import ProposedAction, StoredRecommendation, StoredTheme, ThemeTrace
from sightline.insights.prompt_candidates import DiscoveredPrompt, find_candidates
from sightline.insights.recommendations.find import find_recommendations, to_stored
from sightline.insights.themes import find_claims, find_praise_of_rivals, find_themes

FindPrevious = Callable[[Edition | None], Awaitable[ThemeTrace | None]]
"""Returns the themes of the Full Check before, as the same editor, or the rules, found them."""
CompleteActions = Callable[[Sequence[ProposedAction]], Awaitable[list[ProposedAction]]]


class FoundInsights(msgspec.Struct, frozen=True, kw_only=True):
    inputs: InsightInputs
    counts: AspectCounts
    themes: list[StoredTheme]
    recommendations: list[StoredRecommendation]
    candidates: list[DiscoveredPrompt]
    """Prompts to suggest, before they are ranked."""
    edition: Edition | None


async def find_insights(
    inputs: InsightInputs,
    scan_id: uuid.UUID,
    editor: Editor | None = None,
    memory: EditionMemory = EditionMemory(),  # noqa: B008 - frozen
    *,
    with_themes: bool = True,
    category: str | None = None,
    find_previous: FindPrevious | None = None,
    complete: CompleteActions | None = None,
) -> FoundInsights:
    """Find everything that the answers show. The editor names, sorts and words; the rules do what it does not do.

    `with_themes` says whether it is asked for themes. Without it, prompts are suggested around `category`, what the
    brand sells. `complete` adds to actions what the answers do not say.
    """
    edition = None if editor is None else await edit(inputs, editor, memory, with_themes=with_themes)
    if edition is not None:
        inputs = edition.inputs
    counts = edition.counts if edition is not None else None
    if counts is None:
        counts = await asyncio.to_thread(count_aspects, inputs)
    previous = None if find_previous is None else await find_previous(edition)
    known = {theme.id for theme in memory.codebook}
    themes = await asyncio.to_thread(find_themes, counts, previous, known)
    said = () if edition is None or edition.claims is None else edition.claims
    actions = await asyncio.to_thread(
        lambda: find_recommendations(
            inputs, find_claims(counts, inputs), find_praise_of_rivals(counts, inputs), said, memory.facts
        )
    )
    if complete is not None:
        actions = await complete(actions)
    recommendations, candidates = to_stored(actions, inputs, scan_id), None
    if edition is not None and editor is not None:
        recommendations, candidates = await finish(edition, editor, recommendations)
    if candidates is None:
        candidates = await asyncio.to_thread(find_candidates, inputs, category)
    return FoundInsights(
        inputs=inputs,
        counts=counts,
        themes=themes,
        recommendations=recommendations,
        candidates=candidates,
        edition=edition,
    )

"""One edition: everything that the editor says about the answers of one check or file.

It has three rounds: what the market is, what the names are, and which themes there are; then which passage belongs to
which theme; then how to word the actions, and which prompts are missing.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence

import msgspec

from sightline.insights.aspect_counts import AspectCounts
from sightline.insights.editor.market import Market, ask_for_market, read_market
from sightline.insights.editor.names import NameVerdict, ask_for_names, choose_rivals, read_names
from sightline.insights.editor.prompts import ask_for_prompts, read_prompts
from sightline.insights.editor.requests import Dropped, Editor
from sightline.insights.editor.sorting import (
    CodebookTheme,
    ask_for_sorting,
    ask_for_themes,
    count_sorted,
    keep_proven,
    list_keys,
    read_passages,
    read_sorting,
    read_themes,
)
from sightline.insights.editor.wording import ask_for_wording, read_wording
from sightline.insights.inputs import InsightInputs, build_insight_inputs
from sightline.insights.models import StoredRecommendation
from sightline.insights.prompt_candidates import DiscoveredPrompt
from sightline.metrics.discovery import CompetitorCandidate, CompetitorSuggestion, rank_competitors
from sightline.scans.rivals import list_candidates

_DEFAULT_LANGUAGE = "en"


class Edition(msgspec.Struct, frozen=True, kw_only=True):
    """What the editor found about the market, the names and the themes. `dropped` counts what did not verify."""

    inputs: InsightInputs
    """With the rivals that the editor knows as such."""
    market: Market | None
    names: dict[str, NameVerdict]
    rivals: tuple[CompetitorSuggestion, ...]
    """The names that compete, strongest first."""
    codebook: tuple[CodebookTheme, ...]
    counts: AspectCounts
    dropped: Dropped


async def edit(
    inputs: InsightInputs, editor: Editor, codebook: Sequence[CodebookTheme] = (), market: Market | None = None
) -> Edition:
    """Ask for the market (unless people have said what it is), the names and the themes, and sort all passages."""
    dropped: Dropped = Counter()
    candidates = await asyncio.to_thread(_list_candidates, inputs)
    passages = await asyncio.to_thread(read_passages, inputs)
    language = _find_language(inputs)
    markets = [ask_for_market(inputs.plan)] if market is None else []
    names = ask_for_names(inputs.plan, candidates, inputs.answers)
    themes, sampled = ask_for_themes(inputs.brand.name, passages, codebook, language)
    replies = await editor.ask([*markets, *names, *themes])
    if market is None:
        market = read_market(replies[0], inputs.plan, dropped)
    replies = replies[len(markets) :]
    verdicts = read_names(replies[: len(names)], candidates, inputs.answers, dropped)
    found = read_themes(replies[len(names) :], sampled, codebook, inputs.plan.tracked, dropped)
    rivals = rank_competitors(choose_rivals(candidates, verdicts, inputs.plan.tracked), are_known=True)
    edited = await asyncio.to_thread(
        build_insight_inputs, inputs.plan, inputs.answers, inputs.prompt_scans, discovered=rivals
    )
    passages = await asyncio.to_thread(read_passages, edited)
    sorting = ask_for_sorting(list_keys(passages), found, market)
    sorted_replies = await editor.ask([request for request, _ in sorting])
    placed = read_sorting([part for _, part in sorting], sorted_replies, found, dropped)
    found = keep_proven(found, codebook, passages, inputs.brand.name, placed)
    return Edition(
        inputs=edited,
        market=market,
        names=verdicts,
        rivals=rivals,
        codebook=tuple(found),
        counts=count_sorted(edited, passages, found, placed),
        dropped=dropped,
    )


async def finish(
    edition: Edition, editor: Editor, actions: Sequence[StoredRecommendation], language: str | None = None
) -> tuple[list[StoredRecommendation], list[DiscoveredPrompt]]:
    """Return the actions as the editor words them, and the prompts that it proposes, before they are ranked.

    An action keeps our own sentences where the editor's say more than its facts.
    """
    inputs = edition.inputs
    market = edition.market.plural if edition.market else None
    wording = ask_for_wording(actions, inputs.brand.name, market, language or _find_language(inputs))
    prompts = ask_for_prompts(inputs, edition.market, [theme.label for theme in edition.codebook])
    replies = await editor.ask([*(request for request, _ in wording), *prompts])
    worded = read_wording([places for _, places in wording], replies[: len(wording)], actions, inputs, edition.dropped)
    return worded, read_prompts(prompts, replies[len(wording) :], inputs, edition.dropped)


def _list_candidates(inputs: InsightInputs) -> list[CompetitorCandidate]:
    """Return the untracked names that answers present, most frequent first."""
    found = list_candidates(inputs.plan, inputs.answers)
    return sorted(found, key=lambda each: (-each.answers, -each.rank_weight, each.name))


def _find_language(inputs: InsightInputs) -> str:
    """Return the language that most prompts have."""
    spoken = Counter(prompt.language for prompt in inputs.plan.prompts if prompt.language)
    return spoken.most_common(1)[0][0] if spoken else _DEFAULT_LANGUAGE

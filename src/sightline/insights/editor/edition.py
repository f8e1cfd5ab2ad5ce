"""One edition: everything that the editor says about the answers of one check or file.

It has three rounds: what the market is, what the names are, and which themes there are; then which passage belongs to
which theme; then how to word the actions, and which prompts are missing.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date

import msgspec

from sightline.facts.models import Claim, Fact
from sightline.insights.aspect_counts import AspectCounts
from sightline.insights.editor.claims import find_claims
from sightline.insights.editor.market import Market, ask_for_market, read_market
from sightline.insights.editor.names import NameVerdict, ask_for_names, choose_rivals, read_names
from sightline.insights.editor.prompts import ask_for_prompts, read_prompts
from sightline.insights.editor.requests import Dropped, Editor, has_form
from sightline.insights.editor.sorting import (
    AnswerPassages,
    CodebookTheme,
    PassageKey,
    SortedPassage,
    ask_for_sorting,
    ask_for_themes,
    count_sorted,
    digest_passage,
    keep_proven,
    list_keys,
    list_sortable,
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


class EditionMemory(msgspec.Struct, frozen=True, kw_only=True):
    """What an edition builds on: what people said, and what earlier editions found."""

    market: Market | None = None
    codebook: tuple[CodebookTheme, ...] = ()
    version: int = 0
    """Raised with each theme that the codebook gets."""
    names: Mapping[str, NameVerdict] = {}
    sorted: Mapping[str, tuple[SortedPassage, ...]] = {}
    """The themes of passages, by their digest, as the same editor sorted them into this codebook."""
    not_rivals: tuple[str, ...] = ()
    """Names that people have said are no rivals."""
    language: str | None = None
    """Of labels, and of wordings if it is one of ours; None stands for the language that most prompts have."""
    facts: tuple[Fact, ...] = ()
    """What people have confirmed. What answers claim about them is looked for."""
    asked_on: date = date.max
    """The day of the answers."""


_NOTHING = EditionMemory()


class Edition(msgspec.Struct, frozen=True, kw_only=True):
    """What the editor found about the market, the names and the themes. `dropped` counts what did not verify."""

    language: str
    inputs: InsightInputs
    """With the rivals that the editor knows as such, or those of the rules if it did not say."""
    market: Market | None
    names: dict[str, NameVerdict]
    rivals: tuple[CompetitorSuggestion, ...]
    """The names that compete, strongest first."""
    codebook: tuple[CodebookTheme, ...]
    version: int
    sorted: dict[str, tuple[SortedPassage, ...]]
    counts: AspectCounts | None
    """None if the passages could not be sorted, so that rules count."""
    claims: tuple[Claim, ...] | None = None
    """What answers claim about the facts. None if there are no facts, or not all passages could be read."""
    dropped: Dropped

    @property
    def is_edited(self) -> bool:
        """Return whether the editor said anything that counts."""
        return bool(self.names) or self.counts is not None


async def edit(
    inputs: InsightInputs, editor: Editor, memory: EditionMemory = _NOTHING, *, with_themes: bool = True
) -> Edition:
    """Ask for the market, the names and the themes, and sort all passages.

    What `memory` knows is not asked again. Where there is no reply, the rules decide.
    """
    dropped: Dropped = Counter()
    candidates = await asyncio.to_thread(_list_candidates, inputs)
    passages = await asyncio.to_thread(read_passages, inputs) if with_themes else []
    markets = [ask_for_market(inputs.plan)] if memory.market is None else []
    names = await asyncio.to_thread(ask_for_names, inputs.plan, candidates, inputs.answers, memory.names)
    read_for, language = inputs.rivals, memory.language or find_language(inputs)
    themes, sampled = ask_for_themes(inputs.brand.name, passages, memory.codebook, language)
    replies = await editor.ask([*markets, *names, *themes])
    market = memory.market or read_market(replies[0], inputs.plan, dropped)
    replies = replies[len(markets) :]
    verdicts = await asyncio.to_thread(
        read_names, replies[: len(names)], candidates, inputs.answers, dropped, memory.names
    )
    if not names or verdicts or any(map(has_form, replies[: len(names)])):
        rivals = rank_competitors(
            choose_rivals(candidates, verdicts, inputs.plan.tracked, memory.not_rivals), are_known=True
        )
        inputs = await asyncio.to_thread(
            build_insight_inputs, inputs.plan, inputs.answers, inputs.prompt_scans, discovered=rivals
        )
    else:
        rivals = rank_competitors(candidates)
    proposed = read_themes(replies[len(names) :], sampled, memory.codebook, inputs.plan.tracked, dropped)
    if with_themes and inputs.rivals != read_for:
        passages = await asyncio.to_thread(read_passages, inputs)
    known = memory.sorted if len(proposed) == len(memory.codebook) else {}
    placed = await sort_passages(passages, proposed, market, editor, known=known, dropped=dropped)
    codebook = memory.codebook
    if placed is not None:
        codebook = tuple(keep_proven(proposed, memory.codebook, passages, placed))
    claims = None
    if with_themes:
        claims = await find_claims(inputs, memory.facts, editor, dropped, asked_on=memory.asked_on)
    return Edition(
        language=language,
        inputs=inputs,
        market=market,
        names=verdicts,
        rivals=rivals,
        codebook=codebook,
        version=memory.version + (len(codebook) > len(memory.codebook)),
        sorted=dict(memory.sorted)
        if placed is None
        else {digest_passage(key): themes for key, themes in placed.items()},
        counts=None if placed is None else count_sorted(inputs, passages, codebook, placed),
        claims=None if claims is None else tuple(claims),
        dropped=dropped,
    )


async def sort_passages(
    passages: Sequence[AnswerPassages],
    codebook: Sequence[CodebookTheme],
    market: Market | None,
    editor: Editor,
    *,
    known: Mapping[str, tuple[SortedPassage, ...]],
    dropped: Dropped,
) -> dict[PassageKey, tuple[SortedPassage, ...]] | None:
    """Return the themes of each passage; None if there is no codebook, or if not all passages could be sorted.

    A part would say less than it seems to: counts of it are not counts of the answers.
    """
    keys = await asyncio.to_thread(list_keys, passages)
    found = {key: known[digest] for key in keys if (digest := digest_passage(key)) in known}
    sorting = ask_for_sorting([key for key in keys if key not in found], codebook, market)
    requests = [request for request, _ in sorting]
    if not list_sortable(codebook) or not await editor.can_ask(requests):
        return None
    replies = await editor.ask(requests)
    read = read_sorting([part for _, part in sorting], replies, codebook, dropped)
    if not all(map(has_form, replies)):
        return None
    return dict.fromkeys(keys, ()) | found | read


async def finish(
    edition: Edition, editor: Editor, actions: Sequence[StoredRecommendation]
) -> tuple[list[StoredRecommendation], list[DiscoveredPrompt] | None]:
    """Return the actions as the editor words them, and the prompts that it proposes, before they are ranked.

    An action keeps our own sentences where the editor's say more than its facts. Without a reply, the prompts are None:
    the rules propose some.
    """
    inputs = edition.inputs
    market = edition.market.plural if edition.market else None
    wording = ask_for_wording(actions, inputs.brand.name, market, edition.language)
    labels = [theme.label for theme in list_sortable(edition.codebook) if not theme.hidden]
    prompts = ask_for_prompts(inputs, edition.market, labels)
    replies = await editor.ask([*(request for request, _ in wording), *prompts])
    places = [asked for _, asked in wording]
    worded = read_wording(places, replies[: len(wording)], actions, inputs, edition.language, edition.dropped)
    proposed = read_prompts(prompts, replies[len(wording) :], inputs, edition.dropped)
    return worded, proposed if any(map(has_form, replies[len(wording) :])) else None


def _list_candidates(inputs: InsightInputs) -> list[CompetitorCandidate]:
    """Return the untracked names that answers present, most frequent first."""
    found = list_candidates(inputs.plan, inputs.answers)
    return sorted(found, key=lambda each: (-each.answers, -each.rank_weight, each.name))


def find_language(inputs: InsightInputs) -> str:
    """Return the language that most prompts have."""
    spoken = Counter(prompt.language for prompt in inputs.plan.prompts if prompt.language)
    return spoken.most_common(1)[0][0] if spoken else _DEFAULT_LANGUAGE

"""What the rules that find recommendations look at: answers, gaps, rivals and cited pages. Pure."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from sightline.answers.characters import fold
from sightline.answers.word_lists import read_list
from sightline.insights.inputs import OWN_BRAND, InsightInputs, Rival
from sightline.insights.models import (
    AskedPrompt,
    RecommendedPage,
)
from sightline.insights.recommendations.cited_pages import (
    CitedPage,
    CitedPages,
    list_rivals,
)
from sightline.insights.recommendations.page_addresses import WORD, find_topic
from sightline.metrics.recommendations import (
    Rate,
    average_share,
    find_repeat_rate,
    shrink_rate,
)
from sightline.scans.models import ScanAnswer

MAX_PAGES = 10
MAX_RIVALS = 3
_STRONGEST_RIVALS = 8
_SHOWN_RIVALS = 5
# Words of a topic that say nothing about what the page is on.
_IN_ANY_TOPIC = (
    read_list("stop_words", "en")
    | read_list("question_wording", "praise before a noun")
    | {"brand", "guide", "pick", "review", "test", "tested"}
)


class Evidence:
    """What all rules look at. Prompts that name the brand are left out: their answers nearly have to name it."""

    def __init__(self, inputs: InsightInputs) -> None:
        self.inputs = inputs
        self.pages = CitedPages(inputs)
        self.answers: dict[str, ScanAnswer] = {
            answer.id: answer for answer in inputs.answers if answer.prompt.id not in inputs.branded
        }
        self.naming = frozenset(
            answer.id
            for answer, own in zip(inputs.answers, inputs.observations[OWN_BRAND], strict=True)
            if own.mentioned and answer.id in self.answers
        )
        rivals = self._list_relevant_rivals()
        self.gaps = self._find_gaps(rivals)
        tracked = sum(rival.tracked for rival in rivals)
        self.strongest = [rival.name for rival in rivals][: tracked + _STRONGEST_RIVALS]
        self.shown = frozenset(self.strongest[: tracked + _SHOWN_RIVALS])
        self.carry_rate = self._find_carry_rate()

    def _list_relevant_rivals(self) -> list[Rival]:
        """Return the tracked competitors, and the discovered brands that answers to the brand's own prompts name.

        Its own prompts are those with an answer that names it. A brand that no answer names has all rivals.
        """
        rivals = list_rivals(self.inputs)
        own = {self.answers[each].prompt.id for each in self.naming}
        met = {
            name
            for each, answer in self.answers.items()
            if not own or answer.prompt.id in own
            for name in self.inputs.named[each]
        }
        return [rival for rival in rivals if rival.tracked or rival.name in met]

    def _find_gaps(self, rivals: Sequence[Rival]) -> frozenset[str]:
        """Return the answers that name a competitor or mostly relevant rivals, and not the brand.

        Prompts on other markets have rivals of their own: an answer that mostly names those is not a gap.
        """
        relevant = {rival.name for rival in rivals}
        tracked = {rival.name for rival in rivals if rival.tracked}
        found = []
        for each in self.inputs.find_gap_answers() & self.answers.keys():
            named = self.inputs.named[each]
            if named & tracked or 2 * len(named & relevant) >= len(named):
                found.append(each)
        return frozenset(found)

    def _find_carry_rate(self) -> Rate:
        """Return how often an answer names the brand if another one that cites the same third-party page does."""
        groups = [
            [each for each in page.answer_ids if each in self.answers]
            for page in self.pages.list_owned_by("third_party")
        ]
        rivals = (
            find_repeat_rate(groups, {each for each in self.answers if rival in self.inputs.named[each]})
            for rival in self.strongest
        )
        return shrink_rate(find_repeat_rate(groups, self.naming), average_share(rivals))

    def describe(self, answer_ids: Iterable[str]) -> tuple[tuple[AskedPrompt, ...], tuple[str, ...]]:
        """Return the prompts and the platforms of these answers, in the order of the plan."""
        found = [answer for each in answer_ids if (answer := self.answers.get(each)) is not None]
        asked, platforms = {answer.prompt.id for answer in found}, {answer.platform for answer in found}
        return (
            tuple(AskedPrompt(prompt.id, prompt.text) for prompt in self.inputs.plan.prompts if prompt.id in asked),
            tuple(platform for platform in self.inputs.plan.platforms if platform in platforms),
        )

    def list_rivals(self, answer_ids: Collection[str]) -> tuple[str, ...]:
        """Return the rivals that these answers name most often."""
        counts = count_names(name for each in answer_ids for name in self.inputs.named[each] if name in self.shown)
        enough = min(2, len(answer_ids))
        return tuple(name for name, times in counts.items() if times >= enough)[:MAX_RIVALS]


def to_recommended_pages(pages: Iterable[CitedPage], answer_ids: Collection[str]) -> tuple[RecommendedPage, ...]:
    """Return the pages with the number of these answers that cite each, most cited first."""
    counted = [
        RecommendedPage(url=page.url, title=page.title, answers=len({*page.answer_ids} & {*answer_ids}))
        for page in pages
    ]
    return tuple(sorted(counted, key=lambda page: (-page.answers, page.url))[:MAX_PAGES])


def lead_with_fitting(pages: Sequence[RecommendedPage], prompts: Iterable[AskedPrompt]) -> tuple[RecommendedPage, ...]:
    """Sort the pages by how many words of their topic are foreign to the prompts, fewest first."""
    words = (word for prompt in prompts for word in WORD.findall(fold(prompt.text)))
    known = {word.removesuffix("s") for word in (*words, *_IN_ANY_TOPIC)}

    def count_foreign(page: RecommendedPage) -> float:
        topic = find_topic(page.url, at_least=1)
        return math.inf if topic is None else sum(word.removesuffix("s") not in known for word in topic.split())

    return tuple(sorted(pages, key=count_foreign))


def unite_answers(pages: Iterable[CitedPage], within: Collection[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for page in pages for each in page.answer_ids if each in within))


def group_by_site(pages: Iterable[CitedPage]) -> dict[str, list[CitedPage]]:
    found: dict[str, list[CitedPage]] = {}
    for page in pages:
        found.setdefault(page.site, []).append(page)
    return found


def count_names(names: Iterable[str]) -> dict[str, int]:
    """Count names, most frequent first, in a fixed order where they are equally frequent."""
    return dict(sorted(Counter(names).items(), key=lambda item: (-item[1], item[0])))

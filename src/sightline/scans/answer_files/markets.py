"""The markets of a file: brands of different markets do not compete, so only the market of the brand is measured.

Two prompts are of one market if their answers name the same brands or if they ask with the same words, and so are
prompts that are linked by others. Nobody says which market a prompt is of, so a group counts as another market only
with brands of its own; whatever is doubtful stays.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from sightline.answers.candidates import merge_key
from sightline.answers.market_words import content_words
from sightline.scans.models import ScanAnswer, ScanPlan, ScanPrompt
from sightline.scans.rivals import map_makers

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_LINKED = 1 / 3
"""The likeness that links two prompts: the cosine of the brands of their answers, plus half of that of their words."""
_WEIGHT_OF_WORDS = 0.5
MAX_COMPARED = 2_000  # prompts; each of the others is compared with these
_MOST_SHARED = 2_000  # names and words that prompts are compared by
_OWN_NAMES = 3  # that make a group another market
_OWN_SHARE = 1 / 3  # of the answers of a group, from which a name is one of its market
_FEWEST_ANSWERS = 3  # for that, where the group has as many
_EXAMPLES = 3
_EXAMPLE_NAMES = 3


class MarketExample(msgspec.Struct, frozen=True, kw_only=True):
    """A market that is not measured."""

    prompt: Annotated[str, Meta(description="One of its prompts.")]
    names: Annotated[tuple[str, ...], Meta(description="The names that its answers present most often.")]


class OtherMarkets(msgspec.Struct, frozen=True, kw_only=True):
    """What of a file is about other markets than the measured one."""

    prompts: Annotated[
        int,
        Meta(
            description="Prompts of other markets, which are left out. 0 if no answer names the brand, so that its "
            "market is unknown and nothing is left out."
        ),
    ]
    answers: Annotated[int, Meta(description="Answers to these prompts.")]
    examples: Annotated[tuple[MarketExample, ...], Meta(description="The largest of the other markets.")]


class _Market:
    """Prompts that are linked, and how many of their answers name each brand."""

    def __init__(self) -> None:
        self.prompts: list[ScanPrompt] = []
        self.answers = 0
        self.named: Counter[str] = Counter()

    def list_own(self) -> list[str]:
        """Return the keys of the brands of this market, those that most answers name first."""
        least = max(_OWN_SHARE * self.answers, min(_FEWEST_ANSWERS, self.answers))
        return [key for key, count in self.named.most_common() if count >= least]


def find_other_markets(
    plan: ScanPlan, answers: Sequence[ScanAnswer], counts: Mapping[str, int]
) -> tuple[frozenset[str], OtherMarkets | None]:
    """Return the ids of the prompts of other markets than the brand's, and what to say of them.

    The market of the brand is the one with the given competitors, and the one in which most answers name it. Other
    markets in which a given competitor is at home are measured, too. `answers` are analyzed, at least one of each
    prompt; `counts` has the answers of the whole file by prompt.
    """
    makers = map_makers(answers)
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    named: dict[str, Counter[str]] = defaultdict(Counter)
    asked: Counter[str] = Counter()
    own: Counter[str] = Counter()
    for answer in answers:
        names = [makers[each.name] for each in answer.candidates if each.name in makers]
        mentioned = [each.name for each in answer.analysis.brands if each.mentioned] if answer.analysis else []
        # The brand itself links nothing: it may be in several markets, or in a line below every answer.
        names += [name for name in mentioned if name != plan.brand.name]
        own[answer.prompt.id] += plan.brand.name in mentioned
        for name in names:
            spellings[merge_key(name)][name] += 1
        named[answer.prompt.id].update({merge_key(name) for name in names})
        asked[answer.prompt.id] += 1
    markets = _group(plan.prompts, named, asked)
    rivals = {merge_key(each.name) for each in plan.competitors}

    def rank(market: _Market) -> tuple[int, int]:
        return len(rivals.intersection(market.list_own())), sum(own[prompt.id] for prompt in market.prompts)

    home = max(markets, key=rank, default=None)
    is_known = home is not None and any(rank(home))
    has_loners = 2 * sum(len(each.prompts) == 1 for each in markets) > len(plan.prompts)
    others = [
        each
        for each in markets
        if not (is_known and each is home)
        and (len(each.prompts) > 1 or has_loners)
        and len(names := each.list_own()) >= _OWN_NAMES
        and rivals.isdisjoint(names)
    ]
    if len(others) < (1 if is_known else 2):
        return frozenset(), None
    examples = tuple(
        MarketExample(
            prompt=each.prompts[0].text,
            names=tuple(spellings[key].most_common(1)[0][0] for key in each.list_own()[:_EXAMPLE_NAMES]),
        )
        for each in sorted(others, key=lambda each: -len(each.prompts))[:_EXAMPLES]
    )
    left_out = frozenset(prompt.id for each in others for prompt in each.prompts) if is_known else frozenset()
    return left_out, OtherMarkets(
        prompts=len(left_out), answers=sum(counts.get(prompt, 0) for prompt in left_out), examples=examples
    )


def _group(prompts: Sequence[ScanPrompt], named: Mapping[str, Counter[str]], asked: Mapping[str, int]) -> list[_Market]:
    """Return the groups of linked prompts, in the order of the prompts."""
    import numpy as np  # heavy, and needed only for files

    points = _place(prompts, named)
    compared = list(range(0, len(prompts), -(-len(prompts) // MAX_COMPARED) or 1))
    found = _link(points[compared] @ points[compared].T)
    groups = np.arange(len(prompts)) + len(prompts)  # each on its own
    groups[compared] = found
    rest = np.setdiff1d(np.arange(len(prompts)), compared)
    for block in np.array_split(rest, -(-len(rest) // MAX_COMPARED)) if len(rest) else ():
        likeness = points[block] @ points[compared].T
        is_linked = likeness.max(axis=1) >= _LINKED
        groups[block[is_linked]] = found[likeness.argmax(axis=1)[is_linked]]
    markets: dict[int, _Market] = {}
    for prompt, group in zip(prompts, groups.tolist(), strict=True):
        market = markets.setdefault(group, _Market())
        market.prompts.append(prompt)
        market.answers += asked.get(prompt.id, 0)
        market.named.update(named.get(prompt.id, ()))
    return list(markets.values())


def _place(prompts: Sequence[ScanPrompt], named: Mapping[str, Counter[str]]) -> "npt.NDArray[np.float32]":
    """Return a vector for each prompt. The product of two of them is the likeness of the prompts."""
    import numpy as np

    rows: list[dict[tuple[str, str], float]] = []
    for prompt in prompts:
        row: dict[tuple[str, str], float] = {}
        words = Counter(content_words(prompt.text))
        for kind, counted, weight in (
            ("name", named.get(prompt.id, Counter()), 1.0),
            ("word", words, _WEIGHT_OF_WORDS),
        ):
            length = sum(count * count for count in counted.values()) ** 0.5
            row |= {(kind, key): weight**0.5 * count / length for key, count in counted.items()}
        rows.append(row)
    shared = Counter(key for row in rows for key in row)
    places = {key: place for place, (key, count) in enumerate(shared.most_common(_MOST_SHARED)) if count > 1}
    points = np.zeros((len(rows), max(len(places), 1)), dtype=np.float32)
    for number, row in enumerate(rows):
        for key, value in row.items():
            if (place := places.get(key)) is not None:
                points[number, place] = value
    return points


def _link(likeness: "npt.NDArray[np.float32]") -> "npt.NDArray[np.int64]":
    """Return the number of the group of each prompt: those that are linked, directly or by others, are one."""
    import numpy as np

    groups = np.full(len(likeness), -1)
    for first in range(len(likeness)):
        if groups[first] >= 0:
            continue
        reached = np.array([first])
        while len(reached):
            groups[reached] = first
            reached = np.flatnonzero((likeness[reached] >= _LINKED).any(axis=0) & (groups < 0))
    return groups

"""Recommendations (metrics 6): how many answers an action could change, and the tests of the rules that need one."""

import math
from collections.abc import Collection, Iterable, Sequence
from statistics import NormalDist, fmean
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from sightline.metrics.alerts import select_discoveries
from sightline.metrics.compare import SIGNIFICANT_BELOW, find_paired_interval
from sightline.metrics.intervals import PRIOR_WEIGHT, shrink_share, wilson_interval
from sightline.metrics.observation import Observation
from sightline.metrics.panel import select_all, split_by

Kind = Literal[
    "mend_page",  # a page of ours that answers cite, and that readers cannot use
    "admit_agent",  # an agent that reads for answers, and that our robots.txt keeps out
    "get_listed",  # third-party pages that answers cite, and whose answers name rivals only
    "answer_question",  # prompts for which rivals' own pages are cited, and none of ours
    "fix_claim",  # a criticism that recurs
    "correct_fact",  # something that answers state, and that is not so
    "keep",  # pages that carry the brand today
    "open_door",  # a platform that names the brand less than the others do
    "win_back",  # prompts that named the brand, and no longer do
    "move_up",  # a rival that answers mostly place above the brand
    "earn_praise",  # a property that rivals are praised for, and the brand is not
    "nothing_significant",  # a task is never invented
]
KIND_MEANING = (
    "Kind of action. `mend_page`: mend a page of the brand that answers cite (site review). `admit_agent`: let an AI "
    "agent read the site (site review). `get_listed`: get the brand onto a page or site that answers cite. "
    "`answer_question`: publish or improve a page, because answers cite competitors' pages and none of the brand's. "
    "`fix_claim`: answer a criticism "
    "that recurs. `correct_fact`: have a wrong statement about the brand corrected. "
    "`keep`: do not remove pages that are cited in answers that name the brand. `open_door`: find out why "
    "a platform names the brand less than others do. `win_back`: win back prompts whose answers no longer name the "
    "brand. `move_up`: find out why answers mostly place a competitor above the brand. `earn_praise`: show a property "
    "that answers praise of competitors and not of the brand. `nothing_significant`: there is nothing to do."
)

MIN_ANSWERS = 3
"""Fewer answers prove nothing."""
MIN_PLATFORMS_OR_PROMPTS = 2
"""A criticism recurs if it appears on this many platforms, or for this many prompts."""
MIN_CLAIM_SHARE = 0.05
_CHANCE = 0.1
_SIGN_BELOW = 0.05
LOST_BELOW = 0.05
LOST_CHECKS = 2
"""The last checks that must all miss the brand before a prompt counts as lost."""


class ClaimQuote(msgspec.Struct, frozen=True):
    """A sentence as it stands in an answer, whose subject is the brand."""

    answer_id: str
    text: str


class ClaimFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A criticism of the brand. `descriptor` is the aspect that is criticized."""

    descriptor: str
    theme_key: str | None = None
    """The id of its theme, if it has one."""
    recurs: bool = True
    platforms: int
    answer_ids: tuple[str, ...]
    pages: tuple[str, ...] = ()
    """The pages that these answers cite, most cited first."""
    quotes: tuple[ClaimQuote, ...] = ()


class PraiseFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A property that answers praise of a rival. `own` of the `own_answers` that name the brand praise it for that."""

    descriptor: str
    theme_key: str | None = None
    """The id of its theme, if it has one."""
    rivals: tuple[str, ...]
    answer_ids: tuple[str, ...]
    """The answers that praise one of these rivals for it, of the `rival_answers` that name one."""
    rival_answers: int
    own: int
    own_answers: int
    akin: int = 0
    """The answers that say this or something alike of the brand, without criticism."""


class ExpectedEffect(msgspec.Struct, frozen=True):
    """How many answers the action could change, with a 95% range."""

    answers: Annotated[float, Meta(description="Best estimate of the number of answers.")]
    low: Annotated[float, Meta(description="Lower end of the 95% range.")]
    high: Annotated[float, Meta(description="Upper end of the 95% range.")]


class Rate(msgspec.Struct, frozen=True):
    """How often something happened. Both counts may be fractions."""

    hits: float
    trials: float

    @property
    def share(self) -> float:
        return self.hits / self.trials if self.trials else 0.0


def find_repeat_rate(groups: Iterable[Collection[str]], hits: Collection[str]) -> Rate:
    """Return how often the other answers in the groups of a hit are hits, too.

    `groups` are answers that belong together, for example those that cite the same page; `hits` are, for example, the
    answers that name the brand. Each hit is one trial: the share of the *other* answers of its groups that are hits. A
    hit without others says nothing.
    """
    others: dict[str, set[str]] = {}
    for group in groups:
        for each in group:
            if each in hits:
                others.setdefault(each, set()).update(group)
    shares = [
        sum(each in hits for each in found - {hit}) / (len(found) - 1)
        for hit, found in others.items()
        if len(found) > 1
    ]
    return Rate(math.fsum(shares), len(shares))


def average_share(rates: Iterable[Rate]) -> float:
    """Return the mean share of those that were tried at all, each with the same weight; 0 if none was."""
    found = [rate.share for rate in rates if rate.trials]
    return fmean(found) if found else 0.0


def shrink_rate(own: Rate, usual: float) -> Rate:
    """Add four trials at the usual share, as in 3.2, so that a brand with little history is judged by its rivals."""
    return Rate(own.hits + PRIOR_WEIGHT * usual, own.trials + PRIOR_WEIGHT)


def expect_change(answers: int, rate: Rate) -> ExpectedEffect:
    """Return how many of these answers would change at this rate, with Wilson's interval of the rate."""
    interval = wilson_interval(rate.hits, rate.trials)
    if interval is None:
        return ExpectedEffect(0.0, 0.0, float(answers))
    return ExpectedEffect(answers * rate.share, answers * interval.low, answers * interval.high)


class WeakPlatform(msgspec.Struct, frozen=True, kw_only=True):
    """A platform that names the brand less than the others do, for the same questions."""

    platform: str
    questions: int
    own_share: float
    other_share: float
    expected: ExpectedEffect
    answer_ids: tuple[str, ...]
    """The answers of the platform that do not name the brand."""


def find_weak_platforms(observations: Sequence[Observation]) -> list[WeakPlatform]:
    """Find platforms that name the brand less often than the others do for the same questions.

    The Mantel-Haenszel test over the questions must hold (p below 5%) and survive Benjamini-Hochberg at 10% over the
    platforms. Repeats of an answer count.
    """
    answers = select_all(observations).answers
    questions = list(split_by(answers, lambda answer: (answer.prompt_id, answer.country)).values())
    platforms = list(dict.fromkeys(answer.platform for answer in answers))
    scores = [find_mantel_haenszel_z(questions, platform) for platform in platforms]
    tails = [2 * NormalDist().cdf(-abs(score)) for score in scores]
    return [
        _build_weak_platform(platform, answers, questions)
        for platform, score, p, is_discovery in zip(platforms, scores, tails, select_discoveries(tails), strict=True)
        if score < 0 and is_discovery and p < SIGNIFICANT_BELOW
    ]


def find_mantel_haenszel_z(questions: Iterable[Sequence[Observation]], platform: str) -> float:
    """Return how far the platform's mentions are from their expected number, given all answers to each question.

    The unit is the standard deviation of the hypergeometric distribution, with the usual correction by a half.
    """
    difference = variance = 0.0
    for question in questions:
        asked, named = len(question), sum(answer.mentioned for answer in question)
        own = [answer.mentioned for answer in question if answer.platform == platform]
        if not 0 < len(own) < asked:
            continue
        difference += sum(own) - len(own) * named / asked
        variance += len(own) * (asked - len(own)) * named * (asked - named) / (asked**2 * (asked - 1))
    if not variance:
        return 0.0
    return math.copysign(max(0.0, abs(difference) - 0.5), difference) / math.sqrt(variance)


def _pair_with_others(questions: Iterable[Sequence[Observation]], platform: str) -> list[tuple[float, float]]:
    """Return the share of the platform and that of the others, for each question that both have answered."""
    found = []
    for question in questions:
        own = [float(answer.mentioned) for answer in question if answer.platform == platform]
        rest = [float(answer.mentioned) for answer in question if answer.platform != platform]
        if own and rest:
            found.append((fmean(own), fmean(rest)))
    return found


def _build_weak_platform(
    platform: str, answers: Sequence[Observation], questions: Sequence[Sequence[Observation]]
) -> WeakPlatform:
    pairs = _pair_with_others(questions, platform)
    asked = [answer for answer in answers if answer.platform == platform]
    interval = find_paired_interval([rest - own for own, rest in pairs])
    own_share, other_share = fmean(own for own, _ in pairs), fmean(rest for _, rest in pairs)
    missing = tuple(answer.answer_id or "" for answer in asked if not answer.mentioned)
    expected, low, high = (
        min(float(len(missing)), max(0.0, len(asked) * difference))
        for difference in (other_share - own_share, interval.low, interval.high)
    )
    return WeakPlatform(
        platform=platform,
        questions=len(pairs),
        own_share=own_share,
        other_share=other_share,
        expected=ExpectedEffect(expected, low, high),
        answer_ids=missing,
    )


class PromptHistory(msgspec.Struct, frozen=True, kw_only=True):
    """The answers to one prompt: those before the last checks, and those of the last checks."""

    prompt_id: str
    named: int
    asked: int
    missed: int
    """Answers of the last checks that do not name the brand."""


def find_lost_prompts(histories: Sequence[PromptHistory]) -> list[PromptHistory]:
    """Find prompts that used to name the brand, and whose misses are too many to be chance.

    The share of a prompt is shrunk towards that of all prompts (3.2). The chance of as many misses in a row must be
    below 5% and survive Benjamini-Hochberg at 10% over the prompts.
    """
    asked = sum(each.asked for each in histories)
    overall = sum(each.named for each in histories) / asked if asked else 0.0
    tested = [each for each in histories if each.named and each.missed]
    chances = [(1 - shrink_share(each.named, each.asked, overall)) ** each.missed for each in tested]
    return [
        each
        for each, p, is_discovery in zip(tested, chances, select_discoveries(chances), strict=True)
        if p < LOST_BELOW and is_discovery
    ]


def expect_regained(lost: Sequence[PromptHistory]) -> ExpectedEffect:
    """Return how many of the answers that miss the brand would name it again, at the earlier share."""
    missed = sum(each.missed for each in lost)
    return expect_change(missed, Rate(sum(each.named for each in lost), sum(each.asked for each in lost)))


def is_lead_by_chance(hits: int, of: int, other_hits: int, other_of: int) -> bool:
    """Return whether the first share may be larger only by chance: Fisher's exact p, one-sided, is 10% or more."""
    total, named = of + other_of, hits + other_hits
    ways = sum(math.comb(named, each) * math.comb(total - named, of - each) for each in range(hits, min(of, named) + 1))
    return ways >= _CHANCE * math.comb(total, of)


def is_mostly_above(above: int, placed: int) -> bool:
    """Return whether a rival is above the brand in so many of the answers that place both that chance is unlikely.

    The one-sided sign test has p below 5%, which takes at least five answers.
    """
    ways = sum(math.comb(placed, each) for each in range(above, placed + 1))
    return ways / (1 << placed) < _SIGN_BELOW


def is_recurring(answers: int, *, prompts: int, platforms: int, naming: int) -> bool:
    """Return whether a criticism recurs: on two platforms or for two prompts, and in three answers.

    Two are enough if they are a twentieth of the answers that name the brand.
    """
    is_enough = answers >= MIN_ANSWERS or (answers == 2 and answers >= MIN_CLAIM_SHARE * naming)
    return is_enough and max(platforms, prompts) >= MIN_PLATFORMS_OR_PROMPTS

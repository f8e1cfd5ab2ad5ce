"""`analyze`: what the analysis of one answer costs compared with a bare search for the same names."""

import itertools
import re
import time
from collections.abc import Callable
from statistics import median, quantiles

import msgspec

from bench.analyze.answer import CITED, NAMES, PROMPT, TEXT
from bench.comparison import Target
from bench.plan import Plan
from sightline.answers.analyze import analyze
from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.answers.scorers import DEFAULT_SCORER, SCORERS

NAME = "analyze"
TITLE = f"Reading an answer ({len(TEXT.encode()) / 1000:.1f} kB, {len(NAMES)} names) beside `re` for the same names"
_MAX_TIMES = 1.7
_numbers = itertools.count()
_OWN = frozenset({0})  # as in a check: the measured brand alone is scored


class AnalyzeResult(msgspec.Struct, frozen=True):
    benchmark: str
    title: str
    microseconds: dict[str, float]
    answers_per_second: float
    """On one core."""
    targets: list[Target]
    throughput: dict[str, list[float]]


def measure(plan: Plan) -> AnalyzeResult:
    lexicon = Lexicon([Brand(name, (), (domain,)) for name, domain in NAMES.items()])
    pattern = re.compile("|".join(map(re.escape, NAMES)), re.IGNORECASE)
    runs: dict[str, Callable[[], object]] = {
        "re": lambda: [match.span() for match in pattern.finditer(_fresh())],
        "analyze": lambda: analyze(_fresh(), lexicon, prompt=PROMPT, cited=CITED, language="en"),
        "with sentiment": lambda: _score(lexicon),
    }
    for run in runs.values():
        run()
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(plan.rounds):
        order = list(runs) if turn % 2 == 0 else list(runs)[::-1]
        for name in order:
            seconds[name].append(_time(runs[name], plan.seconds / len(runs)))
    ratios = [bare / ours for bare, ours in zip(seconds["re"], seconds["analyze"], strict=True)]
    low, _, high = quantiles(ratios, n=4) if len(ratios) > 1 else (ratios[0],) * 3
    target = Target("analyze", "the speed of re", 1 / _MAX_TIMES, median(ratios), (low, high))
    return AnalyzeResult(
        NAME,
        TITLE,
        {name: 1e6 * median(taken) for name, taken in seconds.items()},
        1 / median(seconds["analyze"]),
        [target],
        {name: [1 / one for one in taken] for name, taken in seconds.items()},
    )


def _score(lexicon: Lexicon) -> object:
    scorer = SCORERS[DEFAULT_SCORER]
    return analyze(_fresh(), lexicon, prompt=PROMPT, cited=CITED, language="en", sentiment=scorer, scored=_OWN)


def _fresh() -> str:
    """Return a text that was never used before, because prepared answers are cached."""
    return f"{TEXT}\n{next(_numbers)}"


def _time(run: Callable[[], object], seconds: float) -> float:
    """Return CPU seconds for one call, which other load on the machine affects least."""
    calls, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        for _ in range(20):
            run()
        calls += 20
    return (time.process_time() - start) / calls


def print_figures(result: AnalyzeResult) -> None:
    print(f"  {'':<20}{'CPU µs/answer':>16}{'to re':>10}")
    for name, taken in result.microseconds.items():
        print(f"  {name:<20}{taken:>16.0f}{taken / result.microseconds['re']:>10.2f}")
    print(f"\n  {result.answers_per_second:,.0f} answers per second and core, without sentiment\n")

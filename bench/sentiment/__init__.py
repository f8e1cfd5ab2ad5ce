"""`sentiment`: what a clause costs the trained model when it is new and when it was read before, and its memory."""

import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median

import msgspec

from bench.comparison import Target
from bench.plan import Plan
from sightline.answers.sentiment_model import SentimentModel, load_model
from sightline.answers.sentiment_scope import Clause

NAME = "sentiment"
TITLE = "The sentiment model on one core"
_TEXTS = (
    "Acme is fast, friendly and easy to explain to people who hate software.",
    "Reporting in Acme is thin, and you will want an add-on for hours.",
    "Unlike Globex, Acme charges per project: expect two weekends of set-up before it fits a small office's ways.",
    "Acme costs 19 euros per person and month.",
)
_MEMORY = """
import resource, sys
from sightline.answers.sentiment_model import load_model
from sightline.answers.sentiment_scope import Clause

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6

before = resident()
model = load_model()
model.classify([Clause(0, "Acme is " + "very " * 60 + "good.", 0, 4)])
print(resident() - before)
"""


class SentimentResult(msgspec.Struct, frozen=True):
    benchmark: str
    title: str
    new_milliseconds: float
    """CPU time of a clause that was not read before."""
    known_milliseconds: float
    """CPU time of a clause that was read before, in this answer or in another."""
    load_milliseconds: float
    memory_mb: float | None
    """What loading and scoring a long clause adds to a process; where the system tells it."""
    targets: list[Target]


def measure(plan: Plan) -> SentimentResult:
    start = time.process_time()
    model = load_model()
    loaded = time.process_time() - start
    clauses = [Clause(0, text, text.index("Acme"), text.index("Acme") + 4) for text in _TEXTS]
    new, known = [], []
    for _ in range(plan.rounds):
        new.append(_time(plan, model.forget, model, clauses))
        known.append(_time(plan, _keep, model, clauses))
    return SentimentResult(NAME, TITLE, 1e3 * median(new), 1e3 * median(known), 1e3 * loaded, _memory(), [])


def _keep() -> None:
    pass


def _time(plan: Plan, before: Callable[[], None], model: SentimentModel, clauses: list[Clause]) -> float:
    turns, began = 0, time.process_time()
    while time.process_time() - began < plan.seconds / 2:
        before()
        model.classify(clauses)
        turns += 1
    return (time.process_time() - began) / (turns * len(clauses))


def _memory() -> float | None:
    """Measure in a separate process, as this one holds other things."""
    if not sys.platform.startswith("linux"):
        return None
    done = subprocess.run([sys.executable, "-c", _MEMORY], capture_output=True, text=True, check=True)
    return float(done.stdout)


def print_figures(result: SentimentResult) -> None:
    print(f"  new clause:   {result.new_milliseconds:>7.2f} CPU ms")
    print(f"  known clause: {result.known_milliseconds:>7.2f} CPU ms")
    print(f"  loading:      {result.load_milliseconds:>7.0f} CPU ms, once in a process")
    if result.memory_mb is not None:
        print(f"  memory:       {result.memory_mb:>7.0f} MB more in a process that scores")
    print()

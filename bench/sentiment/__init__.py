"""`sentiment`: what a clause costs the trained model, alone and in batches, and how much memory it takes."""

import subprocess
import sys
import time
from statistics import median

import msgspec

from bench.comparison import Target
from bench.plan import Plan
from sightline.answers.sentiment_model import load_model
from sightline.answers.sentiment_scope import Clause

NAME = "sentiment"
TITLE = "The sentiment model on one core"
BATCHES = (1, 32)
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
model.classify([Clause(0, "Acme is " + "very " * 60 + "good.", 0, 4)] * 32)
print(resident() - before)
"""


class SentimentResult(msgspec.Struct, frozen=True):
    benchmark: str
    title: str
    milliseconds: dict[int, float]
    """CPU time of one clause, by the size of the batch."""
    load_milliseconds: float
    memory_mb: float | None
    """What loading and scoring a full batch of long clauses adds to a process; where the system tells it."""
    targets: list[Target]


def measure(plan: Plan) -> SentimentResult:
    start = time.process_time()
    model = load_model()
    loaded = time.process_time() - start
    taken: dict[int, list[float]] = {size: [] for size in BATCHES}
    for _ in range(plan.rounds):
        for size in BATCHES:
            clauses = [Clause(0, text, text.index("Acme"), text.index("Acme") + 4) for text in _TEXTS] * (
                size // 4 or 1
            )
            turns, began = 0, time.process_time()
            while time.process_time() - began < plan.seconds / len(BATCHES):
                if size == 1:
                    for clause in clauses:
                        model.classify([clause])
                else:
                    model.classify(clauses)
                turns += 1
            taken[size].append((time.process_time() - began) / (turns * len(clauses)))
    return SentimentResult(
        NAME, TITLE, {size: 1e3 * median(times) for size, times in taken.items()}, 1e3 * loaded, _memory(), []
    )


def _memory() -> float | None:
    """Measure in a separate process, as this one holds other things."""
    if not sys.platform.startswith("linux"):
        return None
    done = subprocess.run([sys.executable, "-c", _MEMORY], capture_output=True, text=True, check=True)
    return float(done.stdout)


def print_figures(result: SentimentResult) -> None:
    for size, taken in result.milliseconds.items():
        print(f"  batch of {size:>3}: {taken:>7.2f} CPU ms per clause")
    print(f"  loading:      {result.load_milliseconds:>7.0f} CPU ms, once in a process")
    if result.memory_mb is not None:
        print(f"  memory:       {result.memory_mb:>7.0f} MB more in a process that scores")
    print()

"""`phrases`: what reading and grouping the wordings of a Full Check costs the phrase encoder, and its memory."""

import subprocess
import sys
import time
from itertools import product
from statistics import median

import msgspec

from bench.comparison import Target
from bench.plan import Plan
from sightline.answers.phrase_encoder import group_by_meaning, load_encoder

NAME = "phrases"
TITLE = "The phrase encoder on one core"
_QUALITIES = (
    "great", "poor", "long", "short", "easy", "fast", "slow", "solid", "weak", "limited", "generous", "advanced",
    "basic", "reliable", "affordable", "flexible", "clear", "dated", "strong", "built-in", "optional", "quiet",
    "bright", "smooth", "heavy", "light", "rich", "daily", "free", "good",
)  # fmt: skip
_THINGS = (
    "battery life", "sound quality", "customer support", "mobile app", "reporting", "setup", "price", "free plan",
    "integrations", "display", "keyboard", "camera", "delivery", "warranty", "comfort", "design", "noise cancellation",
    "storage", "charging", "navigation", "user interface", "documentation", "return policy", "room service",
    "breakfast", "location", "cleaning", "suction", "water tank", "filter", "range", "legroom", "cushioning",
    "traction", "sizing", "security", "backups", "uptime", "automation", "templates", "permissions", "onboarding",
    "pricing tiers", "time tracking", "search", "notifications", "voice control", "build", "hinges", "speakers",
)  # fmt: skip
_MEMORY = """
import resource
from sightline.answers.phrase_encoder import group_by_meaning
from sightline.answers.sentiment_model import load_model
from sightline.answers.sentiment_scope import Clause

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6

load_model().classify([Clause(0, "Acme is " + "very " * 60 + "good.", 0, 4)])
before = resident()
group_by_meaning({wording: 1 for wording in WORDINGS})
print(resident() - before)
"""


class PhrasesResult(msgspec.Struct, frozen=True):
    benchmark: str
    title: str
    wordings: int
    new_milliseconds: float
    """CPU time of a wording that was not read before."""
    group_seconds: float
    """CPU time for grouping all wordings when all are new."""
    known_group_seconds: float
    """CPU time for grouping them when all were read before."""
    load_milliseconds: float
    memory_mb: float | None
    """What loading and grouping adds to a process that already holds the sentiment model; where the system tells it."""
    targets: list[Target]


def measure(plan: Plan) -> PhrasesResult:
    start = time.process_time()
    encoder = load_encoder()
    loaded = time.process_time() - start
    counts = dict.fromkeys(_wordings(), 1)
    new, known = [], []
    for _ in range(plan.engine_rounds):
        encoder.forget()
        new.append(_time(counts))
        known.append(_time(counts))
    each = (median(new) - median(known)) / len(counts)
    return PhrasesResult(
        NAME, TITLE, len(counts), 1e3 * each, median(new), median(known), 1e3 * loaded, _memory(list(counts)), []
    )


def _wordings() -> list[str]:
    """Return 1,500 distinct wordings of two to four words."""
    return [f"{quality} {thing}" for quality, thing in product(_QUALITIES, _THINGS)]


def _time(counts: dict[str, int]) -> float:
    began = time.process_time()
    group_by_meaning(counts)
    return time.process_time() - began


def _memory(wordings: list[str]) -> float | None:
    """Measure in a separate process, as this one holds other things."""
    if not sys.platform.startswith("linux"):
        return None
    code = f"WORDINGS = {wordings!r}\n{_MEMORY}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)


def print_figures(result: PhrasesResult) -> None:
    print(f"  new wording:              {result.new_milliseconds:>7.2f} CPU ms")
    print(f"  {result.wordings:,} new wordings:       {result.group_seconds:>7.2f} CPU s, read and grouped")
    print(f"  {result.wordings:,} known wordings:     {result.known_group_seconds:>7.2f} CPU s, grouped")
    print(f"  loading:                  {result.load_milliseconds:>7.0f} CPU ms, once in a process")
    if result.memory_mb is not None:
        print(f"  memory:                   {result.memory_mb:>7.0f} MB more in a process that has the sentiment model")
    print()

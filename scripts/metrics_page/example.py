"""What a worked example consists of, and short ways to write the answers that it is about."""

from itertools import count
from typing import Any, NamedTuple

from sightline.metrics.figure import Figure, to_figure
from sightline.metrics.measure import Measure
from sightline.metrics.observation import Observation

_numbers = count()


class Example(NamedTuple):
    text: str
    picture: str
    caption: str
    """The text alternative of the picture."""


def answer(
    mentioned: bool = False, rank: int | None = None, *, pages: int = 0, others: int = 0, **fields: Any
) -> Observation:
    """Return a valid answer that may name the brand, at a rank, and cite pages of its site and other pages."""
    defaults: dict[str, Any] = {
        "prompt_id": f"prompt {next(_numbers)}",
        "platform": "chatgpt",
        "mentioned": mentioned,
        "occurrences": int(mentioned),
        "rank": rank,
        "cited": pages > 0,
        "cited_urls": frozenset(f"acme.com/{number}" for number in range(pages)),
        "has_sources": pages + others > 0,
        "source_urls": pages + others,
    }
    return Observation(**(defaults | fields))


def show(measure: Measure) -> Figure:
    return to_figure(measure)


def write_range(figure: Figure) -> str:
    return f"{figure.value}% ({figure.low}% to {figure.high}%)"

"""How often the brand is named (metrics 1.2, 1.3), and how much of what was planned could be measured (1.0)."""

from collections.abc import Sequence

from sightline.metrics.measure import Measure, measure_count, measure_mean, measure_share
from sightline.metrics.observation import Observation
from sightline.metrics.panel import select_all, select_unbranded


def count_mentions(readings: Sequence[Observation]) -> Measure:
    """AI Mentions: one per answer that names the brand, however often it does."""
    panel = select_unbranded(readings)
    return measure_count(panel, sum(answer.mentioned for answer in panel.answers))


def count_occurrences(readings: Sequence[Observation]) -> Measure:
    """Kept apart from the mentions: one talkative answer must not look like many."""
    panel = select_unbranded(readings)
    return measure_count(panel, sum(answer.occurrences for answer in panel.answers))


def measure_coverage(readings: Sequence[Observation]) -> Measure:
    """Brand Coverage by answer, not "on any platform": that grows with the number of platforms asked."""
    return measure_mean(select_unbranded(readings), _count_mention)


def _count_mention(answer: Observation) -> float:
    return float(answer.mentioned)


def measure_prompt_reach(readings: Sequence[Observation]) -> Measure:
    """The secondary figure: prompts that name the brand in at least one valid answer."""
    panel = select_unbranded(readings)
    reached = {answer.prompt_id for answer in panel.answers if answer.mentioned}
    return measure_share(panel, len(reached), panel.prompts)


def measure_surface_rate(readings: Sequence[Observation]) -> Measure:
    """How often an overview was shown at all, of the times that could be seen."""
    panel = select_all(readings)
    seen = sum(reading.status != "failed" for reading in readings)
    return measure_share(panel, len(panel.answers), seen)


def measure_validity(readings: Sequence[Observation]) -> Measure:
    """Valid of planned, as plain report; a share of the plan is no estimate and has no interval."""
    panel = select_all(readings)
    valid = len(panel.answers)
    return Measure(
        value=100 * valid / panel.planned if panel.planned else None,
        numerator=valid,
        denominator=panel.planned,
        n=panel.planned,
        incomplete=panel.incomplete,
    )

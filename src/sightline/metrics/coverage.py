"""How often the brand is named (metrics 1.2, 1.3), and how much of the plan could be measured (1.0)."""

from collections.abc import Sequence

from sightline.metrics.measure import Measure, measure_count, measure_mean, measure_share
from sightline.metrics.observation import Observation
from sightline.metrics.panel import select_all, select_unbranded


def count_mentions(observations: Sequence[Observation]) -> Measure:
    """Count AI Mentions: one for each answer that names the brand, however often it does."""
    panel = select_unbranded(observations)
    return measure_count(panel, sum(answer.mentioned for answer in panel.answers))


def count_occurrences(observations: Sequence[Observation]) -> Measure:
    """Count every time the brand is named.

    This is separate from the mentions: one wordy answer must not look like many.
    """
    panel = select_unbranded(observations)
    return measure_count(panel, sum(answer.occurrences for answer in panel.answers))


def measure_coverage(observations: Sequence[Observation]) -> Measure:
    """Measure Brand Coverage by answer.

    "On any platform" would grow with the number of platforms asked.
    """
    return measure_mean(select_unbranded(observations), _count_mention)


def _count_mention(answer: Observation) -> float:
    return float(answer.mentioned)


def measure_prompt_reach(observations: Sequence[Observation]) -> Measure:
    """Measure the share of prompts with the brand named in at least one valid answer."""
    panel = select_unbranded(observations)
    reached = {answer.prompt_id for answer in panel.answers if answer.mentioned}
    return measure_share(panel, len(reached), panel.prompts)


def measure_surface_rate(observations: Sequence[Observation]) -> Measure:
    """Measure how often an overview was shown, among the answers where this is known."""
    panel = select_all(observations)
    seen = sum(observation.status != "failed" for observation in observations)
    return measure_share(panel, len(panel.answers), seen)


def measure_validity(observations: Sequence[Observation]) -> Measure:
    """Measure the share of valid answers in the plan. It is a plain count, not an estimate, so it has no interval."""
    panel = select_all(observations)
    valid = len(panel.answers)
    return Measure(
        value=100 * valid / panel.planned if panel.planned else None,
        numerator=valid,
        denominator=panel.planned,
        n=panel.planned,
        incomplete=panel.incomplete,
    )

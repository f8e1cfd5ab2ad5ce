"""Schemas of a second opinion on a file of answers, in the API and in the document of `sightline analyze`."""

from datetime import date
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from sightline.metrics.period_change import Subject, Tier
from sightline.scans.record import ScanRecord


class DayChange(msgspec.Struct, frozen=True, kw_only=True):
    """A tested change between two days."""

    subject: Annotated[
        Subject,
        Meta(description="What changed: a brand, or the measured brand on a platform or for a prompt."),
    ]
    name: Annotated[str, Meta(description="Name of the brand, key of the platform, or text of the prompt.")]
    before: Annotated[int, Meta(description="Number of answers that name the brand on the first day.")]
    now: Annotated[int, Meta(description="Number of answers that name the brand on the second day.")]
    answers: Annotated[int, Meta(description="Number of answers on each of the two days.")]
    p: Annotated[float, Meta(description="Probability that chance alone causes a change this large.")]
    verdict: Annotated[
        Literal["clear", "watch", "within_chance"],
        Meta(description="`clear`, `watch` (about one in five of these is chance) or `within_chance`."),
    ]


class DayComparisonResult(msgspec.Struct, frozen=True, kw_only=True):
    """The changes between two days of a file, over the prompts and platforms that both days have."""

    before: Annotated[date, Meta(description="First day, in UTC.")]
    now: Annotated[date, Meta(description="Second day, in UTC.")]
    answers: Annotated[int, Meta(description="Number of answers that are compared on each day.")]
    changes: Annotated[tuple[DayChange, ...], Meta(description="Changes of brands, platforms and prompts.")]


_VERDICTS: dict[Tier, Literal["clear", "watch", "within_chance"]] = {
    "clear": "clear",
    "watch": "watch",
    "rest": "within_chance",
}


def build_comparison(scan: ScanRecord) -> DayComparisonResult | None:
    """Return the comparison as the API and the document show it, with prompts by their texts."""
    found = scan.opinion.comparison if scan.opinion else None
    if found is None:
        return None
    prompts = {prompt.id: prompt.text for prompt in scan.plan.prompts}
    return DayComparisonResult(
        before=found.before,
        now=found.now,
        answers=found.answers,
        changes=tuple(
            DayChange(
                subject=each.subject,
                name=prompts[each.name] if each.subject == "prompt" else each.name,
                before=each.change.before,
                now=each.change.now,
                answers=each.change.now_answers,
                p=each.change.p,
                verdict=_VERDICTS[each.tier],
            )
            for each in found.changes
        ),
    )

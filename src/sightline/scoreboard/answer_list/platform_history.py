"""How one platform answered over the checks of a selection: presence of the brand, latency, faults and models."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from sightline.db.engine import Reader
from sightline.metrics.figure import Figure, to_figure
from sightline.metrics.intervals import wilson_interval
from sightline.metrics.measure import Measure
from sightline.scans.stored import Scope
from sightline.scoreboard.answer_list import queries
from sightline.scoreboard.answer_list.queries import PlatformCounts, Selection

_NOTHING = PlatformCounts(counted=0, named=0, answered=0, failed=0, not_shown=0, median_ms=None, p95_ms=None)


class PlatformCheck(msgspec.Struct, frozen=True):
    """One check, as far as it asked the platform."""

    scan_id: uuid.UUID
    scope: Scope
    completed_at: datetime
    counts: PlatformCounts

    @property
    def presence(self) -> Figure:
        return measure_presence(self.counts)


class PlatformHistory(msgspec.Struct, frozen=True, kw_only=True):
    """All checks, newest first, what they have in common, and how often each fault and each model occurred."""

    checks: Sequence[PlatformCheck]
    total: PlatformCounts
    faults: Mapping[str, int]
    models: Mapping[str, int]


async def read_platform_history(db: Reader, selection: Selection) -> PlatformHistory:
    """Return the history of the platform that the selection is about. The selection has answers of any status."""
    rows = await queries.count_by_check(db, selection)
    answered = msgspec.structs.replace(selection, labels=[*selection.labels, "status:ok"])
    return PlatformHistory(
        checks=[
            PlatformCheck(row.scan_id, row.scope, row.completed_at, row.counts)
            for row in rows
            if row.scan_id is not None and row.scope is not None and row.completed_at is not None
        ],
        total=next((row.counts for row in rows if row.scan_id is None), _NOTHING),
        faults=_select_labels(await queries.count_labels(db, selection), "fault:"),
        models=_select_labels(await queries.count_labels(db, answered), "model:"),
    )


def measure_presence(counts: PlatformCounts) -> Figure:
    """Measure in how many answers the brand is named, in percent. Null without an answer to an unbranded prompt."""
    found = wilson_interval(counts.named, counts.counted)
    return to_figure(
        Measure(
            value=100 * counts.named / counts.counted if counts.counted else None,
            numerator=counts.named,
            denominator=counts.counted,
            n=counts.counted,
            interval=found.scaled(100) if found else None,
        )
    )


def _select_labels(labels: Mapping[str, int], prefix: str) -> dict[str, int]:
    found = {label.removeprefix(prefix): number for label, number in labels.items() if label.startswith(prefix)}
    return dict(sorted(found.items(), key=lambda each: (-each[1], each[0])))

"""Schema of a scan in both APIs."""

import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.accounts.models import LIVEMODE_MEANING
from sightline.kit.clock import Timestamp, to_iso, to_iso_or_none
from sightline.kit.examples import CHECK_ID, CHECKED_PROMPT, CONSOLE_DOMAIN_ID, TRACKED_DOMAIN_ID, Example
from sightline.kit.rounding import round_half_away
from sightline.kit.structs import convert_struct
from sightline.metrics.figure import VISIBILITY_SCORE_MEANING, round_value
from sightline.presentation.language import translatable
from sightline.scans.models import AnswersSource
from sightline.scans.states import ScanStatus
from sightline.scans.stored import ScanRow, Scope

SCOPE_LABELS: Mapping[Scope, str] = {
    "console_check": translatable("Console Check"),
    "full_check": translatable("Full Check"),
    "daily_check": translatable("Daily Check"),
    "free_audit": translatable("Free Audit"),
}


class Scan(msgspec.Struct, frozen=True, kw_only=True):
    """One scan. Its metrics are null until it completes. `completed_at` is also set if it fails or is canceled."""

    id: Annotated[
        uuid.UUID,
        Meta(description="Id of the scan. Elsewhere, it is called `scan_id`."),
    ]
    domain_id: Annotated[uuid.UUID, Meta(description="Domain that is scanned.")]
    domain: Annotated[str, Meta(description="Host name of the domain when the scan was submitted.")]
    livemode: Annotated[bool, Meta(description=LIVEMODE_MEANING)]
    measurement_scope: Annotated[
        Scope,
        Meta(
            description="Kind of scan. In the Console API and in events always `console_check`, a scan on demand. In "
            "the Data API `full_check`, `daily_check` or `free_audit` (the only check of the Free plan)."
        ),
    ]
    measurement_label: Annotated[str, Meta(description="Display name of the kind of scan.")]
    status: Annotated[
        ScanStatus, Meta(description="`pending`, then `running`, then `completed`, `failed` or `cancelled`.")
    ]
    answers_total: Annotated[int, Meta(description="Number of expected answers: prompts times platforms.")]
    answers_completed: Annotated[
        int, Meta(description="Number of replies from platforms, including replies without an AI answer.")
    ]
    answers_failed: Annotated[
        int, Meta(description="Number of answers that could not be obtained. No metric counts them.")
    ]
    visibility_score: Annotated[
        float | None,
        Meta(description=f"{VISIBILITY_SCORE_MEANING}. Null until completed, and without a valid answer."),
    ]
    brand_coverage_pct: Annotated[
        float | None,
        Meta(
            description="Share of answers that name the brand, in percent. Null until completed, "
            "and without a valid answer."
        ),
    ]
    ai_mentions: Annotated[
        int | None,
        Meta(description="Number of answers that name the brand. Null until completed, and without a valid answer."),
    ]
    citation_count: Annotated[
        int | None,
        Meta(description="Number of cited pages of the brand, each counted once per answer. Null until completed."),
    ]
    market_position: Annotated[
        int | None,
        Meta(
            description="Rank among the competitors, 1 is best. Null until completed, without competitors, if the "
            "brand is neither named nor cited, and for a Daily Check: Full Checks set it."
        ),
    ]
    started_at: Annotated[Timestamp | None, Meta(description="When the scan started to run. Null until then.")]
    completed_at: Annotated[
        Timestamp | None, Meta(description="When the scan completed, failed or was canceled. Null until then.")
    ]
    duration_seconds: Annotated[
        float | None,
        Meta(description="Seconds from start to end. Null before the end, and for a scan that never started."),
    ]
    error_message: Annotated[str | None, Meta(description="Why the scan failed. Null otherwise.")]
    selected_platforms: Annotated[list[str], Meta(description="Keys of the platforms that are asked.")]
    customer_keywords: Annotated[
        list[str],
        Meta(
            description="Prompts that you sent, trimmed and without repeats. Empty if they were suggested, and for "
            "scheduled checks."
        ),
    ]
    keywords_note: Annotated[
        str | None,
        Meta(
            description="If Sightline had too few good suggestions for prompts, it added general questions, and this "
            "text says why. Null otherwise."
        ),
    ]
    content_project_id: Annotated[
        str | None, Meta(description="Your own reference, as you sent it. Null if you sent none.")
    ]
    credits_charged: Annotated[
        int, Meta(description="Credits that were charged when the scan was accepted. Scheduled checks cost none.")
    ]
    credits_refunded: Annotated[
        int,
        Meta(
            description="Credits that were refunded. A scan that failed, or was canceled before it started, is "
            "refunded in full. A completed scan is refunded for each platform whose answers all "
            "failed."
        ),
    ]
    answers_source: Annotated[
        AnswersSource,
        Meta(
            description="`live`: real platforms were asked. `sandbox`: the answers are made up, as in test "
            "mode and while no platform is connected."
        ),
    ]
    answers_expired_at: Annotated[
        Timestamp | None,
        Meta(
            description="When the answers were deleted, because the operator limits how long answers are stored. All "
            "figures stay unchanged. Null while the answers are stored."
        ),
    ]
    created_at: Annotated[Timestamp, Meta(description="When the scan was created.")]


def to_scan(row: ScanRow) -> Scan:
    return convert_struct(
        Scan,
        row,
        measurement_label=SCOPE_LABELS[row.measurement_scope],
        visibility_score=round_value(row.visibility_score),
        brand_coverage_pct=round_value(row.brand_coverage_pct),
        market_position=None if row.measurement_scope == "daily_check" else row.market_position,
        started_at=to_iso_or_none(row.started_at),
        completed_at=to_iso_or_none(row.completed_at),
        duration_seconds=_duration(row.started_at, row.completed_at),
        answers_expired_at=None if row.is_sealed else to_iso_or_none(row.answers_expired_at),
        created_at=to_iso(row.created_at),
    )


def scan_path(scan_id: uuid.UUID) -> str:
    return f"/api/v1/console/scans/{scan_id}"


def _duration(started: datetime | None, ended: datetime | None) -> float | None:
    """Return the seconds between two times, or 0 if the clocks of two machines put the end before the start."""
    if started is None or ended is None:
        return None
    return round_half_away(max((ended - started).total_seconds(), 0.0), 3)


# Examples

EXAMPLE_SCAN_ID = uuid.UUID("01990f70-3e15-7a62-b0c4-9d8e71f2a356")

PATH_IDS = {"console": {"scan_id": str(EXAMPLE_SCAN_ID)}, "data": {"scan_id": str(CHECK_ID)}}

EXAMPLE_SCAN = Scan(
    id=EXAMPLE_SCAN_ID,
    domain_id=CONSOLE_DOMAIN_ID,
    domain="acme.com",
    livemode=False,
    measurement_scope="console_check",
    measurement_label="Console Check",
    status=ScanStatus.COMPLETED,
    answers_total=1,
    answers_completed=1,
    answers_failed=0,
    visibility_score=100.0,
    brand_coverage_pct=100.0,
    ai_mentions=1,
    citation_count=1,
    market_position=1,
    started_at="2026-11-14T09:30:01.044120+00:00",
    completed_at="2026-11-14T09:30:09.391873+00:00",
    duration_seconds=8.348,
    error_message=None,
    selected_platforms=["chatgpt"],
    customer_keywords=[CHECKED_PROMPT],
    keywords_note=None,
    content_project_id="spring-launch",
    credits_charged=1,
    credits_refunded=0,
    answers_source="sandbox",
    answers_expired_at=None,
    created_at="2026-11-14T09:30:00.123456+00:00",
)
PENDING_EXAMPLE_SCAN = msgspec.structs.replace(
    EXAMPLE_SCAN,
    status=ScanStatus.PENDING,
    answers_completed=0,
    visibility_score=None,
    brand_coverage_pct=None,
    ai_mentions=None,
    citation_count=None,
    market_position=None,
    started_at=None,
    completed_at=None,
    duration_seconds=None,
)
CANCELLED_EXAMPLE_SCAN = msgspec.structs.replace(
    PENDING_EXAMPLE_SCAN,
    status=ScanStatus.CANCELLED,
    completed_at="2026-11-14T09:30:04.870211+00:00",
    credits_refunded=PENDING_EXAMPLE_SCAN.credits_charged,
)
FAILED_EXAMPLE_SCAN = msgspec.structs.replace(
    EXAMPLE_SCAN,
    status=ScanStatus.FAILED,
    answers_completed=0,
    answers_failed=EXAMPLE_SCAN.answers_total,
    visibility_score=None,
    brand_coverage_pct=None,
    ai_mentions=None,
    citation_count=None,
    market_position=None,
    error_message="Every answer failed. chatgpt: The platform did not respond in time.",
    credits_refunded=EXAMPLE_SCAN.credits_charged,
)

EXAMPLE_CHECK = msgspec.structs.replace(
    EXAMPLE_SCAN,
    id=CHECK_ID,
    domain_id=TRACKED_DOMAIN_ID,
    measurement_scope="full_check",
    measurement_label="Full Check",
    livemode=True,
    completed_at="2026-11-14T09:32:41.530922+00:00",
    duration_seconds=160.487,
    customer_keywords=[],
    keywords_note=None,
    content_project_id=None,
    credits_charged=0,
)

EXAMPLES = {
    "list_scans": Example([EXAMPLE_SCAN]),
    "read_scan": Example(EXAMPLE_SCAN),
    "cancel_scan": Example(CANCELLED_EXAMPLE_SCAN),
    "list_checks": Example([EXAMPLE_CHECK]),
    "read_check": Example(EXAMPLE_CHECK),
}

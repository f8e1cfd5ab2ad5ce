"""Examples of Console scans, their results and their answers."""

from collections.abc import Mapping
from uuid import UUID

import msgspec

from sightline.answers.models import Citation, Occurrence
from sightline.api.openapi.examples.example import CONSOLE_DOMAIN_ID, WORKSPACE_ID, Example, envelope, page
from sightline.metrics.figure import Figure
from sightline.platforms.models import Source, Span, Usage
from sightline.scans.progress import encode_state
from sightline.scans.schemas.answer import Answer, AnswerBrand, AnswerProvenance
from sightline.scans.schemas.results import (
    CompetitorResult,
    Details,
    Headline,
    PlatformResult,
    PromptCell,
    PromptResult,
    ScanResults,
    SourceResult,
)
from sightline.scans.schemas.scan import Scan
from sightline.scans.schemas.scan_events import ScanEventData
from sightline.scans.schemas.submission import ScanPreview
from sightline.scans.states import ScanStatus

_SCAN_ID = UUID("01990f70-3e15-7a62-b0c4-9d8e71f2a356")
_ANSWER_ID = UUID("01990f70-44b7-7d18-92e5-06af3c71d9b4")
_PROMPT = "Which anvil suits a small forge?"

PATH_IDS: Mapping[str, str] = {"scan_id": str(_SCAN_ID), "answer_id": str(_ANSWER_ID)}

COMPLETED_SCAN = Scan(
    id=_SCAN_ID,
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
    customer_keywords=[_PROMPT],
    keywords_note=None,
    content_project_id="spring-launch",
    credits_charged=1,
    credits_refunded=0,
    answers_source="sandbox",
    answers_expired_at=None,
    created_at="2026-11-14T09:30:00.123456+00:00",
)
_PENDING = msgspec.structs.replace(
    COMPLETED_SCAN,
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
CANCELLED_SCAN = msgspec.structs.replace(
    _PENDING,
    status=ScanStatus.CANCELLED,
    completed_at="2026-11-14T09:30:04.870211+00:00",
    credits_refunded=_PENDING.credits_charged,
)
FAILED_SCAN = msgspec.structs.replace(
    COMPLETED_SCAN,
    status=ScanStatus.FAILED,
    answers_completed=0,
    answers_failed=COMPLETED_SCAN.answers_total,
    visibility_score=None,
    brand_coverage_pct=None,
    ai_mentions=None,
    citation_count=None,
    market_position=None,
    error_message="Every answer failed. chatgpt: The platform did not respond in time.",
    credits_refunded=COMPLETED_SCAN.credits_charged,
)


def _figure(value: float, low: float | None, high: float | None, part: float | None = 1, of: float = 1) -> Figure:
    return Figure(
        value=value,
        low=low,
        high=high,
        n=1,
        numerator=part,
        denominator=of,
        early_reading=True,
        incomplete=False,
        prompts=1,
        market=None,
    )


_SHARE = _figure(100.0, 20.7, 100.0)
_COUNT = _figure(1, None, None)
FIGURES = {
    "visibility_score": _figure(100.0, 20.7, 100.0),
    "brand_coverage_pct": _SHARE,
    "ai_mentions": _COUNT,
    "citation_count": _COUNT,
    "market_position": _figure(1, 1, 2, None, 2),
    "share_of_voice_pct": _figure(50.0, 5.5, 94.5, 1, 2),
}
PLATFORM_RESULT = PlatformResult(
    platform="chatgpt",
    planned=1,
    valid=1,
    no_surface=0,
    failed=0,
    unanswered=0,
    incomplete=False,
    surface_rate=None,
    faults=(),
    **FIGURES,
)
_OWN_BRAND = CompetitorResult(
    name="Acme",
    domains=("acme.com", "acme.io"),
    is_own=True,
    score=_SHARE,
    position=1,
    position_low=1,
    position_high=2,
    tied=False,
    mentions=1,
    share_of_voice_pct=50.0,
)
_COMPETITOR = CompetitorResult(
    name="Globex",
    domains=("globex.com",),
    is_own=False,
    score=_figure(68.9, 10.0, 97.8, 0.6893),
    position=2,
    position_low=1,
    position_high=2,
    tied=False,
    mentions=1,
    share_of_voice_pct=50.0,
)
RANKING = (_OWN_BRAND, _COMPETITOR)
SOURCES = (
    SourceResult(domain="acme.com", type="own", urls=1, answers=1, is_own=True, is_competitor=False),
    SourceResult(domain="forgenotes.com", type="other", urls=1, answers=1, is_own=False, is_competitor=False),
)
_RESULTS = ScanResults(
    scan_id=_SCAN_ID,
    status="completed",
    metrics_version="2",
    extractor_version="1",
    planned=1,
    valid=1,
    no_surface=0,
    failed=0,
    unanswered=0,
    incomplete=False,
    early_reading=True,
    only_branded=False,
    headline=Headline(**FIGURES),
    details=Details(
        visibility_score_market=None,
        brand_coverage_pct_market=None,
        prompt_reach=_SHARE,
        citation_rate=_SHARE,
        citation_share=_figure(50.0, 5.5, 94.5, 1, 2),
        mention_occurrences=_COUNT,
        weighted_share_of_voice_pct=_figure(61.3, 8.0, 96.6, 1, 1.6309),
    ),
    branded=None,
    platforms=(PLATFORM_RESULT,),
    prompts=(
        PromptResult(
            prompt=_PROMPT,
            language=None,
            country=None,
            branded=False,
            platforms=(
                PromptCell(
                    platform="chatgpt", status="ok", mentioned=True, cited=True, position=1, answer_id=str(_ANSWER_ID)
                ),
            ),
        ),
    ),
    competitors=RANKING,
    sources=SOURCES,
    candidates=(),
    sentiment=None,
)
STORED_ANSWER = Answer(
    id=_ANSWER_ID,
    scan_id=_SCAN_ID,
    prompt=_PROMPT,
    language=None,
    country=None,
    platform="chatgpt",
    status="ok",
    text="1. Acme: light and quiet.\n2. Globex: heavier, and cheaper.",
    cited_sources=(
        Source("https://acme.com/anvils", "Anvils", (Span(0, 25),)),
        Source("https://forgenotes.com/anvils", None, (Span(26, 58),)),
    ),
    retrieved_sources=(),
    queries=("best anvil small forge",),
    fault=None,
    mentioned=True,
    cited=True,
    position=1,
    stance="neutral",
    brands=(
        AnswerBrand(
            name="Acme",
            is_own=True,
            mentioned=True,
            cited=True,
            position=1,
            stance="neutral",
            occurrences=(Occurrence(3, 7, "Acme", "neutral"),),
            cited_urls=("acme.com/anvils",),
        ),
        AnswerBrand(
            name="Globex",
            is_own=False,
            mentioned=True,
            cited=False,
            position=2,
            stance="neutral",
            occurrences=(Occurrence(29, 35, "Globex", "neutral"),),
            cited_urls=(),
        ),
    ),
    citations=(
        Citation("acme.com/anvils", "acme.com", "acme.com"),
        Citation("forgenotes.com/anvils", "forgenotes.com", "forgenotes.com"),
    ),
    candidates=(),
    provenance=AnswerProvenance(
        surface="sandbox",
        vendor="sandbox",
        model_asked="sandbox-chatgpt",
        model_served="sandbox-chatgpt",
        country_honoured=None,
        tool_version=None,
        request_id="sbx_0a7e41c25b90",
        usage=Usage(input_tokens=8, output_tokens=14, searches=1),
        latency_ms=7_914,
        attempts=1,
    ),
    answered_at="2026-11-14T09:30:09.107344+00:00",
)
_PREVIEW = ScanPreview(
    credits_required=1,
    balance=42,
    balance_after=41,
    sufficient=True,
    exceeds_max_credits=False,
    answers_total=1,
    platforms=["chatgpt"],
    keywords=[_PROMPT],
    keywords_source="given",
    active_scan_id=None,
)
_SCAN_REQUEST = {
    "domain_id": str(CONSOLE_DOMAIN_ID),
    "keywords": [_PROMPT],
    "platforms": ["chatgpt"],
    "max_credits": 5,
    "content_project_id": "spring-launch",
}


def to_event_data(scan: Scan) -> ScanEventData:
    return ScanEventData(**msgspec.structs.asdict(scan), workspace_id=UUID(WORKSPACE_ID))


def _event(name: str, scan: Scan) -> str:
    state = encode_state(scan.status, scan.answers_total, scan.answers_completed, scan.answers_failed)
    return f"id: {state}\nevent: {name}\ndata: {msgspec.json.encode(to_event_data(scan)).decode()}\n\n"


EXAMPLES: Mapping[str, Example] = {
    "list_scans": Example(page(COMPLETED_SCAN)),
    "submit_scan": Example(envelope(_PENDING), _SCAN_REQUEST),
    "preview_scan": Example(envelope(_PREVIEW), _SCAN_REQUEST),
    "read_scan": Example(envelope(COMPLETED_SCAN)),
    "read_scan_results": Example(envelope(_RESULTS)),
    "cancel_scan": Example(envelope(CANCELLED_SCAN)),
    "follow_scan_events": Example(
        _event("progress", _PENDING) + _event("progress", COMPLETED_SCAN) + _event("end", COMPLETED_SCAN)
    ),
    "list_scan_answers": Example(page(STORED_ANSWER)),
    "read_scan_answer": Example(envelope(STORED_ANSWER)),
}

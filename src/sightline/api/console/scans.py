"""Console scans: submit, preview, list, read, cancel, results, and progress while one runs."""

from functools import partial
from typing import cast

import msgspec

from sightline.accounts.models import Role
from sightline.api.edge.authentication import is_still_allowed
from sightline.api.edge.envelope import Envelope, Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Filter, Resource
from sightline.api.edge.responses import Stream
from sightline.api.edge.stream_admission import EVENT_STREAM, take_stream_place
from sightline.credits.ledger import build_credit_rules
from sightline.domains.models import ConsoleDomainRow
from sightline.domains.register import read_domain
from sightline.kit.examples import Example
from sightline.kit.ids import parse_id
from sightline.platforms.pauses import read_enabled
from sightline.scans import cancel, console_scans, preview, submit
from sightline.scans.draft import ScanDraft, draft_scan
from sightline.scans.progress import encode_state
from sightline.scans.schemas.results import ScanResults
from sightline.scans.schemas.scan import EXAMPLE_SCAN, PENDING_EXAMPLE_SCAN, Scan, scan_path, to_scan
from sightline.scans.schemas.scan_events import ScanStreamEvent, build_example_event
from sightline.scans.schemas.submission import ScanInput, ScanPreview

RESOURCE = Resource(
    "console",
    "Scans",
    "Scans on demand: submit a scan, pay with credits, follow its progress, and read its results and answers.",
    {"scans": "Scans: paid measurements of a domain"},
)

_BODY_LIMIT = 256 * 1024
_SHARED_PROBLEMS = ("domain_not_found", "unknown_platform", "platform_unavailable")


class _DomainReference(msgspec.Struct):
    domain_id: str = ""


@RESOURCE.operation(
    "GET",
    "/scans",
    summary="List scans",
    sdk="scans.list",
    paged=True,
    page_size=True,
    filters=(Filter("domain_id", "Only scans of this domain. A removed domain keeps its scans."),),
)
async def list_scans(exchange: Exchange) -> Page[Scan]:
    """List scans, most recently created first. For an unknown domain, the list is empty."""
    paging = exchange.paging("console.scans")
    rows = await console_scans.list_scans(
        exchange.db,
        exchange.actor,
        domain_id=exchange.filters.get("domain_id"),
        after=paging.after_time_and_id,
        page_size=paging.size,
    )
    return paging.page(rows.map(to_scan))


@RESOURCE.operation(
    "POST",
    "/scans",
    summary="Submit a scan",
    sdk="scans.submit",
    scope="scans",
    role=Role.EDITOR,
    body=ScanInput,
    body_limit=_BODY_LIMIT,
    idempotency="required",
    success_status=202,
    problems=(*_SHARED_PROBLEMS, "max_credits_exceeded", "scan_in_progress", "insufficient_credits"),
)
async def submit_scan(exchange: Exchange) -> Envelope[Scan]:
    """Accept a scan and charge its credits: the number of platforms times the price of one platform.

    The operator sets this price. Preview a scan to see the total. A domain can have only one active scan at a time. A
    repeated request with the same Idempotency-Key returns the same response and charges nothing. The header `Location`
    contains the address of the scan.
    """
    domain, draft = await _draft(exchange, lock=True)
    rules = build_credit_rules(exchange.app_context.settings)
    row = await submit.submit_scan(exchange.tx, exchange.actor, domain, draft, rules=rules, now=exchange.now)
    exchange.respond_with(location=scan_path(row.id))
    return Envelope(to_scan(row))


async def _draft(exchange: Exchange, *, lock: bool) -> tuple[ConsoleDomainRow, ScanDraft]:
    """Read the domain and draft the scan.

    The domain is read before the rest of the body is validated, so that a missing domain is reported first. A body
    without a domain is refused as invalid.
    """
    tx, actor, app_context = exchange.tx, exchange.actor, exchange.app_context
    domain_id = _find_domain_id(exchange.body) or exchange.decode_body(ScanInput).domain_id
    domain = await read_domain(tx, actor, parse_id(domain_id), lock=lock)
    enabled = await read_enabled(tx, app_context.platforms[actor.livemode])
    payload = exchange.decode_body(ScanInput)
    return domain, draft_scan(actor, domain, payload, settings=app_context.settings, enabled=enabled)


def _find_domain_id(body: bytes) -> str:
    try:
        return msgspec.json.decode(body, type=_DomainReference).domain_id
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return ""


@RESOURCE.operation(
    "POST",
    "/scans/preview",
    summary="Preview a scan",
    sdk="scans.preview",
    scope="scans",
    role=Role.EDITOR,
    body=ScanInput,
    body_limit=_BODY_LIMIT,
    problems=_SHARED_PROBLEMS,
)
async def preview_scan(exchange: Exchange) -> Envelope[ScanPreview]:
    """Return the price of a scan, and the prompts and platforms that it would ask. Nothing is charged.

    Send the same body as for submitting the scan. A preview is refused for the same reasons as the scan, except for
    a price above `max_credits`, too few credits and an active scan, which the response reports.
    """
    domain, draft = await _draft(exchange, lock=False)
    rules = build_credit_rules(exchange.app_context.settings)
    return Envelope(
        await preview.preview_scan(exchange.tx, exchange.actor, domain, draft, rules=rules, now=exchange.now)
    )


@RESOURCE.operation(
    "GET",
    "/scans/{scan_id}",
    summary="Read a scan",
    sdk="scans.retrieve",
    problems=("scan_not_found",),
)
async def read_scan(exchange: Exchange, scan_id: str) -> Envelope[Scan]:
    """Return one scan with its progress and, once it has completed, its headline metrics.

    Except for `citation_count`, the metrics leave out prompts that name the brand, unless all prompts name it.
    """
    return Envelope(to_scan(await console_scans.read_scan(exchange.db, exchange.actor, parse_id(scan_id))))


@RESOURCE.operation(
    "GET",
    "/scans/{scan_id}/results",
    summary="Read the results of a scan",
    sdk="scans.results",
    problems=("scan_not_found", "results_not_ready"),
)
async def read_scan_results(exchange: Exchange, scan_id: str) -> Envelope[ScanResults]:
    """Return the results of a completed scan.

    The results contain the headline metrics with their 95% ranges, overall and for each platform. They also contain the
    result of each prompt on each platform, the ranking of the competitors, and the cited sources.
    """
    scan, stored = await console_scans.read_results(exchange.db, exchange.actor, parse_id(scan_id))
    metadata = msgspec.json.encode(
        {
            "scan_id": scan.id,
            "status": scan.status,
            "metrics_version": stored.metrics_version,
            "extractor_version": stored.extractor_version,
        }
    )
    # The stored JSON was encoded from the same types when the scan completed, so it is sent as it is.
    return Envelope(cast(ScanResults, msgspec.Raw(metadata[:-1] + b"," + stored.results.lstrip()[1:])))


@RESOURCE.operation(
    "POST",
    "/scans/{scan_id}/cancel",
    summary="Cancel a scan",
    sdk="scans.cancel",
    scope="scans",
    role=Role.EDITOR,
    problems=("scan_not_found", "scan_not_cancellable"),
)
async def cancel_scan(exchange: Exchange, scan_id: str) -> Envelope[Scan]:
    """Cancel a scan that is pending or running.

    A pending scan is refunded. A running scan is not refunded, and keeps the answers that it has. A scan that has ended
    cannot be canceled (409).
    """
    rules = build_credit_rules(exchange.app_context.settings)
    row = await cancel.cancel_scan(exchange.tx, exchange.actor, parse_id(scan_id), rules=rules, now=exchange.now)
    return Envelope(to_scan(row))


@RESOURCE.operation(
    "GET",
    "/scans/{scan_id}/events",
    summary="Follow a scan",
    sdk="scans.events",
    stream_media_type=EVENT_STREAM,
    stream_event=ScanStreamEvent,
    saves_copy=False,
    problems=("scan_not_found",),
)
async def follow_scan_events(exchange: Exchange, scan_id: str) -> Stream:
    """Stream the progress of a scan as server-sent events.

    Each event contains the scan with its `workspace_id`. The event `progress` is sent at the start and whenever the
    status or the counts change. The event `end` is sent after the scan has ended, and is the last event. The stream
    also closes after ten minutes, and within a minute after the key is revoked. To continue, open it again and send the
    last `id` as `Last-Event-ID`. At most 10 streams per key and 50 per workspace can be open at a time; any further
    stream is refused (429).
    """
    app_context = exchange.app_context
    scan = await console_scans.read_scan(exchange.db, exchange.actor, parse_id(scan_id))
    give_back = take_stream_place(exchange)
    events = app_context.feeds.follow(scan, last_id=exchange.header(b"last-event-id"))
    exchange.respond_with(x_accel_buffering="no")  # otherwise a proxy may buffer the events until the end
    return Stream(
        app_context.stream_places.limit_stream(
            events, give_back, clock=app_context.clock, is_allowed=partial(is_still_allowed, exchange)
        )
    )


# Examples


def _write_event(name: str, scan: Scan) -> str:
    state = encode_state(scan.status, scan.answers_total, scan.answers_completed, scan.answers_failed)
    return f"id: {state}\nevent: {name}\ndata: {msgspec.json.encode(build_example_event(scan)).decode()}\n\n"


EXAMPLES = {
    "follow_scan_events": Example(
        _write_event("progress", PENDING_EXAMPLE_SCAN)
        + _write_event("progress", EXAMPLE_SCAN)
        + _write_event("end", EXAMPLE_SCAN)
    )
}

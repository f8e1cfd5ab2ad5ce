"""Console scans: their price, submitting one with a quote, and results; also checks of tracked domains."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from sightline.kit.clock import to_iso
from sightline.mcp.confirmation import Asked, gather_content, require_consent
from sightline.mcp.figures import HEADLINE, ToolFigure, build_figure
from sightline.mcp.source import CurrentSource, Refused, Source, call_first
from sightline.mcp.spending import ScanQuote
from sightline.mcp.tables import Cell, Column, Table, build_whole_table, cut_text, name_column, take_rows
from sightline.mcp.toolbox import DomainId, ScanId, ToolOutput, tool
from sightline.mcp.tools.visibility import PLATFORM_COLUMNS, build_platform_row, describe_board, warn_of_sandbox

Keywords = Annotated[
    list[str] | None,
    Field(description="1 to 50 prompts to ask. If left out, ten prompts are suggested for the domain."),
]
Platforms = Annotated[
    list[str] | None, Field(description="Keys of platforms. If left out, all enabled platforms are asked.")
]
Livemode = Annotated[bool, Field(description="False in test mode: test credits are spent, and answers are made up.")]
_ANSWERS: tuple[Column, ...] = (
    name_column("prompt"),
    name_column("platform"),
    name_column("status", "ok, no_surface, failed or unanswered."),
    name_column("named", "Whether the answer names the brand. Null without an answer."),
    name_column("position", metric="market_position"),
    name_column("cited"),
    name_column("answer_id", "For get_answer."),
)


class ScanPreview(ToolOutput):
    """What a scan would ask and cost."""

    livemode: Livemode
    credits_required: int
    balance: int
    balance_after: int
    sufficient: bool
    answers_total: int
    platforms: list[str]
    keywords: Annotated[
        list[str],
        Field(description="Prompts that would be asked; at most ten are listed. Do not send suggested prompts back."),
    ]
    keywords_total: int
    active_scan_id: Annotated[
        str | None, Field(description="Scan that is still running. Until it ends, submitting is refused.")
    ]
    quote: Annotated[str | None, Field(description="Send it to submit_scan, with the same arguments.")]
    quote_expires_at: str | None
    no_quote_reason: str | None


class ScanState(ToolOutput):
    """A scan, its progress and, once completed, its figures."""

    scan_id: str
    domain_id: str
    domain: str
    kind: Annotated[str, Field(description="console_check, full_check, daily_check or free_audit.")]
    livemode: Livemode
    status: Annotated[str, Field(description="pending, running, completed, failed or cancelled.")]
    answers_total: int
    answers_completed: int
    answers_failed: int
    credits_charged: int
    credits_refunded: int
    completed_at: str | None
    error_message: str | None
    asked_person: Annotated[
        bool | None, Field(description="Whether a person agreed. Null if nothing was submitted.")
    ] = None
    headline: Annotated[dict[str, ToolFigure] | None, Field(description="Null until completed.")] = None
    platforms: Table | None = None
    answers: Annotated[Table | None, Field(description="Each prompt on each platform, as many as fit.")] = None


@tool("Preview a scan", "preview_scan")
async def preview_scan(
    source: CurrentSource, domain_id: DomainId, keywords: Keywords = None, platforms: Platforms = None
) -> ScanPreview:
    """Show what a scan of a Console domain would ask and cost, and get a quote. Nothing is charged.

    Use it before submit_scan, and show the price to the person. The quote is valid for ten minutes, for this key and
    exactly these arguments. Tracked domains are checked on a schedule and need no scan.
    """
    content = gather_content(domain_id, keywords, platforms)
    preview = (await source.call("preview_scan", body=_drop_nulls(content))).data
    text, quote, reason = _issue(source, content, preview)
    members = ("credits_required", "balance", "balance_after", "sufficient", "answers_total", "platforms")
    return ScanPreview(
        livemode=source.spending.livemode,
        **{name: preview[name] for name in (*members, "active_scan_id")},
        keywords=[cut_text(keyword, 200) for keyword in preview["keywords"][:10]],
        keywords_total=len(preview["keywords"]),
        quote=text,
        quote_expires_at=quote and to_iso(datetime.fromtimestamp(quote.expires_at, UTC)),
        no_quote_reason=reason,
    )


def _issue(
    source: Source, content: Mapping[str, Any], preview: Mapping[str, Any]
) -> tuple[str | None, ScanQuote | None, str | None]:
    """Return a quote, or why there is none."""
    if not preview["sufficient"]:
        return None, None, "The workspace has too few credits. A person can buy credits in the Console; no tool can."
    names = ", ".join(preview["platforms"])
    count = len(preview["keywords"])
    prompts = f"{count} prompt{'s' if count > 1 else ''}" if count else "Ten suggested prompts"
    price = preview["credits_required"]
    summary = f"{prompts} on {names}: {preview['answers_total']} answers for {price} of {preview['balance']} credits."
    try:
        text, quote = source.spending.issue(content, price, summary)
    except ToolError as refusal:
        return None, None, str(refusal)
    return text, quote, None


@tool("Submit a scan", "submit_scan", writes=True, open_world=True)
async def submit_scan(
    source: CurrentSource,
    asked: Asked,
    quote: Annotated[str, Field(description="The quote from preview_scan, unchanged.")],
    domain_id: DomainId,
    keywords: Keywords = None,
    platforms: Platforms = None,
) -> ScanState:
    """Submit a scan of a Console domain and pay for it with credits. It needs a quote from preview_scan.

    Use it only when a person wants the scan and has seen its price. If the client supports it, the person is asked to
    confirm. The same quote never charges twice. Afterwards, call get_scan until the scan has completed.
    """
    content = gather_content(domain_id, keywords, platforms)
    accepted = source.spending.accept(quote, content)
    was_asked = require_consent(asked)
    body = {**_drop_nulls(content), "max_credits": accepted.credits, "content_project_id": accepted.reference}
    reply = await source.submit_scan(accepted, body)
    return _build_state(reply.data, asked_person=was_asked)


@tool("Get a scan", "read_scan", "read_check")
async def get_scan(source: CurrentSource, scan_id: ScanId) -> ScanState:
    """Read the progress of a scan and, once a Console scan has completed, its figures and answer ids.

    Use it after submit_scan, and for results of a Console scan. For a check of a tracked domain it returns only the
    progress. For the figures, call get_visibility with its scan id.
    """
    reply = await call_first(source, ("read_scan", "read_check"), {"scan_id": scan_id}, missing="scan_not_found")
    scan = reply.data
    if scan["measurement_scope"] != "console_check":
        return _build_state(scan, notes=[*reply.notes, "For the figures, call get_visibility with this scan_id."])
    if scan["status"] != "completed":
        return _build_state(scan, notes=reply.notes)
    try:
        results = (await source.call("read_scan_results", path={"scan_id": scan_id})).data
    except Refused as refusal:
        return _build_state(scan, notes=[*reply.notes, str(refusal)])
    rows = [row for prompt in results["prompts"] for row in _to_answers(prompt)]
    return _build_state(
        scan,
        headline={
            key: build_figure(key, results["headline"][key], describe_board({**results, "source": "scan"}, key))
            for key in HEADLINE
        },
        platforms=build_whole_table(PLATFORM_COLUMNS, [build_platform_row(row) for row in results["platforms"]]),
        answers=build_whole_table(_ANSWERS, take_rows(rows, 3_500)),
        notes=reply.notes,
    )


def _to_answers(prompt: Mapping[str, Any]) -> list[list[Cell]]:
    text = cut_text(prompt["prompt"], 120)
    names = ("platform", "status", "mentioned", "position", "cited", "answer_id")
    return [[text, *(cell[name] for name in names)] for cell in prompt["platforms"]]


def _build_state(scan: Mapping[str, Any], *, notes: Sequence[str] = (), **more: Any) -> ScanState:
    counts = ("answers_total", "answers_completed", "answers_failed", "credits_charged", "credits_refunded")
    members = ("domain_id", "domain", "livemode", "status", *counts, "completed_at", "error_message")
    return ScanState(
        scan_id=scan["id"],
        kind=scan["measurement_scope"],
        **{name: scan[name] for name in members},
        notes=[*notes, *warn_of_sandbox(scan)],
        **more,
    )


def _drop_nulls(content: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in content.items() if value is not None}

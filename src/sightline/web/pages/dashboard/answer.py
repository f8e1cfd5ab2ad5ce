"""One answer: its text with brands highlighted, its sources, its provenance, and the answers before and after it."""

from litestar import Response
from litestar.params import FromPath

from sightline.competitors.display_order import assign_display_order
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.platforms.names import platform_name
from sightline.presentation.dates import format_short_datetime
from sightline.presentation.phrases import FAULT_PHRASES, country_name
from sightline.scans.schemas.scan import SCOPE_LABELS
from sightline.scans.stored import decode_measured
from sightline.scans.tracked_scans import read_answer_with_prompt, read_tracked_scan
from sightline.scoreboard.history.prompt_history import AdjacentResults, CellResult, find_neighbors
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.answer_text import brand_css_class, list_brands, list_links, split_text
from sightline.web.pages.dashboard.heat_strips import build_facts_square, classify_facts, describe_state
from sightline.web.routing import page


@page("/w/{workspace:str}/d/{domain:str}/answers/{scan_id:str}/{answer_id:str}")
async def answer_page(
    request: PageRequest,
    workspace: FromPath[str],
    domain: FromPath[str],
    scan_id: FromPath[str],
    answer_id: FromPath[str],
) -> Response[str]:
    ctx = await open_domain(request, workspace, domain)
    assert ctx.domain is not None
    db = ctx.db
    scan = await read_tracked_scan(db, ctx.actor, parse_id(scan_id))
    if scan.domain_id != ctx.domain.id:
        raise Problem("scan_not_found")
    prompt, found = await read_answer_with_prompt(db, scan, parse_id(answer_id))
    prompt_id = parse_id(prompt.id)
    near = await find_neighbors(db, scan, prompt_id, found.platform) if prompt_id else AdjacentResults(None, None, None)
    measured = decode_measured(scan.brand)
    tracked = (measured.brand, *measured.competitors)
    known = {each.url for each in found.cited_sources}
    places = await assign_display_order(db, scan.workspace_id, scan.domain_id, measured.competitors)
    css_classes = {name: brand_css_class(number) for name, number in {**places, measured.brand.name: 0}.items()}
    return render_page(
        ctx,
        "app/answer.html",
        section="prompts",
        title=f"{platform_name(found.platform)} on “{prompt.text}”",
        answer=found,
        scan=scan,
        label=SCOPE_LABELS[scan.measurement_scope],
        platform=platform_name(found.platform),
        prompt_path=ctx.path("prompts", prompt.id) if prompt_id else None,
        lines=split_text(found, css_classes),
        brands=list_brands(found, css_classes),
        cited=list_links(found.cited_sources, tracked, css_classes),
        retrieved=list_links([each for each in found.retrieved_sources if each.url not in known], tracked, css_classes),
        fault=FAULT_PHRASES[found.fault.kind] if found.fault else None,
        country=country_name(found.country),
        before=_describe_neighbor(ctx, near.previous),
        after=_describe_neighbor(ctx, near.next),
        changed=_describe_change(near),
    )


def _describe_neighbor(ctx: PageContext, seen: CellResult | None) -> dict[str, object] | None:
    if seen is None:
        return None
    square = build_facts_square(seen.facts, seen.prompt_scan.scan_id)
    return {
        "path": ctx.path(square.path or ""),
        "square": square,
        "when": f"{SCOPE_LABELS[seen.prompt_scan.scope]} {format_short_datetime(seen.prompt_scan.completed_at)}",
    }


def _describe_change(near: AdjacentResults) -> str | None:
    """Return how the answer differs from that of the previous check; one cell never proves a trend."""
    if near.current is None or near.previous is None:
        return None
    now, then = (describe_state(classify_facts(seen.facts), seen.facts.rank) for seen in (near.current, near.previous))
    sources = near.current.facts.source_domains, near.previous.facts.source_domains
    new = [name for name in sources[0] if name not in sources[1]]
    gone = [name for name in sources[1] if name not in sources[0]]
    parts = [f"As in the check before: {now}." if now == then else f"In the check before {then}, now {now}."]
    if new:
        parts.append(f"Newly cited: {', '.join(new[:5])}{' …' if len(new) > 5 else ''}.")
    if gone:
        parts.append(f"No longer cited: {', '.join(gone[:5])}{' …' if len(gone) > 5 else ''}.")
    return " ".join(parts)


PAGES = (answer_page,)

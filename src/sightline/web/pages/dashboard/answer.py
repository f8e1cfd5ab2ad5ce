"""One answer: its text with brands highlighted, its sources, its provenance, and the answers before and after it."""

import asyncio
import re
from collections.abc import Sequence
from typing import NamedTuple

from starlette.responses import Response

from sightline.answers.corrections import find_prose_span, suggest_phrases
from sightline.answers.names import Lexicon
from sightline.answers.prepare import prepare
from sightline.competitors.display_order import assign_display_order
from sightline.domains.recomputations.queries import read_recomputation
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.platforms.names import platform_name
from sightline.presentation.dates import format_short_date, format_short_datetime
from sightline.presentation.language import choose_text, gettext, translatable
from sightline.presentation.phrases import FAULT_PHRASES, country_name
from sightline.scans.analyze_answer import names_brand
from sightline.scans.corrections.models import SignedCorrection
from sightline.scans.corrections.read import list_corrections_of_answer
from sightline.scans.models import ScanPrompt
from sightline.scans.payloads.object_store import StoreUnavailable
from sightline.scans.payloads.read import read_payload
from sightline.scans.schemas.answer import Answer
from sightline.scans.schemas.scan import SCOPE_LABELS
from sightline.scans.stored import ScanRow, decode_measured
from sightline.scans.tracked_scans import read_answer_with_prompt, read_tracked_scan
from sightline.scoreboard.history.prompt_history import AdjacentResults, CellResult, find_neighbors
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.answer_text import brand_css_class, list_brands, list_links, split_text
from sightline.web.pages.dashboard.heat_strips import build_facts_square, classify_facts, describe_state
from sightline.web.routing import page

_PLACE = re.compile(r"(\d{1,9})-(\d{1,9})")
_MAX_SITES = 5
_STANCE_TEXTS = {
    "contrast": translatable("only for comparison"),
    "discouraged": translatable("advised against"),
    "unknown": translatable("not known to the platform"),
}
_DONE_TEXTS = {
    "corrected": translatable("Saved. Past results are updated with your correction."),
    "undone": translatable("Undone. Past results are updated without the correction."),
}


class OpenAnswer(NamedTuple):
    """An answer of the domain that a page is about, with its check, its prompt and its corrections."""

    scan: ScanRow
    prompt: ScanPrompt
    answer: Answer
    corrections: Sequence[SignedCorrection]

    def is_corrected(self, start: int, end: int) -> bool:
        return any(each.correction.overlaps(start, end) for each in self.corrections)


class WrongName(NamedTuple):
    """A marked name that somebody is about to call wrong, and phrases in which it may be something else."""

    start: int
    end: int
    words: str
    phrases: Sequence[str]


@page("/w/{workspace}/d/{domain}/answers/{scan_id}/{answer_id}")
async def answer_page(
    request: PageRequest,
    workspace: str,
    domain: str,
    scan_id: str,
    answer_id: str,
    wrong: str = "",
    done: str = "",
    against: str = "",
) -> Response:
    """Show an answer, compared with that of the check `against` or of the check before.

    `wrong` is the place of a marked name to correct, such as `41-45`.
    """
    ctx = await open_domain(request, workspace, domain)
    opened = await open_answer(ctx, scan_id, answer_id)
    return await render_answer(ctx, opened, against=against, wrong=wrong, done=done)


@page("/w/{workspace}/d/{domain}/answers/{scan_id}/{answer_id}/payload")
async def payload_page(
    request: PageRequest,
    workspace: str,
    domain: str,
    scan_id: str,
    answer_id: str,
) -> Response:
    """Show what the platform sent, as it was stored."""
    ctx = await open_domain(request, workspace, domain)
    opened = await open_answer(ctx, scan_id, answer_id)
    key = (opened.scan.workspace_id, opened.scan.id, opened.answer.id)
    payload = None
    fault = gettext("There is no stored response. The platform sent none, or its storage period has ended.")
    try:
        payload = await read_payload(ctx.db, ctx.app_context.payloads, key)
    except StoreUnavailable:
        fault = gettext("The response cannot be read at the moment: its storage does not respond. Try again later.")
    return render_page(
        ctx,
        "app/payload.html",
        section="answers",
        title=gettext("%(platform)s response", platform=platform_name(opened.answer.platform)),
        path=ctx.path("answers", str(opened.scan.id), str(opened.answer.id)),
        payload=payload,
        fault=fault,
    )


async def open_answer(ctx: PageContext, scan_id: str, answer_id: str) -> OpenAnswer:
    """Return an answer of the domain of the page. Refused: any other (404)."""
    assert ctx.domain is not None
    scan = await read_tracked_scan(ctx.db, ctx.actor, parse_id(scan_id))
    if scan.domain_id != ctx.domain.id:
        raise Problem("scan_not_found")
    prompt, found = await read_answer_with_prompt(ctx.db, ctx.app_context.sealed, scan, parse_id(answer_id))
    corrections = await list_corrections_of_answer(ctx.db, scan.workspace_id, scan.domain_id, found.id)
    return OpenAnswer(scan, prompt, found, corrections)


async def render_answer(
    ctx: PageContext,
    opened: OpenAnswer,
    *,
    against: str = "",
    wrong: str = "",
    done: str = "",
    problem: Problem | None = None,
) -> Response:
    """Show an answer, with the refusal of a correction if there was one."""
    db, scan, prompt, found = ctx.db, opened.scan, opened.prompt, opened.answer
    may_correct = ctx.may_edit and not scan.is_sealed
    prompt_id = parse_id(prompt.id)
    near = AdjacentResults(None, None, None)
    if prompt_id:
        near = await find_neighbors(db, scan, prompt_id, found.platform, against=parse_id(against))
    measured = decode_measured(scan.brand)
    tracked = (measured.brand, *measured.competitors)
    known = {each.url for each in found.cited_sources}
    places = await assign_display_order(db, scan.workspace_id, scan.domain_id, measured.competitors)
    css_classes = {name: brand_css_class(number) for name, number in {**places, measured.brand.name: 0}.items()}
    return render_page(
        ctx,
        "app/answer.html",
        section="answers",
        title=gettext("%(platform)s on “%(prompt)s”", platform=platform_name(found.platform), prompt=prompt.text),
        answer=found,
        scan=scan,
        label=gettext(SCOPE_LABELS[scan.measurement_scope]),
        platform=platform_name(found.platform),
        prompt_path=ctx.path("prompts", prompt.id) if prompt_id else None,
        path=ctx.path("answers", str(scan.id), str(found.id)),
        brand=measured.brand.name,
        branded=names_brand(prompt.text, Lexicon([measured.brand])),
        lines=split_text(found, css_classes),
        brands=list_brands(found, css_classes),
        stances=_STANCE_TEXTS,
        cited=list_links(found.cited_sources, tracked, css_classes),
        retrieved=list_links([each for each in found.retrieved_sources if each.url not in known], tracked, css_classes),
        fault=gettext(FAULT_PHRASES[found.fault.kind]) if found.fault else None,
        country=country_name(found.country),
        before=_describe_neighbor(ctx, near.previous),
        after=_describe_neighbor(ctx, near.next),
        changed=_describe_change(near),
        corrections=opened.corrections,
        is_corrected=opened.is_corrected,
        may_correct=may_correct,
        wrong=await asyncio.to_thread(_find_wrong_name, opened, wrong) if may_correct else None,
        recompute=await read_recomputation(db, scan.workspace_id, scan.domain_id),
        done=choose_text(_DONE_TEXTS, done),
        problem=problem,
    )


def _find_wrong_name(opened: OpenAnswer, place: str) -> WrongName | None:
    """Return the marked name at a place, or None if there is none that can be corrected."""
    match = _PLACE.fullmatch(place)
    if match is None:
        return None
    start, end = int(match[1]), int(match[2])
    own = [each for brand in opened.answer.brands if brand.is_own for each in brand.occurrences]
    if not any((each.start, each.end) == (start, end) for each in own) or opened.is_corrected(start, end):
        return None
    prepared = prepare(opened.answer.text, opened.prompt.text)
    span = find_prose_span(prepared, start, end)
    if span is None:
        return None
    return WrongName(start, end, prepared.prose[span[0] : span[1]], suggest_phrases(prepared, span))


def _describe_neighbor(ctx: PageContext, seen: CellResult | None) -> dict[str, object] | None:
    if seen is None:
        return None
    square = build_facts_square(seen.facts, seen.prompt_scan.scan_id)
    words = gettext(
        "%(check)s %(time)s: %(state)s",
        check=gettext(SCOPE_LABELS[seen.prompt_scan.scope]),
        time=format_short_datetime(seen.prompt_scan.completed_at),
        state=square.state,
    )
    return {"path": ctx.path(square.path or ""), "words": words}


def _describe_change(near: AdjacentResults) -> str | None:
    """Return how the answer differs from the earlier one; one cell never proves a trend."""
    if near.current is None or near.previous is None:
        return None
    now, then = (describe_state(classify_facts(seen.facts), seen.facts.rank) for seen in (near.current, near.previous))
    sources = near.current.facts.source_domains, near.previous.facts.source_domains
    new = [name for name in sources[0] if name not in sources[1]]
    gone = [name for name in sources[1] if name not in sources[0]]
    check = gettext(SCOPE_LABELS[near.previous.prompt_scan.scope])
    day = format_short_date(near.previous.prompt_scan.completed_at)
    if now == then:
        sentences = [gettext("Same as in the %(check)s of %(day)s: %(now)s.", check=check, day=day, now=now)]
    else:
        changed = gettext("%(check)s of %(day)s: %(then)s. Now: %(now)s.", check=check, day=day, then=then, now=now)
        sentences = [changed]
    if new:
        sentences.append(gettext("Newly cited: %(sites)s.", sites=_list_sites(new)))
    if gone:
        sentences.append(gettext("No longer cited: %(sites)s.", sites=_list_sites(gone)))
    return " ".join(sentences)


def _list_sites(sites: Sequence[str]) -> str:
    return ", ".join(sites[:_MAX_SITES]) + (" …" if len(sites) > _MAX_SITES else "")

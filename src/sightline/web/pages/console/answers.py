"""The stored answers of a scan: the list, and one with its brands highlighted."""

from urllib.parse import urlsplit

import msgspec

from sightline.kit.ids import parse_id
from sightline.platforms.models import Source
from sightline.presentation.language import gettext
from sightline.presentation.phrases import FAULT_PHRASES
from sightline.scans import console_scans
from sightline.scans.schemas.answer import Answer
from sightline.web.page_requests import PageRequest
from sightline.web.pages.console.console_page import PageResponse, console_page, open_console, render_console_page
from sightline.web.pages.dashboard.answer_text import brand_css_class, list_brands, split_text
from sightline.web.paging import read_list_paging

_PAGE_SIZE = 25
_EXCERPT_LENGTH = 280


@console_page("/scans/{scan}/answers")
async def scan_answers(request: PageRequest, workspace: str, scan: str) -> PageResponse:
    ctx = await open_console(request, workspace)
    db = ctx.db
    row = await console_scans.read_scan(db, ctx.actor, parse_id(scan))
    paging = read_list_paging(request, ctx, f"scans.{row.id}.answers")
    found = await console_scans.page_answers(db, ctx.app_context.sealed, row, after=paging.after, page_size=_PAGE_SIZE)
    return render_console_page(
        ctx,
        request,
        "answers.html",
        section="scans",
        title=gettext("Answers of the scan of %(domain)s", domain=row.domain),
        scan=row,
        answers=found.rows,
        next_cursor=paging.next_cursor(found),
        is_first=paging.is_first,
        write_excerpt=write_excerpt,
        describe_finding=describe_finding,
    )


@console_page("/scans/{scan}/answers/{answer}")
async def scan_answer(request: PageRequest, workspace: str, scan: str, answer: str) -> PageResponse:
    ctx = await open_console(request, workspace)
    db = ctx.db
    row = await console_scans.read_scan(db, ctx.actor, parse_id(scan))
    stored = await console_scans.show_stored_answer(db, ctx.app_context.sealed, row, parse_id(answer))
    found = _without_duplicate_sources(stored)
    css_classes = _choose_css_classes(found)
    return render_console_page(
        ctx,
        request,
        "answer.html",
        section="scans",
        title=found.prompt,
        scan=row,
        answer=found,
        lines=split_text(found, css_classes),
        brands=list_brands(found, css_classes),
        describe_finding=describe_finding,
        safe_link=safe_link,
        faults=FAULT_PHRASES,
    )


def _without_duplicate_sources(answer: Answer) -> Answer:
    """Return the answer with cited sources left out of the retrieved ones."""
    cited = {source.url for source in answer.cited_sources}
    others = tuple(source for source in answer.retrieved_sources if source.url not in cited)
    return msgspec.structs.replace(answer, retrieved_sources=others)


def _choose_css_classes(answer: Answer) -> dict[str, str]:
    rivals = [brand.name for brand in answer.brands if not brand.is_own]
    own = {brand.name: brand_css_class(0) for brand in answer.brands if brand.is_own}
    return {name: brand_css_class(number) for number, name in enumerate(rivals, 1)} | own


def write_excerpt(answer: Answer) -> str:
    """Return the beginning of the text without its Markdown."""
    lines = ("".join(segment.text for segment in line.segments) for line in split_text(answer, {}))
    text = " ".join(line for line in lines if line)
    return text if len(text) <= _EXCERPT_LENGTH else f"{text[:_EXCERPT_LENGTH].rstrip()}…"


def describe_finding(answer: Answer) -> str:
    """Return what the answer says of the brand, in a few words."""
    if answer.status == "failed":
        return gettext("Failed")
    if answer.status == "no_surface":
        return gettext("No AI answer shown")
    if answer.mentioned:
        return gettext("Named") if answer.position is None else gettext("Named at position %(n)s", n=answer.position)
    return gettext("Cited only") if answer.cited else gettext("Not named")


def safe_link(source: Source) -> str:
    """Return a source's URL if it is a web address, else an empty string: platforms may return anything."""
    try:
        parts = urlsplit(source.url)
    except ValueError:
        return ""
    return source.url if parts.scheme in {"http", "https"} and parts.netloc else ""

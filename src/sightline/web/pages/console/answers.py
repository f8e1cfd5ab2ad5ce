"""The stored answers of a scan: the list, and one with what was read in it marked."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import msgspec
from litestar.params import FromPath

from sightline.kit.ids import parse_id
from sightline.platforms.models import Source
from sightline.presentation.phrases import FAULT_PHRASES
from sightline.scans import read_scans
from sightline.scans.schemas.answer import Answer
from sightline.web.page_requests import PageRequest
from sightline.web.pages.console.console_page import PageResponse, console_page, open_console, render_console_page
from sightline.web.paging import read_list_paging

_PAGE = 25
_EXCERPT = 280


@console_page("/scans/{scan:str}/answers")
async def scan_answers(request: PageRequest, workspace: FromPath[str], scan: FromPath[str]) -> PageResponse:
    ctx = await open_console(request, workspace)
    db = ctx.db
    row = await read_scans.read_scan(db, ctx.actor, parse_id(scan))
    paging = read_list_paging(request, ctx, f"scans.{row.id}.answers")
    found = await read_scans.page_answers(db, row, after=paging.after, page_size=_PAGE)
    return render_console_page(
        ctx,
        request,
        "answers.html",
        section="scans",
        title=f"Answers of the scan of {row.domain}",
        scan=row,
        answers=found.rows,
        next_cursor=paging.next_cursor(found),
        is_first=paging.is_first,
        excerpt=_EXCERPT,
        say_found=say_found,
    )


@console_page("/scans/{scan:str}/answers/{answer:str}")
async def scan_answer(
    request: PageRequest, workspace: FromPath[str], scan: FromPath[str], answer: FromPath[str]
) -> PageResponse:
    ctx = await open_console(request, workspace)
    db = ctx.db
    row = await read_scans.read_scan(db, ctx.actor, parse_id(scan))
    found = _tell_apart(await read_scans.show_stored_answer(db, row, parse_id(answer)))
    return render_console_page(
        ctx,
        request,
        "answer.html",
        section="scans",
        title=found.prompt,
        scan=row,
        answer=found,
        pieces=list(mark_brands(found)),
        say_found=say_found,
        link_of=link_of,
        faults=FAULT_PHRASES,
    )


def _tell_apart(answer: Answer) -> Answer:
    """A page that is cited was retrieved as well; it stands among the cited ones alone."""
    cited = {source.url for source in answer.cited_sources}
    others = tuple(source for source in answer.retrieved_sources if source.url not in cited)
    return msgspec.structs.replace(answer, retrieved_sources=others)


def mark_brands(answer: Answer) -> Iterator[tuple[str, str]]:
    """The text in pieces, each with whom it names: "own", "competitor", or nobody."""
    spans = sorted(
        (span.start, span.end, "own" if brand.is_own else "competitor")
        for brand in answer.brands
        for span in brand.occurrences
        if span.start < span.end
    )
    at = 0
    for start, end, who in spans:
        if start < at:  # two brands in one place: the first one has it
            continue
        if start > at:
            yield answer.text[at:start], ""
        yield answer.text[start:end], who
        at = end
    if at < len(answer.text):
        yield answer.text[at:], ""


def say_found(answer: Answer) -> str:
    """What the answer says of the brand, in a few words."""
    if answer.status == "failed":
        return "Failed"
    if answer.status == "no_surface":
        return "No AI answer shown"
    if answer.mentioned:
        return "Named" if answer.position is None else f"Named at place {answer.position}"
    return "Only cited" if answer.cited else "Absent"


def link_of(source: Source) -> str:
    """The address when a browser may follow it, else nothing: a platform may have answered with anything."""
    try:
        parts = urlsplit(source.url)
    except ValueError:
        return ""
    return source.url if parts.scheme in {"http", "https"} and parts.netloc else ""


PAGES = (scan_answers, scan_answer)

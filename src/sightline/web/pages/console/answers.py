"""The stored answers of a scan: the list, and one with what was read in it marked."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import msgspec
from litestar.params import FromPath

from sightline.kit.ids import parse_id
from sightline.platforms.models import Source
from sightline.reports.words import FAULTS, platform_name
from sightline.scans import read_scans
from sightline.scans.schemas.answer import Answer
from sightline.web.pages.console.places import Shown, enter, looking, show_page
from sightline.web.paging import page_through
from sightline.web.visits import Asked

_PAGE = 25
_EXCERPT = 280


@looking("/scans/{scan:str}/answers")
async def scan_answers(request: Asked, workspace: FromPath[str], scan: FromPath[str]) -> Shown:
    place = await enter(request, workspace)
    db = place.visit.app_context.db
    row = await read_scans.read_scan(db, place.actor, parse_id(scan))
    paging = page_through(request, place, f"scans.{row.id}.answers")
    found = await read_scans.page_answers(db, row, after=paging.after, page_size=_PAGE)
    return show_page(
        place,
        request,
        "answers.html",
        here="scans",
        title=f"Answers of the scan of {row.domain}",
        scan=row,
        answers=found.rows,
        next_cursor=paging.next_cursor(found),
        is_first=paging.is_first,
        excerpt=_EXCERPT,
        say_found=say_found,
        platform_name=platform_name,
    )


@looking("/scans/{scan:str}/answers/{answer:str}")
async def scan_answer(request: Asked, workspace: FromPath[str], scan: FromPath[str], answer: FromPath[str]) -> Shown:
    place = await enter(request, workspace)
    db = place.visit.app_context.db
    row = await read_scans.read_scan(db, place.actor, parse_id(scan))
    found = _tell_apart(await read_scans.show_stored_answer(db, row, parse_id(answer)))
    return show_page(
        place,
        request,
        "answer.html",
        here="scans",
        title=found.prompt,
        scan=row,
        answer=found,
        pieces=list(mark_brands(found)),
        say_found=say_found,
        link_of=link_of,
        platform_name=platform_name,
        faults=FAULTS,
    )


def _tell_apart(answer: Answer) -> Answer:
    """A page that is cited was retrieved as well; it stands among the cited ones alone."""
    cited = {source.url for source in answer.cited_sources}
    others = tuple(source for source in answer.retrieved_sources if source.url not in cited)
    return msgspec.structs.replace(answer, retrieved_sources=others)


def mark_brands(answer: Answer) -> Iterator[tuple[str, str]]:
    """The text in pieces, each with whom it names: "own", "competitor", or nobody."""
    spans = sorted(
        (place.start, place.end, "own" if brand.is_own else "competitor")
        for brand in answer.brands
        for place in brand.occurrences
        if place.start < place.end
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

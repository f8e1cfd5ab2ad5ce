"""What the platforms searched for to answer each prompt, with the sites that those answers cite."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.db.engine import Reader
from sightline.db.keyset import Slice, SortKey
from sightline.kit.clock import Timestamp, to_iso
from sightline.kit.examples import CHECK_ID, CHECKED_PROMPT, CHECKED_PROMPT_ID, Example
from sightline.prompts.identity import PromptIdentity, normalize_text
from sightline.prompts.models import PromptRow
from sightline.prompts.queries import find_prompts_by_identity
from sightline.scoreboard.answer_list import search_queries
from sightline.scoreboard.answer_list.filter import AnswerFilter
from sightline.scoreboard.answer_list.queries import Selection
from sightline.scoreboard.answer_list.search_queries import SearchPlace, SearchRow


class CountedName(msgspec.Struct, frozen=True):
    """A platform or a site, and its number of answers."""

    name: Annotated[str, Meta(description="Key of the platform.")]
    answers: Annotated[int, Meta(description="Number of answers.")]


class PlatformSearch(msgspec.Struct, frozen=True, kw_only=True):
    """A search that platforms made to answer a prompt."""

    search: Annotated[str, Meta(description="What was searched for, at most 200 characters of it.")]
    prompt_id: Annotated[uuid.UUID, Meta(description="Id of the prompt that was answered.")]
    prompt: Annotated[str, Meta(description="Text of that prompt.")]
    country_iso_2: Annotated[str | None, Meta(description="Country of the prompt. Null if none is set.")]
    language_code: Annotated[str | None, Meta(description="Language of the prompt. Null if none is recorded.")]
    answers: Annotated[int, Meta(description="Number of answers in the last 28 days that are based on the search.")]
    platforms: Annotated[
        tuple[CountedName, ...], Meta(description="Platforms that made the search, most answers first.")
    ]
    sites: Annotated[
        tuple[CountedName, ...],
        Meta(description="Sites that those answers cite, most answers first. `name` is the domain."),
    ]
    last_scan_id: Annotated[uuid.UUID, Meta(description="The newest check with such an answer.")]
    last_seen_at: Annotated[Timestamp, Meta(description="When that check completed.")]
    tracked_prompt_id: Annotated[
        uuid.UUID | None,
        Meta(
            description="Id of the active prompt that has the search as its text, with the same country and language. "
            "Null if there is no such prompt."
        ),
    ]


PERIOD = timedelta(weeks=4)


def to_recent_answers(now: datetime) -> AnswerFilter:
    """Return the filter of the answers of the last four weeks, beginning with a whole day."""
    return AnswerFilter(since=(now - PERIOD).date().isoformat())


async def list_searches(
    db: Reader, selection: Selection, *, after: SortKey | None, page_size: int
) -> Slice[PlatformSearch]:
    """Return the searches behind the answers of some scans: newest scan first, then by number of answers in it.

    The selection names its scans. Those that were completed after the first page was read are left out, so that they
    move no row from one page to another.
    """
    scans = sorted(selection.scan_ids or (), reverse=True)
    if after is not None:
        scans = [scan_id for scan_id in scans if scan_id <= uuid.UUID(after[0])]
    if not scans:
        return Slice([], None)
    selection = msgspec.structs.replace(selection, scan_ids=scans)
    start = None if after is None else SearchPlace(uuid.UUID(after[1]), int(after[2]), after[3], uuid.UUID(after[4]))
    rows = await _read_page(db, selection, scans, start, page_size + 1)
    shown = rows[:page_size]
    labels = await search_queries.count_labels_with(db, selection, shown)
    identities = {normalize_text(each.search) for each in shown}
    known = await find_prompts_by_identity(db, selection.workspace_id, selection.domain_id, identities)
    found = [_to_search(row, labels.get(row.key, {}), known) for row in shown]
    if len(rows) <= page_size:
        return Slice(found, None)
    last = shown[-1]
    key = (str(scans[0]), str(last.last_scan_id), str(last.last_answers), last.search, str(last.prompt_id))
    return Slice(found, key)


async def _read_page(
    db: Reader, selection: Selection, scans: Sequence[uuid.UUID], start: SearchPlace | None, limit: int
) -> list[SearchRow]:
    """Read a page from as few of the newest scans as hold it: most pages are within the newest one."""
    number = 1 if start is None else 1 + sum(scan_id > start.last_scan_id for scan_id in scans)
    while True:
        part = msgspec.structs.replace(selection, scan_ids=scans[:number])
        rows = await search_queries.list_searches(db, part, after=start, limit=limit)
        if len(rows) == limit or number >= len(scans):
            return rows
        number *= 4


def _to_search(row: SearchRow, labels: Mapping[str, int], known: Mapping[PromptIdentity, PromptRow]) -> PlatformSearch:
    tracked = known.get(PromptIdentity(normalize_text(row.search), row.country, row.language))
    platforms = _count_names(labels, "platform:")
    return PlatformSearch(
        search=row.search,
        prompt_id=row.prompt_id,
        prompt=row.prompt,
        country_iso_2=row.country,
        language_code=row.language,
        answers=sum(each.answers for each in platforms),
        platforms=platforms,
        sites=_count_names(labels, "site:"),
        last_scan_id=row.last_scan_id,
        last_seen_at=to_iso(row.last_seen_at),
        tracked_prompt_id=tracked.id if tracked is not None and tracked.status == "active" else None,
    )


def _count_names(labels: Mapping[str, int], prefix: str) -> tuple[CountedName, ...]:
    found = [
        CountedName(label.removeprefix(prefix), answers)
        for label, answers in labels.items()
        if label.startswith(prefix)
    ]
    return tuple(sorted(found, key=lambda each: (-each.answers, each.name)))


# Examples

_SEARCH = PlatformSearch(
    search="best anvil small forge 2026",
    prompt_id=CHECKED_PROMPT_ID,
    prompt=CHECKED_PROMPT,
    country_iso_2=None,
    language_code="en",
    answers=3,
    platforms=(CountedName("chatgpt", 2), CountedName("gemini", 1)),
    sites=(CountedName("anvil-reviews.com", 3), CountedName("acme.com", 1)),
    last_scan_id=CHECK_ID,
    last_seen_at="2026-11-14T09:32:41.530922+00:00",
    tracked_prompt_id=None,
)

EXAMPLES = {
    "list_searches": Example([_SEARCH]),
}

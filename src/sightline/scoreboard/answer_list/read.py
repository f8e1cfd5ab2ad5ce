"""Reading a list of answers: one page, how many there are, and how many each further filter would leave."""

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from sightline.db.engine import Reader
from sightline.db.keyset import Slice, SortKey, cut_page
from sightline.domains.models import TrackedDomainRow
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.scans.queries import find_scan
from sightline.scans.retention.queries import list_expired_checks as find_expired_checks
from sightline.scans.sealed.store import SealedMonths
from sightline.scoreboard.answer_list import queries, sealed_queries
from sightline.scoreboard.answer_list.facts import find_configuration
from sightline.scoreboard.answer_list.filter import AnswerFilter
from sightline.scoreboard.answer_list.queries import Selection
from sightline.scoreboard.answer_list.schemas import ListedAnswer, to_listed_answer
from sightline.scoreboard.cells import TRACKED_SCOPES
from sightline.scoreboard.queries import find_board, find_latest_source
from sightline.scoreboard.read import read_check_changes

AnswerRefs = Sequence[tuple[uuid.UUID, uuid.UUID]]
"""Ids of scans and of their answers."""
MAX_COUNTED = 5_000  # in lists over many checks; those of one check or of the board are counted to the end

# The fields of a filter that are labels of their own.
_LABELED = ("platform", "country", "language", "prompt", "competitor", "site", "fault", "model", "search")


class AnswerCounts(msgspec.Struct, frozen=True):
    """How many answers a list has. `labels` is empty where there are too many to count."""

    total: int
    is_exact: bool
    labels: Mapping[str, int]


async def select_answers(
    db: Reader, workspace_id: uuid.UUID, domain: TrackedDomainRow, wanted: AnswerFilter, evidence: AnswerRefs | None
) -> Selection:
    """Translate a filter. `evidence` are the answers that prove the finding of the filter.

    Refused with 404: a check of another domain.
    """
    scope = await _select_scope(db, workspace_id, domain.id, wanted, evidence)
    if wanted.counted:
        scope = msgspec.structs.replace(scope, base_only=scope.is_latest)
    has_status = wanted.status not in ("any", "not_failed")
    labels = [*([f"status:{wanted.status or 'ok'}"] if has_status else []), *scope.labels]
    labels += [f"{name}:{value}" for name in _LABELED if name != wanted.change_of and (value := getattr(wanted, name))]
    labels += [value for value in (wanted.brand, "rivals" * bool(wanted.rivals), "cited" * bool(wanted.cited)) if value]
    labels += [f"{name}:{value}" for name in ("stance", "unscored") if (value := getattr(wanted, name))]
    labels += [f"{wanted.order}:{wanted.competitor}"] * bool(wanted.order)
    labels += ["sources"] * bool(wanted.sources)
    any_labels: list[list[str]] = []
    if wanted.tag:
        tagged = await queries.list_tagged_prompts(db, workspace_id, domain.id, wanted.tag)
        any_labels.append([f"prompt:{prompt_id}" for prompt_id in tagged])
    if wanted.sentiment == "scored":
        any_labels.append([f"sentiment:{label}" for label in ("positive", "neutral", "negative")])
    elif wanted.sentiment:
        labels.append(f"sentiment:{wanted.sentiment}")
    selection = msgspec.structs.replace(
        _compare(scope, wanted, labels),
        any_labels=any_labels,
        any_pairs=await _find_new_sites(db, workspace_id, wanted) if wanted.sites else None,
        words=wanted.q,
        configurations=await _find_configurations(db, workspace_id, domain.id, wanted) if wanted.q else (),
    )
    without = [f"competitor:{wanted.without}"] * bool(wanted.without)
    without += ["status:failed"] * (wanted.status == "not_failed")
    selection = msgspec.structs.replace(selection, without=[*selection.without, *without])
    of_tag = any_labels[:1] if wanted.tag else []
    if wanted.counted == "headline" and await _leaves_branded_out(db, scope, wanted, of_tag):
        selection = msgspec.structs.replace(selection, without=[*selection.without, "branded"])
    return selection


async def _select_scope(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, wanted: AnswerFilter, evidence: AnswerRefs | None
) -> Selection:
    """Return which checks or cells the list is about, before anything else is filtered."""
    scope = Selection(workspace_id=workspace_id, domain_id=domain_id)
    if wanted.evidence:
        return msgspec.structs.replace(scope, answers=evidence or ())
    for name in ("check", "against"):
        if value := getattr(wanted, name):
            await _require_scan(db, workspace_id, domain_id, value)
    if wanted.check:
        return msgspec.structs.replace(scope, scan_ids=[uuid.UUID(wanted.check)])
    if wanted.is_latest:
        board = await find_board(db, workspace_id, domain_id) if wanted.sentiment or wanted.unscored else None
        return msgspec.structs.replace(
            scope,
            is_latest=True,
            scan_ids=await queries.list_cell_scans(db, workspace_id, domain_id),
            untouched_in=board.base_scan_id if board else None,
        )
    source = "sandbox" if wanted.sandbox else await find_latest_source(db, workspace_id, domain_id) or "live"
    if not (wanted.since or wanted.until):
        return msgspec.structs.replace(scope, labels=[f"source:{source}"])
    since = _start_of_day(wanted.since) if wanted.since else None
    until = _start_of_day(wanted.until) + timedelta(days=1) if wanted.until else None
    scans = await queries.list_scans_between(db, workspace_id, domain_id, source, since=since, until=until)
    return msgspec.structs.replace(scope, scan_ids=scans)


async def _require_scan(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, scan_id: str) -> None:
    scan = await find_scan(db, workspace_id, uuid.UUID(scan_id))
    if scan is None or scan.domain_id != domain_id or scan.measurement_scope not in TRACKED_SCOPES:
        raise Problem("scan_not_found")


def _start_of_day(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(tzinfo=UTC)


def _compare(scope: Selection, wanted: AnswerFilter, labels: list[str]) -> Selection:
    """Add what the filter says about another check, or about the check before."""
    if not wanted.against:
        return msgspec.structs.replace(scope, labels=[*labels, wanted.change] if wanted.change else labels)
    before = ["status:ok"]
    if wanted.site or wanted.sites:  # sites are compared where both answers have sources
        labels, before = [*labels, "sources"], [*before, "sources"]
    scope = msgspec.structs.replace(scope, against=parse_id(wanted.against))
    if wanted.change_of:
        subject = [f"{wanted.change_of}:{getattr(wanted, wanted.change_of)}"]
        if wanted.change == "gained":
            return msgspec.structs.replace(
                scope, labels=[*labels, *subject], against_labels=before, against_without=subject
            )
        return msgspec.structs.replace(scope, labels=labels, without=subject, against_labels=[*before, *subject])
    if wanted.change:
        labels = [*labels, "named" if wanted.change == "gained" else "absent"]
        before.append("absent" if wanted.change == "gained" else "named")
    return msgspec.structs.replace(scope, labels=labels, against_labels=before)


async def _find_new_sites(db: Reader, workspace_id: uuid.UUID, wanted: AnswerFilter) -> list[tuple[str, Sequence[str]]]:
    """Return the new or lost sites of each platform, as labels. Only two Full Checks in a row have any."""
    later, earlier = (wanted.check, wanted.against) if wanted.sites == "new" else (wanted.against, wanted.check)
    changes = await read_check_changes(db, workspace_id, uuid.UUID(later))
    if changes is None or changes.against_scan_id != uuid.UUID(earlier):
        return []
    found: dict[str, list[str]] = {}
    for each in changes.sources:
        if each.change == wanted.sites:
            found.setdefault(f"platform:{each.platform}", []).append(f"site:{each.site}")
    return list(found.items())


async def _find_configurations(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, wanted: AnswerFilter
) -> list[str]:
    """Return how the searched words are read: as in each language that the answers may have."""
    languages = [wanted.language] if wanted.language else await queries.list_languages(db, workspace_id, domain_id)
    return sorted({find_configuration(language) for language in languages}) or ["simple"]


async def _leaves_branded_out(
    db: Reader, scope: Selection, wanted: AnswerFilter, tagged: Sequence[Sequence[str]]
) -> bool:
    """Return whether the headline leaves branded prompts out: only if there are others (metrics 1.0)."""
    labels = [f"{name}:{value}" for name in ("platform", "country", "language") if (value := getattr(wanted, name))]
    part = msgspec.structs.replace(scope, labels=[*scope.labels, *labels], any_labels=tagged)
    return await queries.has_unbranded(db, part)


async def list_expired_checks(db: Reader, selection: Selection) -> list[datetime]:
    """Return the end times of those checks of a list whose answers are no longer stored, the oldest first."""
    scan_ids = selection.scan_ids
    if selection.answers is not None:
        scan_ids = [scan_id for scan_id, _ in selection.answers]
    return await find_expired_checks(db, selection.workspace_id, selection.domain_id, scan_ids)


async def list_answers(
    db: Reader, sealed: SealedMonths | None, selection: Selection, *, after: SortKey | None, page_size: int
) -> Slice[ListedAnswer]:
    """Return the answers of the newest check first, also those of sealed months, if they are given.

    The newest check is searched first. Its number of matches gives an estimate of how many checks fill the page, and
    twice as many are searched next. So the cost is that of a few pages, whether many answers match or one in a million.
    """
    start = None if after is None else (uuid.UUID(after[0]), uuid.UUID(after[1]))
    checks = await _list_newest_checks(db, selection, start)
    part = None
    if sealed is not None:
        selection, part = await sealed_queries.split_selection(db, sealed, selection)
    searched = 1
    while True:
        since = checks[searched - 1] if searched < len(checks) else None
        rows = await queries.list_selected(db, selection, since=since, after=start, limit=page_size + 1)
        if sealed and part is not None and (len(rows) <= page_size or part.scan_ids[0] > rows[-1].scan_id):
            rows += await sealed_queries.list_selected(db, sealed, part, since=since, after=start, limit=page_size + 1)
            rows = sorted(rows, key=lambda row: (row.scan_id, row.id), reverse=True)[: page_size + 1]
        if since is None or len(rows) > page_size:
            break
        searched = 2 * searched * (page_size + 1) // len(rows) if rows else len(checks)
    return cut_page(rows, page_size, lambda row: (str(row.scan_id), str(row.id))).map(to_listed_answer)


async def _list_newest_checks(
    db: Reader, selection: Selection, after: tuple[uuid.UUID, uuid.UUID] | None
) -> list[uuid.UUID]:
    """Return the checks to search, newest first; none where all of them are searched at once."""
    if is_small(selection):
        return []
    checks = selection.scan_ids
    if checks is None:
        checks = await queries.list_scans(db, selection.workspace_id, selection.domain_id)
    return sorted((check for check in checks if after is None or check <= after[0]), reverse=True)


def is_small(selection: Selection) -> bool:
    """Return whether the list is about one check, the board or a finding, so that all of it can be counted."""
    return selection.is_latest or selection.answers is not None or len(selection.scan_ids or ()) == 1


async def count_answers(db: Reader, sealed: SealedMonths, selection: Selection) -> AnswerCounts:
    """Count the answers, also those of sealed months, and those that have each label."""
    limit = None if is_small(selection) else MAX_COUNTED + 1
    selection, part = await sealed_queries.split_selection(db, sealed, selection)
    total = await queries.count_selected(db, selection, limit=limit)
    if part is not None and (limit is None or total < limit):
        total += await sealed_queries.count_selected(db, sealed, part, limit=limit)
    if limit is not None and total >= limit:
        return AnswerCounts(MAX_COUNTED, is_exact=False, labels={})
    labels = Counter(await queries.count_labels(db, selection))
    if part is not None:
        labels.update(await sealed_queries.count_labels(db, sealed, part))
    return AnswerCounts(total, is_exact=True, labels=labels)

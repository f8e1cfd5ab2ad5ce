"""Previewing what other brand names would find in the answers of the latest Full Check. Nothing is stored.

The number of answers, their length and the time are limited; the outcome says how many answers were analyzed.
"""

import asyncio
import time
import uuid
from collections.abc import Callable, Sequence
from datetime import datetime

import msgspec

from sightline.answers.corrections import Correction
from sightline.answers.models import Brand, BrandAnalysis
from sightline.answers.names import Lexicon
from sightline.db.engine import Reader
from sightline.domains.models import TrackedDomainRow
from sightline.domains.tracking.change import BrandChanges, apply_changes
from sightline.errors import Problem
from sightline.scans.analyze_answer import analyze_text, names_brand
from sightline.scans.brands import MeasuredBrands
from sightline.scans.models import ScanPrompt
from sightline.scans.queries import find_scan
from sightline.scans.stored import AnswerRow, ScanRow, decode_measured, decode_prompts, decode_record
from sightline.scans.tracked_brands import read_tracked_brands
from sightline.scoreboard.queries import find_board
from sightline.scoreboard.recompute import queries

MAX_ANSWERS = 2_000
MAX_ANSWER_LENGTH = 40_000  # characters
TIME_LIMIT = 2.0
_MAX_GAINED = 5


class GainedMention(msgspec.Struct, frozen=True):
    """An answer that names the brand by its new names and not by its current ones."""

    answer_id: uuid.UUID
    platform: str


class BrandPreview(msgspec.Struct, frozen=True, kw_only=True):
    """Each figure by the current names and by the new ones."""

    scan_id: uuid.UUID
    completed_at: datetime
    answers: int
    """The number of answers analyzed; `unread` counts the valid ones for which there was no time."""
    unread: int
    mentions: tuple[int, int]
    citations: tuple[int, int]
    branded: tuple[int, int]
    """The number of prompts that name the brand and so do not count in the headline."""
    gained: tuple[GainedMention, ...]
    """The first few gained mentions."""


async def preview_brand(
    db: Reader, workspace_id: uuid.UUID, domain: TrackedDomainRow, changes: BrandChanges
) -> BrandPreview | None:
    """Preview the changes; return None before the first Full Check. Refuses what saving would refuse."""
    changed = await apply_changes(db, workspace_id, domain, changes)
    scan = await _find_latest(db, workspace_id, domain.id)
    if scan is None:
        return None
    if scan.answers_expired_at is not None:
        raise Problem("answers_expired", "The answers of the latest check are no longer stored: there is no preview.")
    rows = await queries.list_short_answers(db, workspace_id, scan.id, max_length=MAX_ANSWER_LENGTH, limit=MAX_ANSWERS)
    now, then = [await read_tracked_brands(db, workspace_id, each) for each in (domain, changed)]
    return await asyncio.to_thread(compare_names, scan, rows, now, then, clock=time.monotonic)


async def _find_latest(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> ScanRow | None:
    board = await find_board(db, workspace_id, domain_id)
    scan_id = board and board.plan_scan_id
    return await find_scan(db, workspace_id, scan_id) if scan_id else None


def compare_names(
    scan: ScanRow, rows: Sequence[AnswerRow], now: MeasuredBrands, then: MeasuredBrands, *, clock: Callable[[], float]
) -> BrandPreview:
    """Compare both sets of names. Both are analyzed, because what is stored may be based on older names."""
    assert scan.completed_at is not None and scan.prompts is not None
    prompts, corrections = decode_prompts(scan.prompts), decode_measured(scan.brand).corrections
    lexicons = [Lexicon((each.brand, *each.competitors)) for each in (now, then)]
    read: list[tuple[AnswerRow, list[BrandAnalysis]]] = []
    until = clock() + TIME_LIMIT
    for row in rows:
        if clock() >= until:
            break
        corrected = corrections.get(str(row.id), ())
        read.append((row, _analyze_brand(row, prompts[row.prompt_index], lexicons, corrected)))
    gained = [row for row, (old, new) in read if new.mentioned and not old.mentioned]
    return BrandPreview(
        scan_id=scan.id,
        completed_at=scan.completed_at,
        answers=len(read),
        unread=len(rows) - len(read),
        mentions=_count(read, lambda analysis: analysis.mentioned),
        citations=_count(read, lambda analysis: len(analysis.cited_urls)),
        branded=(_count_branded(prompts, now.brand), _count_branded(prompts, then.brand)),
        gained=tuple(GainedMention(row.id, row.platform) for row in gained[:_MAX_GAINED]),
    )


def _analyze_brand(
    row: AnswerRow, prompt: ScanPrompt, lexicons: Sequence[Lexicon], corrections: Sequence[Correction]
) -> list[BrandAnalysis]:
    cited = decode_record(row.record).cited
    return [analyze_text(row.text, prompt, lexicon, cited, corrections=corrections).brands[0] for lexicon in lexicons]


def _count(
    read: Sequence[tuple[AnswerRow, list[BrandAnalysis]]], number: Callable[[BrandAnalysis], int]
) -> tuple[int, int]:
    old, new = (sum(number(analyses[index]) for _, analyses in read) for index in (0, 1))
    return old, new


def _count_branded(prompts: Sequence[ScanPrompt], brand: Brand) -> int:
    lexicon = Lexicon([brand])
    return sum(names_brand(prompt.text, lexicon) for prompt in prompts)

"""A check while it runs: what each answer so far says about the brand, and the first sentence that names it."""

import uuid
from collections.abc import Mapping, Sequence

import msgspec

from sightline.answers.decisive_sentence import SentencePart, cut_decisive_sentence
from sightline.db.engine import Reader
from sightline.scans.models import ScanPrompt
from sightline.scans.queries import find_answer
from sightline.scans.stored import AnswerRow, ScanRow, decode_prompts, decode_record, to_answer
from sightline.scoreboard.models import CellFacts
from sightline.scoreboard.prompt_scans import to_cell_facts
from sightline.scoreboard.queries import read_answers_without_text


class FirstMention(msgspec.Struct, frozen=True):
    """The earliest answer that names the brand, and the sentence that does."""

    answer_id: uuid.UUID
    platform: str
    prompt: str
    sentence: Sequence[SentencePart]


class RunningCheck(msgspec.Struct, frozen=True):
    """The first prompts of a check in their order, and the answers to them so far, by place and platform."""

    prompts: Sequence[ScanPrompt]
    cells: Mapping[tuple[int, str], CellFacts]
    first: FirstMention | None


async def read_running_check(db: Reader, scan: ScanRow, *, most_prompts: int) -> RunningCheck:
    """Read a check that has begun. Only its first prompts are read, because a check can have thousands of answers."""
    prompts = decode_prompts(scan.prompts or "[]")[:most_prompts]
    places = list(range(len(prompts)))
    rows = await read_answers_without_text(db, scan.workspace_id, scan.id, prompt_indexes=places)
    cells = {(row.prompt_index, row.platform): to_cell_facts(to_answer(row, prompts[row.prompt_index])) for row in rows}
    naming = [row for row in rows if cells[row.prompt_index, row.platform].mentioned]
    earliest = min(naming, key=lambda row: (row.answered_at, row.id), default=None)
    first = None if earliest is None else await _read_mention(db, earliest, prompts[earliest.prompt_index], scan)
    return RunningCheck(prompts, cells, first)


async def _read_mention(db: Reader, row: AnswerRow, prompt: ScanPrompt, scan: ScanRow) -> FirstMention | None:
    found = await find_answer(db, scan.workspace_id, scan.id, row.id)
    if found is None:
        return None
    sentence = cut_decisive_sentence(found.text, decode_record(found.record).analysis)
    return FirstMention(row.id, row.platform, prompt.text, sentence)

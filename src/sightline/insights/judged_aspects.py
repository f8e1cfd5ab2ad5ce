"""Aspects that a language model proposes for answers in languages without word lists.

The answers of a Full Check are asked about once each, at most `MAX_CALLS` of them, and what the answers prove is stored
as it arrives: a second run of the job asks only for what is missing. A platform that fails leaves answers unread.
"""

import asyncio
import hashlib
from collections import deque
from collections.abc import Mapping, Sequence

import msgspec
import structlog

from sightline.answers.aspect_judge import build_aspect_question, read_judged_aspects
from sightline.answers.aspects import Aspect
from sightline.answers.judge import Judge
from sightline.answers.names import Lexicon
from sightline.db.engine import Database
from sightline.insights import queries
from sightline.insights.aspect_counts import JudgedAnswers, build_lexicon, find_language, list_unread_answers
from sightline.insights.inputs import InsightInputs
from sightline.insights.models import UnreadReason
from sightline.scans.models import ScanAnswer
from sightline.scans.stored import ScanRow

log = structlog.get_logger()

MAX_CALLS = 100
"""For each Full Check. Answers with the same text are one call."""
AT_ONCE = 4
PATIENCE = 180.0  # seconds, because other jobs wait for this one
_MOST_FAILURES = 3  # in a row: the platform is down, or does not understand the question

ProvenAspects = Mapping[str, tuple[Aspect, ...]]
"""The aspects of each brand in one answer, by the name of the brand."""
_decode = msgspec.json.Decoder(dict[str, tuple[Aspect, ...]]).decode


async def judge_aspects(db: Database, scan: ScanRow, inputs: InsightInputs, judge: Judge | None) -> JudgedAnswers:
    """Return the aspects that the judge proposes and the answers prove. Without a judge, return what is stored."""
    unread = await asyncio.to_thread(list_unread_answers, inputs)
    if not unread:
        return JudgedAnswers()
    stored = await queries.read_judged_answers(db, scan.workspace_id, scan.domain_id, scan.id)
    found: dict[str, ProvenAspects] = {answer_id: _decode(aspects) for answer_id, aspects in stored.items()}
    if judge is None:
        return JudgedAnswers(found)
    groups = _group_by_text(unread)
    missing = [group for group in groups if not all(answer.id in found for answer in group)]
    calls = max(0, MAX_CALLS - (len(groups) - len(missing)))
    session = _JudgeSession(db, scan, inputs, judge)
    found |= await session.run(missing[:calls])
    left = sum(answer.id not in found for answer in unread)
    reason: UnreadReason = "judge_limit" if len(missing) > calls and not session.failed else "judge_failed"
    if left:
        log.warning("themes_not_judged", scan_id=str(scan.id), answers=left, reason=reason)
    return JudgedAnswers(found, reason)


def _group_by_text(answers: Sequence[ScanAnswer]) -> list[list[ScanAnswer]]:
    """Return the answers with the same text together, in an order that has nothing to do with prompts or platforms."""
    groups: dict[str, list[ScanAnswer]] = {}
    for answer in answers:
        groups.setdefault(answer.text, []).append(answer)
    return [groups[text] for text in sorted(groups, key=lambda text: hashlib.sha256(text.encode()).digest())]


class _JudgeSession:
    """Asks about the answers of one scan and stores what they prove, until the platform fails or time is up."""

    def __init__(self, db: Database, scan: ScanRow, inputs: InsightInputs, judge: Judge) -> None:
        self._db = db
        self._scan = scan
        self._inputs = inputs
        self._judge = judge
        self._lexicon: Lexicon = build_lexicon(inputs)
        self._failures = 0  # in a row
        self._found: dict[str, ProvenAspects] = {}
        self.failed = False

    async def run(self, groups: Sequence[Sequence[ScanAnswer]]) -> dict[str, ProvenAspects]:
        waiting = deque(groups)
        tasks = [asyncio.create_task(self._work(waiting)) for _ in range(min(AT_ONCE, len(groups)))]
        try:
            async with asyncio.timeout(PATIENCE):
                await asyncio.gather(*tasks)
        except TimeoutError:
            self.failed = True
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return self._found

    async def _work(self, waiting: deque[Sequence[ScanAnswer]]) -> None:
        while waiting and not self.failed:
            await self._judge_group(waiting.popleft())

    async def _judge_group(self, group: Sequence[ScanAnswer]) -> None:
        names = [self._inputs.brand.name, *sorted(self._inputs.named[group[0].id])]
        reply = await self._judge(build_aspect_question(group[0].text, names))
        proven = await asyncio.to_thread(self._prove, reply, group) if reply else None
        if proven is None:
            self._failures += 1
            self.failed = self.failed or self._failures >= _MOST_FAILURES
            return
        self._failures = 0
        scan = self._scan
        rows = [(answer_id, msgspec.json.encode(aspects)) for answer_id, aspects in proven.items()]
        async with self._db.transaction() as tx:
            await queries.store_judged_answers(tx, scan.workspace_id, scan.domain_id, scan.id, rows)
        self._found |= proven

    def _prove(self, reply: str, group: Sequence[ScanAnswer]) -> dict[str, ProvenAspects] | None:
        proven: dict[str, ProvenAspects] = {}
        for answer in group:
            aspects = read_judged_aspects(
                reply,
                answer.text,
                self._lexicon,
                prompt=answer.prompt.text,
                language=find_language(answer),
                corrections=self._inputs.plan.corrections.get(answer.id, ()),
            )
            if aspects is None:
                return None
            proven[answer.id] = {self._lexicon.brands[index].name: own for index, own in aspects.items()}
        return proven

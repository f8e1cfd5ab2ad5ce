"""Judging: a connected platform scores the sentiment of answers that the model cannot score well."""

import msgspec

from sightline.answers.judge import judge_measured_brand
from sightline.platforms.gate import GateClosed
from sightline.platforms.models import Question
from sightline.scans.running.analysis import AnalyzedAnswer
from sightline.scans.running.running_scans import RunningScan
from sightline.scans.stored import decode_record, encode_record


async def judge_answer(scan: RunningScan, platform: str, analyzed: AnalyzedAnswer) -> AnalyzedAnswer:
    """Let the judge score the sentiment of an answer. If it fails, the answer stays as it is: it has been paid for."""

    async def ask(question: str) -> str | None:
        try:
            outcome = await scan.ask(platform, Question(question))
        except GateClosed:
            return None
        return outcome.answer.text if outcome is not None else None

    record = decode_record(analyzed.record)
    if record.analysis is None:
        return analyzed
    judged = await judge_measured_brand(analyzed.text, record.analysis, ask=ask)
    if judged is record.analysis:
        return analyzed
    return msgspec.structs.replace(analyzed, record=encode_record(msgspec.structs.replace(record, analysis=judged)))

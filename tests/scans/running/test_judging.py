"""Answers of Full Checks that no model can score go to the judge, if the operator has configured one."""

import json
import uuid

import pytest

from sightline.answers.judge import JUDGE_SCORER, build_question
from sightline.answers.models import Brand
from sightline.scans.models import ScanAnswer, ScanPlan, ScanPrompt
from sightline.scans.running.analysis import ScanContext, summarize_answers
from sightline.scans.stored import AnswerRow, decode_record, to_record
from tests.running_worker import until, working

GERMAN = "Acme ist für kleine Teams eine sehr gute Wahl: zuverlässig, günstig und schnell eingerichtet."
ENGLISH = "Acme is an excellent choice: reliable, friendly and loved by its users. I recommend Acme to everybody."
VERDICT = {"name": "Acme", "label": "positive", "quote": "Acme ist für kleine Teams eine sehr gute Wahl"}
QUESTION = build_question(GERMAN, ["Acme"])


@pytest.fixture
def talking(provider):
    provider.says = {
        "crm auf deutsch": GERMAN,
        "crm in english": ENGLISH,
        QUESTION: json.dumps({"verdicts": [VERDICT]}),
    }
    return provider


async def find_sentiments(installation, live, *, scope="full_check", **changes):
    """Run a check of two prompts and return the sentiment of Acme by the text of the answer."""
    domain = await live.domain("acme.com", brand_name="Acme")
    await live.submit(domain, keywords=["crm auf deutsch", "crm in english"], platforms=["chatgpt"])
    await installation.db.execute("UPDATE scans SET measurement_scope = $1", scope)

    async def all_stored():
        return await installation.db.fetchval("SELECT count(*) FROM answers") == 2

    async with working(installation, **changes):
        await until(all_stored)
    rows = await installation.db.fetch("SELECT text, record FROM answers")
    return {row[0]: decode_record(row[1]).analysis.brands[0].sentiment for row in rows}


async def test_only_answers_that_no_model_scores_go_to_the_judge(live_installation, live, talking):
    """ "other languages go to the judge when configured" """
    found = await find_sentiments(live_installation, live, sentiment_judge="chatgpt")
    assert (found[GERMAN].label, found[GERMAN].scorer) == ("positive", JUDGE_SCORER)
    assert found[ENGLISH].label == "positive" and found[ENGLISH].scorer.startswith("model")
    assert talking.asked == {"crm auf deutsch": 1, "crm in english": 1, QUESTION: 1}


async def test_without_a_judge_an_answer_in_another_language_stays_unscored(live_installation, live, talking):
    """ "else stay unscored" """
    found = await find_sentiments(live_installation, live)
    assert found[GERMAN] is None and found[ENGLISH] is not None
    assert QUESTION not in talking.asked


@pytest.mark.parametrize("judge", ["claude", "nobody"])
async def test_a_judge_that_is_not_connected_is_not_asked(live_installation, live, talking, judge):
    found = await find_sentiments(live_installation, live, sentiment_judge=judge)
    assert found[GERMAN] is None and talking.asked.total() == 2


async def test_an_answer_is_stored_unscored_when_the_judge_fails(live_installation, live, talking):
    talking.faults = {QUESTION: 500}
    found = await find_sentiments(live_installation, live, sentiment_judge="chatgpt")
    assert found[GERMAN] is None and talking.asked[QUESTION] == 1


async def test_a_console_check_does_not_ask_the_judge(live_installation, live, talking):
    found = await find_sentiments(live_installation, live, scope="console_check", sentiment_judge="chatgpt")
    assert set(found.values()) == {None} and talking.asked.total() == 2


async def test_the_verdict_of_the_judge_survives_a_new_analysis(live_installation, live, talking):
    """Unless a model scores the answer by then, or the answer does not mention the brand under its new name."""
    await find_sentiments(live_installation, live, sentiment_judge="chatgpt")
    record = decode_record(await live_installation.db.fetchval("SELECT record FROM answers WHERE text = $1", GERMAN))
    given = ScanAnswer(
        id=str(uuid.UUID(int=1)), prompt=ScanPrompt(id="0", text="crm auf deutsch"), platform="chatgpt", status="ok",
        text=GERMAN, analysis=record.analysis, provenance=record.provenance,
    )  # fmt: skip
    row = AnswerRow(
        uuid.UUID(int=2),
        uuid.UUID(int=1),
        0,
        "chatgpt",
        None,
        "ok",
        GERMAN,
        to_record(given),
        live_installation.clock(),
    )

    def reanalyze(name: str):
        plan = ScanPlan(
            domain="acme.com", brand=Brand(name), competitors=(), prompts=(given.prompt,), platforms=("chatgpt",),
            scored=True,
        )  # fmt: skip
        context = ScanContext("live", suggested=False, started_at=0.0, scan_id=row.scan_id, scope="console_check")
        summary = summarize_answers(plan, [row], context, reanalyze=True)
        return decode_record(summary.updated_records[row.id]).analysis.brands[0].sentiment

    assert reanalyze("Acme").scorer == JUDGE_SCORER
    assert reanalyze("Globex") is None

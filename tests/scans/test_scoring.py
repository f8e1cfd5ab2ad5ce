"""Sentiment scoring of a scan: the scorer, the scored brand, and the stored name of the scorer."""

import msgspec
import pytest

from sightline.answers.models import Sentiment
from sightline.platforms.models import Outcome, ProviderAnswer, Question
from sightline.scans.results import build_results
from sightline.scans.running.analysis import AnswerAnalyzer
from sightline.scans.running.analyzers import open_analyzer
from sightline.scans.stored import decode_record
from tests.scans.small_scans import answer, plan

TEXT = "Acme is excellent, fast and a joy to use. Globex is excellent as well and highly recommended."
OUTCOME = Outcome(
    platform="chatgpt",
    surface="api",
    vendor="v",
    question=Question("best crm"),
    status="ok",
    answer=ProviderAnswer(text=TEXT),
    model_asked="m",
    cost_usd=None,
    latency_ms=3,
    attempts=1,
    raw=b"",
)


def read_sentiments(record):
    return [brand.sentiment for brand in decode_record(record).analysis.brands]


def test_the_measured_brand_is_scored_and_the_scorer_is_stored():
    made = msgspec.structs.replace(plan("best crm"), scored=True)
    own, rival = read_sentiments(AnswerAnalyzer("model").analyze("key", made, 0, "1", OUTCOME).record)
    assert own.label == "positive" and own.scorer == "model 2"
    assert rival is None  # not shown, and scoring it would cost as much as the own brand


@pytest.mark.parametrize(("scored", "scorer"), [(True, None), (False, "model")])
def test_nothing_is_scored_without_a_scorer_or_outside_a_full_check(scored, scorer):
    made = msgspec.structs.replace(plan("best crm"), scored=scored)
    assert read_sentiments(AnswerAnalyzer(scorer).analyze("key", made, 0, "1", OUTCOME).record) == [None, None]


async def test_an_analyzer_process_uses_the_configured_scorer():
    made = msgspec.structs.replace(plan("best crm"), scored=True)
    found = []
    for scorer in ("model", None):
        async with open_analyzer(1, scorer) as analyzer:
            found.append(read_sentiments((await analyzer.analyze("key", made, 0, "1", OUTCOME)).record)[0])
    assert found[0].scorer == "model 2" and found[1] is None


def test_results_list_the_scorers():
    made = plan("a", "b", platforms=("chatgpt",))
    scored, judged = (answer(made, place, "chatgpt", TEXT, sentiment="model") for place in (1, 2))
    own, *others = judged.analysis.brands
    own = msgspec.structs.replace(own, sentiment=Sentiment(90.0, "positive", "judge 1"))
    analysis = msgspec.structs.replace(judged.analysis, brands=(own, *others))
    given = [scored, msgspec.structs.replace(judged, analysis=analysis)]
    assert build_results(made, given, sentiment=True).scorers == ("judge 1", "model 2")
    assert build_results(made, given).scorers == ()

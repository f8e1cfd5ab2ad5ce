"""Answers of a file are measured as those of a check, with repeats."""

import json
import os
from concurrent.futures import BrokenExecutor

import pytest

from sightline.answers.names import Lexicon
from sightline.kit.clock import utc_now
from sightline.scans.analyze_answer import analyze_answer
from sightline.scans.answer_files import measure as file_analysis
from sightline.scans.answer_files import survey as surveys
from sightline.scans.answer_files.columns import find_layout
from sightline.scans.answer_files.measure import FileChanged, measure_file, to_scan_answer
from sightline.scans.answer_files.parallel_analysis import analyze_in_order
from sightline.scans.answer_files.records import read_answers
from sightline.scans.record import summarize_scan
from tests.scans.small_scans import ACME, GLOBEX

TEXTS = {
    ("best crm", "chatgpt"): "1. Acme\n2. Globex\n3. Initech\n\nSee [Acme](https://acme.com/a).",
    ("best crm", "gemini"): "Most small teams are happy with Globex, Initech and Hooli.",
    ("crm for sales", "chatgpt"): "1. **Hooli**: fast\n2. **Initech**: cheap\n3. **Globex**: large\n",
    ("crm for sales", "gemini"): "Acme is a solid choice. Initech works, too, and so does Hooli.",
    ("is Acme good", "chatgpt"): "Yes, Acme is a good choice, better than Initech.",
    ("is Acme good", "gemini"): "1. Acme\n2. Initech\n3. Hooli\n",
    ("cheap crm", "chatgpt"): "Hooli, Initech and Acme are cheap crm tools for small teams.",
    ("cheap crm", "gemini"): "Too short.",
}


def survey_file(path):
    return surveys.survey_file(path, find_layout(path))


def write(tmp_path, runs=1, texts=TEXTS):
    path = tmp_path / "answers.jsonl"
    records = [
        {
            "id": f"{prompt}/{platform}/{run}", "prompt": prompt, "platform": platform, "text": text, "run": run,
            "sources": [{"url": "https://g2.com/crm"}],
        }
        for run in range(runs)
        for (prompt, platform), text in texts.items()
    ]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, records)))
    return path


def measure(path, **options):
    survey = survey_file(path)
    plan = survey.build_plan(ACME, (GLOBEX,))
    settled = []
    defaults = {"sentiment": None, "on_analyzed": lambda: None, "on_settled": settled.append}
    return plan, measure_file(path, survey, plan, **(defaults | options)), settled


def test_figures_ranks_and_rivals_are_those_of_a_check_with_the_same_answers(tmp_path):
    path = write(tmp_path)
    survey = survey_file(path)
    plan, found, settled = measure(path, sentiment="model")
    answers = [to_scan_answer(answer, survey.find_prompt(answer)) for answer in read_answers(path, find_layout(path))]
    lexicon = Lexicon(plan.tracked)
    analyzed = [
        analyze_answer(answer, lexicon, sentiment="model") if answer.status == "ok" else answer for answer in answers
    ]
    check = summarize_scan(
        plan, analyzed, answers_source="live", prompts_source="given", started_at=utc_now(), stopped=False,
        sentiment=True,
    )  # fmt: skip
    assert found.results == check.results
    assert found.results.failed == 1 and found.results.candidates
    ranks = {answer.id: answer.analysis.brands[0].rank for answer in settled if answer.analysis}
    assert ranks == {answer.id: answer.analysis.brands[0].rank for answer in check.answers if answer.analysis}
    assert ranks["cheap crm/chatgpt/0"] == 3  # after two brands that nobody tracks


def test_a_repeat_is_another_answer_and_not_another_prompt(tmp_path):
    _, once, _ = measure(write(tmp_path))
    plan, thrice, settled = measure(write(tmp_path, runs=3))
    assert len(plan.prompts) == 4 and len(settled) == 24
    assert (thrice.results.planned, thrice.results.valid, thrice.results.unanswered) == (24, 21, 0)
    first, again = once.results.headline, thrice.results.headline
    for name in ("visibility_score", "brand_coverage_pct", "share_of_voice_pct"):
        one, three = getattr(first, name), getattr(again, name)
        assert three.value == one.value and three.n == 3 * one.n
        assert three.high - three.low < one.high - one.low
    assert again.ai_mentions.value == 3 * first.ai_mentions.value
    assert [len(row.platforms) for row in thrice.results.prompts] == [2] * 4
    assert thrice.results.prompts == once.results.prompts
    assert {rival.candidate.name: rival.candidate.prompts for rival in thrice.rivals} == {"Initech": 4, "Hooli": 4}


def test_a_prompt_that_was_not_asked_everywhere_is_not_missing(tmp_path):
    texts = {key: text for key, text in TEXTS.items() if key != ("best crm", "gemini") and len(text) > 20}
    _, found, _ = measure(write(tmp_path, texts=texts))
    assert (found.results.planned, found.results.valid, found.results.incomplete) == (6, 6, False)
    assert [cell.status for cell in found.results.prompts[0].platforms] == ["ok", "unanswered"]


def test_a_spot_check_counts_the_repeats_of_one_prompt_on_one_platform(tmp_path):
    path = write(tmp_path, runs=5)
    lines = path.read_text().splitlines()
    changed = json.loads(lines[0]) | {"text": "Globex is what most teams use, and Initech comes next."}
    path.write_text("\n".join([json.dumps(changed), *lines[1:]]))
    plan, found, _ = measure(path)
    chance = found.spot_checks[plan.prompts[0].id, "chatgpt"]
    assert (chance.value, chance.numerator, chance.n) == (80.0, 4, 5)
    assert (chance.low, chance.high) == (37.6, 96.4)
    failed = found.spot_checks[plan.prompts[3].id, "gemini"]
    assert (failed.value, failed.n) == (None, 0)


def test_every_tracked_brand_is_scored(tmp_path):
    texts = {("best crm", "chatgpt"): "Acme is excellent and reliable. Globex is terrible and slow."}
    _, _, ((answer),) = measure(write(tmp_path, texts=texts), sentiment="model")
    assert [brand.sentiment.label for brand in answer.analysis.brands] == ["positive", "negative"]


@pytest.mark.parametrize("change", ["more", "less", "other"])
def test_a_file_that_changes_meanwhile_is_refused(tmp_path, change):
    path = write(tmp_path)
    survey = survey_file(path)
    lines = path.read_text().splitlines()
    other = json.dumps({**json.loads(lines[0]), "prompt": "something new"})
    path.write_text("\n".join({"more": [*lines, lines[0]], "less": lines[1:], "other": [other, *lines[1:]]}[change]))
    plan = survey.build_plan(ACME, (GLOBEX,))
    with pytest.raises(FileChanged):
        measure_file(path, survey, plan, sentiment=None, on_analyzed=lambda: None, on_settled=lambda _: None)


def test_a_platform_without_sources_never_cites_only_if_it_is_known_for_that(tmp_path):
    path = write(tmp_path, texts={("q", "deepseek"): "x" * 30, ("q", "my own"): "x" * 30})
    assert survey_file(path).build_plan(ACME, ()).uncited == frozenset()
    records = [json.loads(line) for line in path.read_text().splitlines()]
    path.write_text("\n".join(json.dumps({**record, "sources": []}) for record in records))
    assert survey_file(path).build_plan(ACME, ()).uncited == {"deepseek"}


def test_several_processes_give_the_same_as_one(tmp_path, monkeypatch):
    # Small files are analyzed by one process.
    monkeypatch.setattr(file_analysis, "WORTH_PROCESSES", 1)
    path = write(tmp_path, runs=8)
    _, alone, one = measure(path, sentiment="model")
    _, shared, many = measure(path, sentiment="model", processes=2)
    assert shared == alone and many == one


class Deadly:
    """An answer that ends the process which receives it."""

    def __reduce__(self):
        return os._exit, (9,)


def test_a_process_that_dies_is_an_error():
    with pytest.raises(BrokenExecutor):
        list(analyze_in_order([Deadly()], (ACME,), None, processes=1))

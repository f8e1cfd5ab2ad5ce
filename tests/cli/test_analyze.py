"""`sightline analyze` as a user runs it: the document, the report, bad files, and the same figures as a check."""

import asyncio
import csv
import gzip
import json
import os
import re
import signal
import stat
import subprocess
import time
from pathlib import Path

import psutil
import pytest
from typer.testing import CliRunner

from bench import file_memory
from sightline.cli.main import app
from sightline.presentation.direction_controls import has_direction_controls
from tests.fakes.chat import Local
from tests.fakes.content import Statement
from tests.fakes.faults import Faults
from tests.fakes.server import PROVIDERS, FakeServer
from tests.process.serving.processes import SIGHTLINE, environment, run, run_json

TEXTS = ("1. Acme\n2. Globex\n3. Initech\n", "Globex and Initech are what most teams use.")
BRANDS = ("--brand", "Acme=acme.com", "--competitor", "Globex=globex.com", "--no-sentiment")


def make_records(prompts=2, runs=3):
    return [
        {
            "id": f"{prompt}-{platform}-{run}",
            "prompt": f"best crm number {prompt}",
            "platform": platform,
            "run": run,
            "text": TEXTS[(run + prompt) % 2],
            "sources": [{"url": "https://www.acme.com/crm", "title": "Acme"}],
        }
        for prompt in range(prompts)
        for platform in ("chatgpt", "gemini")
        for run in range(runs)
    ]


@pytest.fixture
def write(tmp_path):
    def write(*lines, name="answers.jsonl"):
        path = tmp_path / name
        path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
        return str(path)

    return write


def invoke(*arguments):
    return CliRunner().invoke(app, ["analyze", *arguments])


def test_the_document_has_brand_figures_answers_and_discovered(write):
    path = write(*make_records())
    done = invoke(path, *BRANDS, "--alias", "Acme CRM", "--json")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert set(found) == {
        "brand", "domain", "figures", "lead", "other_markets", "comparison", "misread_names", "reading",
        "spot_checks", "answers", "discovered", "themes", "recommendations",
        "opportunities", "prompt_suggestions", "insights_answers", "market", "edited_by", "facts", "metrics_version",
        "extractor_version",
    }  # fmt: skip
    assert (found["brand"], found["domain"]) == ("Acme", "acme.com")
    assert [answer["id"] for answer in found["answers"]] == [record["id"] for record in make_records()]
    first = found["answers"][0]
    assert set(first) == {"id", "prompt", "platform", "status", "fault", "brands", "brand_count"}
    own, globex = first["brands"]
    assert set(own) == {
        "name", "mentioned", "rank", "stance", "sentiment", "unscored", "cited", "cited_urls", "occurrences",
    }  # fmt: skip
    assert (own["name"], own["mentioned"], own["rank"], own["cited"], own["stance"]) == (
        "Acme",
        True,
        1,
        True,
        "neutral",
    )
    (place,) = own["occurrences"]
    assert TEXTS[0][place["start"] : place["end"]] == place["text"] == "Acme"
    assert (globex["rank"], globex["cited"], first["brand_count"]) == (2, False, 3)
    assert found["discovered"] == [
        {"name": "Initech", "domain": None, "answers": 6, "prompts": 2, "platforms": 2, "products": []}
    ]
    headline = found["figures"]["headline"]
    assert headline["brand_coverage_pct"]["value"] == 50.0 and headline["brand_coverage_pct"]["n"] == 12
    assert len(found["figures"]["prompts"]) == 2 and not found["figures"]["incomplete"]
    assert len(found["spot_checks"]) == 4
    assert found["spot_checks"][0] == {
        "prompt": "best crm number 0", "country": None, "language": None, "platform": "chatgpt", "asked": 3, "named": 2,
        "chance_pct": None, "low": None, "high": None,
        "summary": "Too few answers to estimate the chance: 3 so far, 5 needed.",
    }  # fmt: skip


def test_the_figures_are_those_of_a_check_with_the_same_answers(tmp_path, write):
    settings = {"data_dir": tmp_path / "data", "sandbox_latency_ms": 0}
    platforms = [part for key in ("chatgpt", "gemini", "claude", "deepseek") for part in ("--platform", key)]
    arguments = ("-c", "Mirvune=mirvune.com", "--country", "US", "--sentiment")
    check = run_json("check", "acme.com", *arguments, *platforms, **settings)
    records = [
        {
            **{name: answer[name] for name in ("id", "prompt", "platform", "text", "country")},
            "language": check["results"]["prompts"][0]["language"],
            "sources": [{"url": page["url"], "title": page["title"]} for page in answer["cited"]],
        }
        for answer in check["answers"]
    ]
    path = write(*records)
    found = run_json("analyze", path, "--brand", "Acme=acme.com", "-c", "Mirvune=mirvune.com", **settings)
    for results, surface in ((found["figures"], "import"), (check["results"], "sandbox")):
        assert {each.pop("surface") for each in results["platforms"]} == {surface}
    assert found["figures"] == check["results"]
    for read, asked in zip(found["answers"], check["answers"], strict=True):
        for brand, expected in zip(read["brands"], asked["reading"]["brands"], strict=True):
            assert (brand["rank"], brand["mentioned"]) == (expected["rank"], expected["mentioned"])
        assert read["brand_count"] == asked["reading"]["n_brands"]


def test_csv_gives_the_same_as_json_lines(write, tmp_path):
    records = make_records()
    with (tmp_path / "answers.csv").open("w", newline="") as file:
        rows = csv.DictWriter(file, ["id", "prompt", "platform", "run", "text", "sources"])
        rows.writeheader()
        rows.writerows({**record, "sources": record["sources"][0]["url"]} for record in records)
    from_csv = invoke(str(tmp_path / "answers.csv"), *BRANDS, "--json")
    from_lines = invoke(write(*records), *BRANDS, "--json").stdout.replace('"unit":"line"', '"unit":"row"')
    assert from_csv.exit_code == 0 and from_csv.stdout == from_lines


def test_the_terminal_shows_repeats_and_the_spot_check(write):
    done = invoke(write(*make_records(runs=6)), *BRANDS)
    assert done.exit_code == 0 and "Analyzing 24 answers." in done.stderr
    for text in (
        "Acme in AI answers",
        "Visibility Score",
        "By prompt",
        "3/6",
        "Also named in these answers",
        "Initech",
    ):
        assert text in done.stdout, text
    assert "Spot check: the chance that one answer names Acme" in done.stdout
    assert re.search(r"Q1 +ChatGPT +6 +3 +50\.0 +18\.8.81\.2", done.stdout)
    assert "answers: file" in done.stdout and "cost" not in done.stdout


def test_with_three_repeats_the_terminal_says_that_they_are_too_few(write):
    done = invoke(write(*make_records()), *BRANDS)
    assert "Too few answers to estimate the chance: 3 so far, 5 needed." in done.stdout


def test_the_report_shows_the_answers_and_needs_nothing_else(write, tmp_path):
    path = tmp_path / "report.html"
    records = make_records(runs=5)
    records[0] |= {"id": 'a "quoted" <id>', "answered_at": "2026-11-01"}
    done = invoke(write(*records), *BRANDS, "--save", str(path))
    assert done.exit_code == 0 and f"Report written to {path}" in done.stderr
    html = path.read_text()
    assert html.startswith("<!doctype html>") and "<script" not in html and "Where the answers come from" not in html
    assert "second opinion" in html and "answers of 1 Nov 2026" in html and "Spot check" in html
    assert 'href="#a-a.20.22quoted.22.20.3Cid.3E"' in html and 'id="a-a.20.22quoted.22.20.3Cid.3E"' in html
    assert "<strong>" in html and "All answers" in html


def test_a_long_file_is_shortened_for_reading_but_not_in_its_figures(write, tmp_path, monkeypatch):
    monkeypatch.setenv("SIGHTLINE_ANALYZER_PROCESSES", "0")
    path = tmp_path / "report.html"
    done = invoke(write(*make_records(prompts=120, runs=6)), *BRANDS, "--save", str(path))
    assert done.exit_code == 0, done.stderr
    assert "and 70 more prompts" in done.stdout and "and 220 more rows in the report and with --json" in done.stdout
    assert "Acme is named in 720 of 1,440 answers" in " ".join(done.stdout.split())
    html = path.read_text()
    assert "These are the first 100 of 120 prompts. Every figure counts all of them." in html
    assert "These are 1,000 of 1,440 answers. Every figure counts all of them." in html
    assert html.count("<details>") == 1_000 and "Q100 best crm number 99" in html and "best crm number 100" not in html
    links, places = set(re.findall(r'href="#(a-[^"]+)"', html)), set(re.findall(r'id="(a-[^"]+)"', html))
    assert links and links <= places


def test_a_brand_without_a_domain_is_measured_by_name_and_says_what_is_missing(write):
    path = write(*make_records())
    done = invoke(path, "--brand", "Acme", "--no-sentiment", "--json")
    found = json.loads(done.stdout)
    assert found["domain"] is None and not any(answer["brands"][0]["cited"] for answer in found["answers"])
    assert found["figures"]["headline"]["brand_coverage_pct"]["value"] == 50.0
    assert "No domain. Without a domain, no page counts as" in " ".join(invoke(path, "--brand", "Acme").stdout.split())


def test_direction_controls_are_visible_on_the_terminal_and_in_the_report_and_raw_in_json(write, tmp_path):
    records = [{**each, "prompt": "best \u202ecrm"} for each in make_records(prompts=1)]
    names = ("--brand", "Ac\u202eme=acme.com", "--competitor", "Glo\u2066bex", "--no-sentiment")
    done = invoke(path := write(*records), *names, "--save", str(saved := tmp_path / "report.html"))
    for shown in (done.stdout, saved.read_text()):
        assert all(mark in shown for mark in ("Ac[U+202E]me in AI answers", "Glo[U+2066]bex", "best [U+202E]crm"))
        assert not has_direction_controls(shown)
    refused = invoke(write("no JSON", name="a\u202e.jsonl"), *names)
    assert "a[U+202E].jsonl" in refused.stderr and not has_direction_controls(refused.stderr)
    found = json.loads(invoke(path, *names, "--json").stdout)
    assert found["brand"] == "Ac\u202eme" and found["answers"][0]["prompt"] == "best \u202ecrm"


def test_bad_lines_are_all_named_and_nothing_is_analyzed(write, tmp_path):
    good = make_records()[0]
    path = write(good, "{broken", {**good, "id": "b", "text": ""}, good, {**good, "id": "c"})
    report = tmp_path / "report.html"
    done = invoke(path, *BRANDS, "--json", "--save", str(report))
    assert done.exit_code == 2 and done.stdout == "" and not report.exists()
    said = " ".join(done.stderr.split())
    for text in (
        "line 2: The line is not valid JSON",
        "line 3: `text` is empty",
        "line 4: The id '0-chatgpt-0' is used",
    ):
        assert text in said, text
    assert "3 lines of" in said and "nothing was analyzed" in said and "line 5" not in said


def test_after_twenty_bad_lines_the_others_are_counted(write):
    done = invoke(write(*["{"] * 30), *BRANDS)
    assert done.exit_code == 2 and "line 20:" in done.stderr and "line 21:" not in done.stderr
    assert "and 10 more bad lines" in done.stderr and "30 lines of" in " ".join(done.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["/nowhere.jsonl", *BRANDS], "cannot be read: No such file"),
        (["/", *BRANDS], "is a folder"),
        (["/dev/null", *BRANDS], "not a regular file"),
        (["FILE", "--brand", "Acme=not a domain"], "is not a domain"),
        (["FILE", "--brand", " "], "needs a name"),
        (["FILE", *BRANDS, "--competitor", "ACME"], "the brand itself"),
        (["FILE", *BRANDS, "--save", "/nowhere/report.html"], "does not exist"),
        (["FILE"], "Missing option '--brand'"),
        (["EMPTY", *BRANDS], "The file is empty"),
        (["FILE", *BRANDS, "--column", "text"], "write FIELD=NAME"),
        (["FILE", *BRANDS, "--column", "text=answer"], "There is no column 'answer'"),
        (["FILE", *BRANDS, "--compare", "yesterday"], "is not two dates"),
        (["FILE", *BRANDS, "--compare", "2026-11-02,2026-11-01"], "must be before the second"),
        (["FILE", *BRANDS, "--compare", "2026-11-01,2026-11-02"], "no answer of 1 Nov 2026 and 2 Nov 2026"),
    ],
)
def test_what_makes_no_sense_is_refused(write, arguments, message):
    files = {"FILE": write(*make_records()), "EMPTY": write(name="empty.jsonl")}
    done = invoke(*(files.get(argument, argument) for argument in arguments))
    assert done.exit_code == 2 and done.stdout == "" and message in " ".join(done.stderr.split())


ANSWER = json.dumps(make_records(1, 1)[0])


def answer_at(time: str) -> bytes:
    return json.dumps(make_records(1, 1)[0] | {"answered_at": time}).encode()


STRANGE_FILES = {
    "gzip": ("answers.jsonl", gzip.compress(ANSWER.encode()), "This is a gzip file. Save the answers as CSV"),
    "Excel": ("answers.csv", b"PK\x03\x04" + bytes(99), "a ZIP archive or an Excel file."),
    "Parquet": ("answers.parquet", b"PAR1" + bytes(99) + b"PAR1", "is a Parquet file."),
    "Parquet, damaged": ("answers.parquet", b"PAR0" + bytes(99), "This is not a text file."),
    "binary": ("answers.jsonl", bytes(range(256)) * 20, "This is not a text file."),
    "binary as CSV": ("answers.csv", b"\xff\0" * 900, "This is not a text file."),
    "no text": ("answers.jsonl", ANSWER.encode().replace(b"crm", b"\x81"), "The line is not UTF-8"),
    "no text in CSV": ("answers.csv", b"id,prompt,platform,text\n1,\x81,x,y\n", "What follows was not read."),
    "other columns": ("answers.csv", b"name,value\nx,y\n", "No column holds the answers."),
    "one JSON list": ("answers.json", f"[{ANSWER}]".encode(), "The file is one JSON list."),
    "deep": ("answers.jsonl", b'{"a":' + b"[" * 200_000 + b"]" * 200_000, "maximum recursion depth exceeded"),
    "deep objects": ("answers.jsonl", b'{"a":' * 90_000 + b"1" + b"}" * 90_000, "maximum recursion depth exceeded"),
    "huge number": ("answers.jsonl", b'{"id":' + b"9" * 5_000 + b"}", "Integer value out of range"),
    "open quote": ("answers.csv", b'id,prompt,platform,text\n"1,a,b,c\n' + b"x" * 5_000_000, "than 4,000,000 bytes"),
    "terminal commands": ("answers.jsonl", ANSWER.replace("chatgpt", "\\u009b2J").encode(), "control characters"),
    "before all time": ("answers.jsonl", answer_at("0001-01-01T00:00+14:00"), "`answered_at` is not a date"),
    "after all time": ("answers.jsonl", answer_at("9999-12-31T23:59-14:00"), "`answered_at` is not a date"),
    "empty CSV": ("answers.csv", b"", "The file is empty."),
}  # fmt: skip


@pytest.mark.parametrize(("name", "content", "message"), STRANGE_FILES.values(), ids=STRANGE_FILES)
def test_a_file_that_is_not_what_its_name_says_is_refused_with_a_reason(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    assert_refused(tmp_path / name, message)


def assert_refused(path, message):
    done = invoke(str(path), *BRANDS)
    assert done.exit_code == 2 and done.stdout == "" and isinstance(done.exception, SystemExit)
    assert message in " ".join(done.stderr.split()) and "Traceback" not in done.stderr


def test_a_place_that_is_no_file_of_answers_is_refused_with_a_reason(tmp_path):
    """A pipe would be read twice, and a line of a gigabyte is never in memory."""
    os.mkfifo(pipe := tmp_path / "answers.jsonl")
    assert_refused(pipe, "is not a regular file.")
    for name, target in (("dangling", tmp_path / "nowhere"), ("loop", tmp_path / "loop"), ("pipe", pipe)):
        (tmp_path / name).symlink_to(target)
    assert_refused(tmp_path / "dangling", "cannot be read: No such file or directory.")
    assert_refused(tmp_path / "loop", "cannot be read: Too many levels of symbolic links.")
    assert_refused(tmp_path / "pipe", "is not a regular file.")
    assert_refused(tmp_path / ("x" * 300), "cannot be read: File name too long.")
    with (tmp_path / "line").open("wb") as file:
        file.write(b"{" * 70_000)
        file.truncate(1_000_000_000)
    assert_refused(tmp_path / "line", "line 1: The line is longer than 4,000,000 bytes.")


def test_an_unreadable_file_is_refused(write):
    if os.geteuid() == 0:
        pytest.skip("root may read anything")
    path = write(*make_records())
    Path(path).chmod(stat.S_IWUSR)
    done = invoke(path, *BRANDS)
    assert done.exit_code == 2 and "cannot be read: Permission denied" in " ".join(done.stderr.split())


def test_texts_that_are_too_short_are_failed_answers_and_the_exit_code_is_1_if_all_are(write):
    records = [{**record, "text": "No."} for record in make_records()]
    done = invoke(write(*records), *BRANDS)
    assert done.exit_code == 1 and "No answer could be measured" in done.stdout
    assert "6 \u00d7 empty answer (blank): the answer has fewer than 20 characters" in " ".join(done.stdout.split())


@pytest.mark.slow
def test_ctrl_c_ends_the_analysis_and_leaves_nothing_behind(write, tmp_path):
    path = write(*make_records(prompts=400, runs=10))
    spool = tmp_path / "spool"
    spool.mkdir()
    process = subprocess.Popen(
        [*SIGHTLINE, "analyze", path, *BRANDS, "--json"],
        env={**environment(), "TMPDIR": str(spool)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Tests that run in the background are started with Ctrl-C switched off, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - this test has no threads
    )
    try:
        assert "Analyzing" in process.stderr.readline()
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=15)
    finally:
        process.kill()
    assert (process.returncode, out) == (130, "") and "Stopped." in err and "Traceback" not in err
    assert list(spool.iterdir()) == []


@pytest.mark.slow
def test_processes_end_when_the_command_is_killed(write):
    path = write(*make_records(prompts=400, runs=10))
    process = subprocess.Popen(
        [*SIGHTLINE, "analyze", path, *BRANDS, "--json"],
        env=environment(analyzer_processes=2),
        stdout=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + 30
        while len(children := psutil.Process(process.pid).children()) < 2 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert len(children) >= 2
        time.sleep(3)  # until they have begun
    finally:
        process.kill()
        process.wait()
    _, left = psutil.wait_procs(children, timeout=15)
    assert left == []


@pytest.mark.slow
def test_five_times_the_answers_need_hardly_more_memory():
    few, _ = file_memory.measure(1_000, "--no-sentiment")  # all gold answers, so that both read the same texts
    many, _ = file_memory.measure(5_000, "--no-sentiment")
    assert many < 1.15 * few


def test_the_example_of_the_document_works(write):
    (lines,) = re.findall(r"```json\n(.*?)```", Path("docs/guides/analyze.md").read_text(), re.DOTALL)
    done = invoke(write(lines.strip()), *BRANDS, "--json")
    found = json.loads(done.stdout)
    assert [answer["brands"][0]["rank"] for answer in found["answers"]] == [1, None, 1]
    assert found["answers"][2]["brands"][0]["cited"] and len(found["figures"]["prompts"]) == 2


ANVILS = "1. **Acme** - The face of the Acme anvil stays flat.\n2. **Hooli** - The horn chips.\n3. **Kamp** - Loud."


def make_anvils():
    return [
        {"id": f"{prompt}-{platform}", "prompt": prompt, "platform": platform, "language": "en", "text": ANVILS}
        for prompt in ("Which anvil suits smiths?", "Which anvil suits schools?")
        for platform in ("chatgpt", "gemini")
    ]


def read_given(text):
    fence = text.strip().splitlines()[-1].removesuffix(">>>")
    return json.loads(text.split(f"<<<{fence}\n")[1].split(f"\n{fence}>>>")[0])


def edit_anvils(text):
    """Return what a language model could reply to a question of the editor."""
    given, form = read_given(text), text.split("Reply with JSON only:")[1].split("<<<")[0]
    if "singular" in form:
        items = [{"singular": "anvil", "plural": "anvils", "audience": "smiths", "language": "en"}]
    elif "competes" in form:
        items = [{"name": each, "kind": "brand", "competes": True} for each in ("Hooli", "Vandelay, in no answer")]
    elif "label" in form:
        items = [{"label": "flat face", "definition": "whether the face stays flat", "passages": [1]}]
    elif "opinion" in form:
        items = [{"theme": "t1", "opinion": "praise", "passages": [1]}]
    elif "question" in form:
        items = [{"question": "What makes an anvil last?", "reason": "stage", "subject": "learn"}]
    else:
        items = [{"action": int(number), "title": facts["draft"]["title"], "reason": "Invented by 99 people.",
                  "steps": ["One.", "Two."]} for number, facts in given["actions"].items()]  # fmt: skip
    return json.dumps({"items": items})


def test_a_folder_is_the_editor_round_by_round(write, tmp_path):
    path, folder = write(*make_anvils()), tmp_path / "editor"
    rounds = []
    for _ in range(4):
        done = invoke(path, "--brand", "Acme=acme.com", "--no-sentiment", "--json", "--editor-dir", str(folder))
        assert done.exit_code == 0, done.stderr
        open_files = [each for each in folder.glob("*.txt") if not each.with_suffix(".json").exists()]
        rounds.append(len(open_files))
        assert (f"{len(open_files)} question" in done.stderr) is bool(open_files)
        for each in open_files:
            each.with_suffix(".json").write_text(edit_anvils(each.read_text()))
    assert rounds[0] == 3 and rounds[-1] == 0
    assert "1 part of the editor's replies was left out" in done.stderr.replace("\n", " ")
    found = json.loads(done.stdout)
    assert [each["name"] for each in found["discovered"]] == ["Hooli"]
    assert [each["name"] for each in found["figures"]["candidates"]] == ["Hooli"]
    (theme,) = found["themes"]
    assert (theme["descriptor"], theme["answers"], theme["positive"]) == ("flat face", 4, 4)
    assert found["market"]["plural"] == "anvils"
    assert [each["prompt"] for each in found["prompt_suggestions"]] == ["What makes an anvil last?"]
    assert "99 people" not in done.stdout, "a number that no answer proves"
    assert json.loads((folder / "themes.json").read_text())[0]["label"] == "flat face"


def test_facts_are_compared_with_what_the_answers_claim(write, tmp_path):
    priced = [each | {"text": "The **Acme 3** anvil costs $449.\n\nGlobex costs $99."} for each in make_anvils()]
    path, folder, facts = write(*priced), tmp_path / "editor", tmp_path / "facts.json"
    facts.write_text('[{"kind": "price", "subject": "Acme 3", "value": "399", "currency": "USD"}]')
    options = (path, "--brand", "Acme=acme.com", "--no-sentiment", "--facts", str(facts))
    assert "need an editor" in invoke(*options).stderr
    for _ in range(5):
        done = invoke(*options, "--json", "--editor-dir", str(folder))
        assert done.exit_code == 0, done.stderr
        for each in folder.glob("*.txt"):
            asked = each.read_text()
            is_claims = '"manner"' in asked
            claim = {"fact": "f1", "passage": 1, "words": "$449", "manner": "states"}
            each.with_suffix(".json").write_text(json.dumps({"items": [claim]}) if is_claims else edit_anvils(asked))
    found = json.loads(done.stdout)["facts"]
    assert (found["right"], found["wrong"]) == (0, 4)
    (wrong,) = found["statements"]
    assert (wrong["stated"], wrong["truth"], wrong["answers"]) == ("USD 449", "USD 399", 4)
    assert sorted(quote["answer_id"] for quote in wrong["quotes"]) == sorted(each["id"] for each in priced)
    shown = invoke(*options, "--editor-dir", str(folder)).stdout
    assert "0 of 4 statements agree" in shown and "Acme 3: USD 449, but it is USD 399" in shown


@pytest.mark.parametrize(
    "text", ["", "{}", '[{"kind": "price"}]', '[{"kind": "founded", "value": "old"}]', '[{"kind": "x", "value": "1"}]']
)
def test_facts_that_cannot_be_compared_are_refused(write, tmp_path, text):
    facts = tmp_path / "facts.json"
    facts.write_text(text)
    options = (write(*make_anvils()), "--brand", "Acme", "--editor-dir", str(tmp_path / "editor"))
    refused = invoke(*options, "--facts", str(facts))
    assert refused.exit_code == 2 and "facts.json" in refused.stderr and "Traceback" not in refused.stderr
    assert invoke(*options, "--facts", str(tmp_path / "none.json")).exit_code == 2


def test_a_folder_with_damaged_themes_or_a_file_in_its_place_is_refused(write, tmp_path):
    path, folder = write(*make_anvils()), tmp_path / "editor"
    folder.mkdir()
    (folder / "codebook.json").write_text('{"label": ')
    refused = invoke(path, "--brand", "Acme", "--editor-dir", str(folder))
    assert refused.exit_code == 2 and "cannot be read" in refused.stderr and "Traceback" not in refused.stderr
    assert invoke(path, "--brand", "Acme", "--editor-dir", path).exit_code == 2


class EditingModel(Local):
    """A local model that answers the editor's questions."""

    def answer(self, request, statements):
        return super().answer(request, (Statement(edit_anvils(self.prompt(request))),))


async def test_a_connected_platform_is_the_editor(write, tmp_path, monkeypatch):
    # Our own server speaks the wire format; only what its model says is replaced.
    monkeypatch.setitem(PROVIDERS, "local", EditingModel())
    path = write(*make_anvils())
    async with FakeServer() as server:
        named = {name: value for name, value in server.settings().items() if name.startswith("SIGHTLINE_LOCAL_")}
        settings = {name.removeprefix("SIGHTLINE_").lower(): value for name, value in named.items()}
        settings |= {"data_dir": tmp_path, "ask_attempts": 1}
        arguments = ("analyze", path, "--brand", "Acme=acme.com", "--no-sentiment", "--editor", "local")
        done = await asyncio.to_thread(run, *arguments, **settings)
        server.script("local", *(Faults.unauthorised() for _ in range(20)))
        failed = await asyncio.to_thread(run, *arguments, **settings)
    assert done.returncode == 0 and "flat face" in done.stdout and "What makes an anvil last?" in done.stdout
    assert "Hooli" in done.stdout and "Kamp" not in done.stdout.split("Also named")[-1]
    assert failed.returncode == 0 and "did not reply to 4 questions" in failed.stderr, failed.stderr


def test_an_editor_that_cannot_be_asked_is_refused_before_anything_is_read(write, tmp_path):
    refused = invoke("missing.jsonl", "--brand", "Acme", "--editor", "chatgpt")
    assert refused.exit_code == 2 and "No language model is connected" in refused.stderr
    both = invoke(write(*make_anvils()), "--brand", "Acme", "--editor", "chatgpt", "--editor-dir", str(tmp_path / "x"))
    assert both.exit_code == 2 and "not both" in both.stderr

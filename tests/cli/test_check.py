"""`sightline check` as a user runs it: sandbox answers, faults, Ctrl-C, wrong input, and live over real HTTP."""

import asyncio
import json
import os
import signal
import stat
import subprocess
import time

import pytest
from typer.testing import CliRunner

from sightline.cli.main import app
from sightline.platforms.catalog import PLATFORMS
from tests.fakes.editor import EditorModel
from tests.fakes.faults import Faults
from tests.fakes.server import FakeServer
from tests.process.serving.processes import SIGHTLINE, environment, run, run_json
from tests.scans.running.provider import Provider

DOCUMENT = {
    "domain", "brand", "answers_source", "results", "answers", "metrics_version", "extractor_version", "incomplete",
}  # fmt: skip
ANSWER = {
    "id", "prompt", "platform", "country", "status", "fault", "text", "cited", "retrieved", "queries", "model_asked",
    "model_served", "country_honoured", "usage", "cost_usd", "latency_ms", "reading",
}  # fmt: skip
HEADLINE = {
    "visibility_score", "brand_coverage_pct", "ai_mentions", "citation_count", "market_position", "share_of_voice_pct",
}  # fmt: skip
METRIC = {"value", "low", "high", "n", "numerator", "denominator", "early_reading", "incomplete", "prompts", "market"}
QUESTIONS = ("--prompt", "best coffee roasters", "--prompt", "coffee for small offices")
TWO_PLATFORMS = ("--platform", "chatgpt", "--platform", "gemini")


@pytest.fixture
def sandbox(tmp_path):
    """Return settings without connections or latency, and with an unused data folder."""
    return {"data_dir": tmp_path / "data", "sandbox_latency_ms": 0, "ask_attempts": 1}


def test_json_output_is_one_complete_document(sandbox):
    found = run_json(
        "check", "https://www.Acme.com/x", *QUESTIONS, *TWO_PLATFORMS, "-c", "Mirvune=mirvune.com", **sandbox
    )
    assert set(found) == DOCUMENT
    assert (found["domain"], found["brand"], found["answers_source"]) == ("acme.com", "Acme", "sandbox")
    assert not found["incomplete"] and len(found["answers"]) == 4
    for answer in found["answers"]:
        assert set(answer) == ANSWER
        assert answer["status"] == "ok" and answer["text"] and answer["fault"] is None
        assert [brand["name"] for brand in answer["reading"]["brands"]] == ["Acme", "Mirvune"]
        assert answer["model_served"] == f"sandbox-{answer['platform']}"
    results = found["results"]
    assert set(results["headline"]) == HEADLINE
    for metric in results["headline"].values():
        assert set(metric) == METRIC and metric["n"] == 4 and metric["early_reading"]
    assert {row["platform"] for row in results["platforms"]} == {"chatgpt", "gemini"}
    assert [row["prompt"] for row in results["prompts"]] == [QUESTIONS[1], QUESTIONS[3]]
    named = sum(answer["reading"]["brands"][0]["mentioned"] for answer in found["answers"])
    assert results["headline"]["ai_mentions"]["value"] == named
    assert results["headline"]["brand_coverage_pct"]["value"] == 25 * named
    assert {row["name"] for row in results["competitors"]} == {"Acme", "Mirvune"}


def test_sandbox_answers_depend_on_the_day_only(sandbox):
    def texts(day):
        found = run_json("check", "acme.com", *QUESTIONS, "--day", day, **sandbox)
        return [(answer["platform"], answer["text"]) for answer in found["answers"]]

    first = texts("2026-11-15")
    assert first == texts("2026-11-15") != texts("2026-03-01")
    assert len(first) == 2 * len(PLATFORMS)


def test_without_prompts_ten_are_suggested_in_the_language_of_the_country(sandbox):
    found = run_json("check", "acme.com", "--country", "de", *TWO_PLATFORMS, "--sentiment", **sandbox)
    prompts = found["results"]["prompts"]
    assert len(prompts) == 10 and {(row["country"], row["language"]) for row in prompts} == {("DE", "de")}
    assert not any(row["branded"] for row in prompts) and not found["results"]["early_reading"]
    assert {answer["country_honoured"] for answer in found["answers"]} == {True}
    coverage = found["results"]["headline"]["brand_coverage_pct"]
    assert coverage["prompts"] == 10
    assert coverage["market"]["low"] <= coverage["low"] <= coverage["high"] <= coverage["market"]["high"]
    assert found["results"]["details"]["brand_coverage_pct_market"] == coverage["market"]
    assert found["results"]["sentiment"]["scored"] + found["results"]["sentiment"]["unscored"] > 0


def test_the_terminal_shows_tables_and_the_sandbox_notice(sandbox):
    done = run("check", "acme.com", *QUESTIONS, *TWO_PLATFORMS, "--competitor", "Globex", **sandbox)
    assert done.returncode == 0
    for text in ("MADE UP", "sightline platform list", "Early reading", "Visibility Score", "By platform", "By prompt"):
        assert text in done.stdout, text
    for text in (
        "For these",
        "For questions",
        "No range for questions like these",
        "too few to estimate the share for other questions",
    ):
        assert text in done.stdout, text
    for text in ("Globex", "acme.com", "Sources", "metrics version 2", "answers: sandbox"):
        assert text in done.stdout, text
    assert "\x1b" not in done.stdout + done.stderr  # not a terminal: plain lines
    assert "Asking 2 prompts on 2 platforms." in done.stderr and "ChatGPT: 2 ok" in done.stderr


def test_a_metric_that_was_not_measured_is_a_dash(sandbox):
    done = run("check", "acme.com", *QUESTIONS, *TWO_PLATFORMS, **sandbox)
    line = next(line for line in done.stdout.splitlines() if line.startswith("Share of Voice"))
    assert "\u2013" in line and "no competitor is tracked" in line and "0" not in line


@pytest.mark.parametrize(
    ("word", "kind", "message"),
    [("sandbox:fail", "unavailable", "platform unavailable"), ("sandbox:garbage", "malformed", "unreadable answer")],
)
def test_when_every_answer_fails_the_reasons_are_printed_and_the_exit_code_is_1(sandbox, word, kind, message):
    done = run("check", "acme.com", "--prompt", word, *TWO_PLATFORMS, **sandbox)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "No answer could be measured" in done.stdout and message in done.stdout
    assert "ChatGPT, Gemini" in done.stdout and "1 failed" in done.stderr
    done = run("check", "acme.com", "--prompt", word, *TWO_PLATFORMS, "--json", **sandbox)
    found = json.loads(done.stdout)
    assert done.returncode == 1 and found["incomplete"]
    assert {answer["fault"]["kind"] for answer in found["answers"]} == {kind}
    assert all(metric["value"] is None for metric in found["results"]["headline"].values())


def test_a_failed_answer_is_reported_but_not_counted(sandbox):
    found = run_json("check", "acme.com", *QUESTIONS, "--prompt", "sandbox:fail", "--platform", "chatgpt", **sandbox)
    assert (found["results"]["valid"], found["results"]["failed"], found["incomplete"]) == (2, 1, True)
    assert found["results"]["headline"]["brand_coverage_pct"]["n"] == 2
    done = run("check", "acme.com", *QUESTIONS, "--prompt", "sandbox:fail", "--platform", "chatgpt", **sandbox)
    assert done.returncode == 0 and "Incomplete. 1 of 3 planned answers failed." in done.stdout


def test_a_rate_limited_question_is_retried_and_a_refusal_is_a_valid_answer(sandbox):
    settings = {**sandbox, "ask_attempts": 4}
    found = run_json("check", "acme.com", "--prompt", "sandbox:ratelimit", "--platform", "chatgpt", **settings)
    assert [answer["status"] for answer in found["answers"]] == ["ok"]
    found = run_json("check", "acme.com", "--prompt", "sandbox:refuse", *TWO_PLATFORMS, **sandbox)
    assert [answer["status"] for answer in found["answers"]] == ["ok", "ok"]
    assert found["results"]["headline"]["brand_coverage_pct"]["value"] == 0.0


def test_the_report_is_written_atomically_and_replaces_an_old_one(sandbox, tmp_path):
    path = tmp_path / "report.html"
    path.write_text("old")
    done = run("check", "acme.com", *QUESTIONS, *TWO_PLATFORMS, "--save", str(path), "--json", **sandbox)
    assert done.returncode == 0 and json.loads(done.stdout)["domain"] == "acme.com"
    html = path.read_text()
    assert html.startswith("<!doctype html>") and html.rstrip().endswith("</html>") and "<script" not in html
    assert "made up" in html and "best coffee roasters" in html
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.html"] and str(path) in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["localhost"], "single label"),
        (["127.0.0.1"], "IP address"),
        (["acme.com", "--platform", "chatgtp"], "Known: chatgpt, gemini"),
        (["acme.com", "--country", "ZZ"], "--country 'ZZ'"),
        (["acme.com", "--language", "english"], "--language 'english'"),
        (["acme.com", "--day", "yesterday"], "--day 'yesterday'"),
        (["acme.com", "--prompt", "x"], "2 to 500 characters"),
        (["acme.com", "--prompt", "x" * 501], "2 to 500 characters"),
        (["acme.com", *[part for number in range(51) for part in ("--prompt", f"prompt {number}")]], "at most 50"),
        (["acme.com", *[part for number in range(21) for part in ("-c", f"Rival {number}")]], "at most 20"),
        (["acme.com", "--competitor", "ACME"], "the brand itself"),
        (["acme.com", "--competitor", "Globex=not a domain"], "is not a domain"),
        (["acme.com", "--competitor", " "], "needs a name"),
        (["acme.com", "--brand", ""], "needs a name"),
        (["acme.com", "--save", "/nowhere/report.html"], "does not exist"),
        (["acme.com", "--save", "/"], "a folder"),
    ],
)  # fmt: skip
def test_wrong_input_is_refused_before_any_platform_is_asked(arguments, message):
    done = CliRunner().invoke(app, ["check", *arguments])
    assert done.exit_code == 2 and done.stdout == ""
    assert message in " ".join(done.stderr.split()) and "Asking" not in done.stderr


def test_an_unwritable_path_is_refused_before_any_platform_is_asked(sandbox, tmp_path):
    if os.geteuid() == 0:
        pytest.skip("root may write anywhere")
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(stat.S_IRUSR | stat.S_IXUSR)
    done = run("check", "acme.com", "--save", str(locked / "r.html"), **sandbox)
    assert done.returncode == 2 and "cannot be written to" in done.stderr and "Asking" not in done.stderr


def stop_check(arguments, settings, seconds, number=signal.SIGINT):
    """Start a check, stop it by a signal some seconds after it has begun, and return its exit code and output."""
    process = subprocess.Popen(
        [*SIGHTLINE, "check", *arguments],
        env=environment(**settings),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert "Asking" in process.stderr.readline()
        time.sleep(seconds)
        began = time.monotonic()
        process.send_signal(number)
        out, err = process.communicate(timeout=15)
        assert time.monotonic() - began < 12  # the slow answers would take 20 seconds, so they were cancelled
        return process.returncode, out, err
    finally:
        process.kill()


def test_ctrl_c_reports_the_answers_so_far(sandbox, tmp_path):
    path = tmp_path / "report.html"
    arguments = ["acme.com", *QUESTIONS, "--prompt", "sandbox:slow", *TWO_PLATFORMS, "--save", str(path), "--json"]
    code, out, err = stop_check(arguments, sandbox, 3)
    found = json.loads(out)
    assert code == 130 and "Traceback" not in err
    assert found["incomplete"] and found["results"]["unanswered"] == 2 and found["results"]["valid"] == 4
    assert len(found["answers"]) == 4
    assert [cell["status"] for cell in found["results"]["prompts"][2]["platforms"]] == ["unanswered"] * 2
    assert "Stopped early" in path.read_text() and "Incomplete" in path.read_text()


@pytest.mark.slow
def test_ctrl_c_before_any_answer_and_sigterm(sandbox):
    code, out, err = stop_check(["acme.com", "--prompt", "sandbox:slow", *TWO_PLATFORMS], sandbox, 1)
    assert (
        code == 130
        and "Stopped early" in out
        and "2 of 2 planned answers are missing" in " ".join(out.split())
        and "Traceback" not in err
    )
    code, out, _ = stop_check(["acme.com", "--prompt", "sandbox:slow", *TWO_PLATFORMS], sandbox, 1, signal.SIGTERM)
    assert code == 143 and "Stopped early" in out


def live_settings(server, *providers):
    """Return the settings of these providers as arguments of `run`, with at most two attempts."""
    prefixes = tuple(f"SIGHTLINE_{name.upper()}_" for name in providers)
    named = {name: value for name, value in server.settings().items() if name.startswith(prefixes)}
    return {name.removeprefix("SIGHTLINE_").lower(): value for name, value in named.items()} | {"ask_attempts": 2}


async def test_live_platforms_over_http(tmp_path):
    async with FakeServer() as server:
        settings = {**live_settings(server, "openai", "anthropic", "deepseek"), "data_dir": tmp_path}
        server.script("anthropic", Faults.overloaded())
        arguments = ["check", "acme.com", "-p", "best crm for startups", "-c", "Globex", "--country", "DE", "--json"]
        done = await asyncio.to_thread(run, *arguments, **settings)
        secrets = [value for name, value in settings.items() if name.endswith("key")]
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["answers_source"] == "live" and "made up" not in done.stderr.lower()
    assert {answer["platform"]: answer["status"] for answer in found["answers"]} == {
        "chatgpt": "ok", "claude": "ok", "deepseek": "ok",
    }  # fmt: skip
    by_platform = {answer["platform"]: answer for answer in found["answers"]}
    assert by_platform["chatgpt"]["model_served"] == "gpt-fake-5-2026-08-01"
    assert len(by_platform["chatgpt"]["cited"]) >= 3 and by_platform["deepseek"]["cited"] == []
    assert found["results"]["headline"]["brand_coverage_pct"]["value"] == 100.0
    assert {cell["position"] for cell in found["results"]["prompts"][0]["platforms"]} == {1}
    assert not any(secret in done.stdout + done.stderr for secret in secrets)
    assert server.requests["openai"][0].body["input"] == "best crm for startups"


async def test_live_faults_are_listed_by_platform_and_permanent_ones_are_not_retried(tmp_path):
    async with FakeServer() as server:
        settings = {**live_settings(server, "openai", "anthropic", "mistral"), "data_dir": tmp_path}
        server.script("openai", Faults.unauthorised())
        server.script("anthropic", Faults.no_money())
        server.script("mistral", Faults.gateway_page(), Faults.gateway_page())
        done = await asyncio.to_thread(run, "check", "acme.com", "-p", "best crm", **settings)
        counts = {name: len(requests) for name, requests in server.requests.items()}
        assert counts == {
            "openai": 1,
            "anthropic": 1,
            "mistral": 2,
        }
    assert done.returncode == 1
    for text in ("credentials refused", "quota or credit used up", "ChatGPT:", "Claude:", "Mistral:"):
        assert text in done.stdout, text
    assert "sandbox" not in done.stdout.lower()


async def test_live_prompts_are_suggested_by_a_platform_and_shown_before_they_are_asked(tmp_path):
    topics = ("price", "support", "backups", "exports", "privacy", "reports", "search", "speed", "uptime", "apps")
    questions = [
        f"{'How' if place % 2 else 'Why'} does {topic} matter for a CRM?" for place, topic in enumerate(topics)
    ]
    async with Provider() as provider:
        provider.edits = EditorModel()
        provider.edits.replies["first_prompts"] = json.dumps({"items": [{"question": text} for text in questions]})
        settings = {**provider.settings, "data_dir": tmp_path}
        done = await asyncio.to_thread(run, "check", "acme.com", "-c", "Globex", **settings)
    assert done.returncode == 0 and "Asking ChatGPT for prompts." in done.stderr
    shown, asking = done.stderr.index(questions[0]), done.stderr.index("Asking 10 prompts on 1 platform.")
    assert shown < asking and set(provider.order[1:]) == set(questions) and provider.edits.asked.total() == 1


async def test_sandbox_options_and_unconnected_platforms_are_refused_live(tmp_path):
    async with FakeServer() as server:
        settings = {**live_settings(server, "openai"), "data_dir": tmp_path}
        for arguments, message in (
            (["acme.com", "--platform", "claude"], "SIGHTLINE_ANTHROPIC_API_KEY"),
            (["acme.com", "--day", "2026-11-15"], "sandbox answers only"),
            (["acme.test"], "reserved"),
        ):
            done = await asyncio.to_thread(run, "check", *arguments, **settings)
            assert done.returncode == 2 and message in done.stderr
        paused = await asyncio.to_thread(run, "check", "acme.com", paused_platforms="chatgpt", **settings)
        assert paused.returncode == 2 and "paused" in paused.stderr
        assert server.requests == {}

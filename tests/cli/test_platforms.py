"""`sightline platform`: listing, pausing, and one real HTTP call to a server of this test."""

import json
import subprocess
import sys
import threading
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from sightline.platforms.catalog import PLATFORMS
from tests.process.serving.processes import environment, run, run_json

SECRET = "sk-very-secret-0123456789"
TEXT = "Acme and Globex are both fine choices for that."
CITED = {"type": "url_citation", "url": "https://acme.com/a", "title": "Acme", "start_index": 0, "end_index": 4}
ANSWER = {
    "id": "resp_1",
    "model": "gpt-served",
    "status": "completed",
    "output": [
        {
            "type": "web_search_call",
            "action": {"type": "search", "sources": [{"type": "url", "url": "https://b.com/"}]},
        },
        {"type": "message", "content": [{"type": "output_text", "text": TEXT, "annotations": [CITED]}]},
    ],
    "usage": {"input_tokens": 1_000_000, "output_tokens": 100_000},
    "tool_usage": {"web_search": {"num_requests": 1}},
}


@contextmanager
def openai(body, status=200):
    seen = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            given = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            seen.append((self.path, self.headers["Authorization"], given))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield seen, {"openai_api_key": SECRET, "openai_base_url": f"http://127.0.0.1:{server.server_port}"}
    finally:
        server.shutdown()
        server.server_close()


RUN_SEVERAL = """
import json, os, sys
from typer.testing import CliRunner
from sightline.cli.main import app
import sightline.kit.logging  # logs go to the standard error of its first import, which must not be a command's
for arguments, settings in json.load(sys.stdin):
    for name in [name for name in os.environ if name.startswith("SIGHTLINE_")]:
        del os.environ[name]
    done = CliRunner().invoke(app, ["platform", *arguments], env=settings)
    print(json.dumps([done.exit_code, done.stdout, done.stderr]))
"""


def run_several(*calls):
    """Run several commands in one process, because starting a process takes longer than the commands."""
    given = [[arguments, environment(**settings)] for arguments, settings in calls]
    done = subprocess.run(
        [sys.executable, "-c", RUN_SEVERAL],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return [
        subprocess.CompletedProcess(call, *json.loads(line))
        for call, line in zip(calls, done.stdout.splitlines(), strict=True)
    ]


@pytest.fixture
def no_credentials(tmp_path):
    """Return settings without credentials: the commands need no database and write no files."""
    yield {"data_dir": tmp_path / "data"}
    assert list(tmp_path.iterdir()) == []


def test_list_without_credentials_says_that_it_is_a_sandbox(no_credentials):
    listed = run_json("platform", "list", **no_credentials)
    assert listed["answers_source"] == "sandbox"
    assert [row["platform"] for row in listed["platforms"]] == [platform.key for platform in PLATFORMS]
    assert {(row["state"], row["configured"], row["enabled"]) for row in listed["platforms"]} == {
        ("sandbox", False, True)
    }


def test_list_shows_what_is_connected_paused_and_missing(no_credentials):
    settings = {"openai_api_key": SECRET, "serpapi_api_key": SECRET, "paused_platforms": "copilot", **no_credentials}
    done, shown, sandbox, typing_error = run_several(
        (["list", "--json"], settings),
        (["list"], settings),
        (["list"], no_credentials),
        (["list"], {"paused_platforms": "chatgtp", **no_credentials}),
    )
    assert SECRET not in done.stdout + done.stderr + shown.stdout
    listed = json.loads(done.stdout)
    assert listed["answers_source"] == "live"
    rows = {row["platform"]: row for row in listed["platforms"]}
    assert [rows[key]["state"] for key in ("chatgpt", "copilot", "grok")] == ["connected", "paused", "not connected"]
    assert (rows["chatgpt"]["vendor"], rows["chatgpt"]["surface"]) == ("openai", "api")
    paused = rows["copilot"]
    assert (paused["vendor"], paused["enabled"], paused["configured"]) == ("serpapi", False, True)
    assert rows["grok"]["set_to_connect"] == [["SIGHTLINE_XAI_API_KEY"]]
    assert not rows["deepseek"]["cites"] and rows["grok"]["cites"]
    assert "Sandbox mode" not in shown.stdout
    assert "Sandbox mode" in sandbox.stdout and "SIGHTLINE_OPENAI_API_KEY" in sandbox.stdout
    assert typing_error.returncode == 1 and "SIGHTLINE_PAUSED_PLATFORMS" in typing_error.stderr


def test_a_platform_that_answers(no_credentials):
    prices = json.dumps({"chatgpt": {"input": 1, "output": 5, "search": 10}})
    with openai(ANSWER) as (seen, connected):
        settings = {**connected, "platform_prices": prices, "openai_model": "gpt-asked", **no_credentials}
        report = run_json("platform", "test", "chatgpt", "--prompt", "best crm", **settings)
        told = run("platform", "test", "chatgpt", **settings)
    assert report["verdict"] == "answered" and report["text"] == TEXT
    assert (report["model_asked"], report["model_served"]) == ("gpt-asked", "gpt-served")
    assert (report["input_tokens"], report["output_tokens"], report["cost_usd"]) == (1_000_000, 100_000, 1.51)
    assert report["sources_cited"] == 1 and report["latency_ms"] >= 0 and report["fault"] is None
    (path, authorization, given), _ = seen
    assert (path, authorization, given["input"]) == ("/v1/responses", f"Bearer {SECRET}", "best crm")
    assert told.returncode == 0
    for sign in ("answered", "gpt-served", "1000000 in, 100000 out", "1.51 USD", "1 cited"):
        assert sign in told.stdout
    assert SECRET not in told.stdout + told.stderr


FAILURES = [
    (401, {"error": {"message": f"Incorrect API key: {SECRET}"}}, "unauthorised", "SIGHTLINE_OPENAI_API_KEY"),
    (429, {"error": {"code": "insufficient_quota", "message": "No quota"}}, "no_money", "Top up"),
    (503, {"error": {"message": "overloaded"}}, "unavailable", "status page"),
    (200, {"output": []}, "blank", "another model"),
    (200, ["surprise"], "malformed", "report the problem"),
]


def test_a_platform_that_fails(no_credentials):
    with ExitStack() as open_servers:
        servers = [open_servers.enter_context(openai(body, status)) for status, body, _, _ in FAILURES]
        told, *reported = run_several(
            (["test", "chatgpt"], {**servers[0][1], **no_credentials}),
            *((["test", "chatgpt", "--json"], {**connected, **no_credentials}) for _, connected in servers),
        )
        assert [len(seen) for seen, _ in servers] == [2, 1, 1, 1, 1]  # one attempt, whatever came back
    for done, (_, _, kind, remedy) in zip(reported, FAILURES, strict=True):
        assert done.returncode == 1 and SECRET not in done.stdout + done.stderr
        report = json.loads(done.stdout)
        assert (report["verdict"], report["fault"]["kind"]) == ("failed", kind)
        assert remedy in report["remedy"]
    assert told.returncode == 1 and told.stdout == ""
    assert "failed" in told.stderr and "SIGHTLINE_OPENAI_API_KEY" in told.stderr and SECRET not in told.stderr


def test_a_platform_that_is_not_connected_or_unknown(no_credentials):
    told, reported, unknown = run_several(
        (["test", "claude"], no_credentials),
        (["test", "local", "--json"], no_credentials),
        (["test", "chatgtp"], no_credentials),
    )
    assert told.returncode == 1 and "SIGHTLINE_ANTHROPIC_API_KEY" in told.stderr
    report = json.loads(reported.stdout)
    assert (report["verdict"], report["remedy"]) == ("not_connected", "Set SIGHTLINE_LOCAL_BASE_URL.")
    assert unknown.returncode == 1 and "platform list" in unknown.stderr


def test_pause_and_resume(database_url, tmp_path):
    settings = {"database_url": database_url, "secret_key": "s" * 40, "data_dir": tmp_path / "data"}
    by_setting = {**settings, "paused_platforms": "grok"}
    paused, again, listed, resumed, not_here, told, unknown = run_several(
        (["pause", "grok", "--json"], settings),
        (["pause", "grok"], settings),
        (["list", "--json"], settings),
        (["resume", "grok", "--json"], settings),
        (["resume", "grok"], settings),
        (["resume", "grok"], by_setting),
        (["pause", "chatgtp"], settings),
    )
    assert json.loads(paused.stdout) == {"platform": "grok", "paused": True, "changed": True}
    assert again.returncode == 0 and "was already paused" in again.stdout
    rows = {row["platform"]: row for row in json.loads(listed.stdout)["platforms"]}
    assert (rows["grok"]["state"], rows["grok"]["enabled"], rows["grok"]["paused"]) == ("paused", False, True)
    assert rows["chatgpt"]["enabled"] and not rows["chatgpt"]["paused"]
    assert json.loads(resumed.stdout) == {"platform": "grok", "paused": False, "changed": True}
    assert not_here.returncode == 0 and "was not paused" in not_here.stdout
    assert "SIGHTLINE_PAUSED_PLATFORMS" in told.stdout
    assert unknown.returncode == 1 and "platform list" in unknown.stderr


def test_choose_the_surface_of_a_platform(database_url, tmp_path):
    shared = {"database_url": database_url, "secret_key": "s" * 40, "data_dir": tmp_path / "data"}
    both = {**shared, "openai_api_key": SECRET, "dataforseo_login": "me", "dataforseo_password": "p-1234"}
    chosen, listed, refused, back, again, fixed = run_several(
        (["surface", "chatgpt", "app", "--json"], both),
        (["list", "--json"], both),
        (["surface", "chatgpt", "serp"], both),
        (["surface", "chatgpt", "default"], both),
        (["list", "--json"], both),
        (["surface", "chatgpt", "app"], {**both, "platform_surfaces": '{"chatgpt": "api"}'}),
    )
    assert json.loads(chosen.stdout) == {"platform": "chatgpt", "surface": "app"}
    surfaces = [
        {row["platform"]: (row["vendor"], row["surface"]) for row in json.loads(each.stdout)["platforms"]}["chatgpt"]
        for each in (listed, again)
    ]
    assert surfaces == [("dataforseo", "app"), ("openai", "api")] and back.returncode == 0
    assert refused.returncode == 1 and "must be one of the connected ones: api, app" in refused.stderr
    assert fixed.returncode == 1 and "SIGHTLINE_PLATFORM_SURFACES" in fixed.stderr


def test_commands_log_what_the_operator_does(database_url, tmp_path):
    settings = {"database_url": database_url, "secret_key": "s" * 40, "data_dir": tmp_path / "data"}
    done = [run("platform", "pause", "grok", **settings), run("platform", "resume", "grok", **settings)]
    refused = run("platform", "connect", "chatgpt", "--api-key", "two words", **settings)
    assert refused.returncode == 1
    lines = [json.loads(line) for each in (*done, refused) for line in each.stderr.splitlines() if "security" in line]
    assert [(line["event"], line["by"]) for line in lines] == [
        ("platform_paused", "operator"),
        ("platform_resumed", "operator"),
        ("platform_connection_refused", "operator"),
    ]


def test_connect_saves_a_key_only_if_the_platform_answers_and_disconnect_deletes_it(database_url, tmp_path):
    shared = {"database_url": database_url, "secret_key": "s" * 40, "data_dir": tmp_path / "data"}
    with openai(ANSWER) as (seen, connected), openai({"error": {"message": "no"}}, 401) as (_, refusing):
        there = {**shared, "openai_base_url": connected["openai_base_url"]}
        refused, made, listed, again, gone = run_several(
            (["connect", "chatgpt", "--api-key", SECRET], {**shared, "openai_base_url": refusing["openai_base_url"]}),
            (["connect", "chatgpt", "--api-key", SECRET, "--json"], there),
            (["list", "--json"], shared),
            (["disconnect", "chatgpt", "--json"], shared),
            (["disconnect", "chatgpt", "--json"], shared),
        )
    assert (
        refused.returncode == 1 and "The key was rejected." in refused.stderr and "Nothing was saved" in refused.stderr
    )
    assert json.loads(made.stdout)["key_ends_in"] == SECRET[-4:] and seen[0][1] == f"Bearer {SECRET}"
    states = {row["platform"]: row["state"] for row in json.loads(listed.stdout)["platforms"]}
    assert (states["chatgpt"], states["grok"]) == ("connected", "not connected")
    assert [json.loads(each.stdout)["changed"] for each in (again, gone)] == [True, False]
    assert SECRET not in "".join(each.stdout + each.stderr for each in (refused, made, listed, again))

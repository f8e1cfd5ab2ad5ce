"""`sightline job` and `sightline platform status`, on a database with held jobs and a failing platform."""

import asyncio
import json

import pytest
from typer.testing import CliRunner

from sightline.cli.main import app
from tests.databases import run_sql

JOBS = """INSERT INTO jobs (id, kind, payload, priority, run_after, failed_at, attempts, failure) VALUES
    (901, 'email', '{}', 0, now(), now(), 20, 'OSError: refused'),
    (902, 'cell.live.grok', '{}', 0, now(), now(), 20, NULL),
    (903, 'event', '{}', 0, now() + interval '1 hour', NULL, 0, NULL)"""
FAILURE = "INSERT INTO platform_failures VALUES ('chatgpt', now(), 7, 'no_money')"


@pytest.fixture
def command(database_url, monkeypatch, tmp_path):
    """Return what runs a command on the database of the test, in this process."""
    settings = {"DATABASE_URL": database_url, "SECRET_KEY": "s" * 40, "DATA_DIR": tmp_path, "OPENAI_API_KEY": "sk-1"}
    for name, value in settings.items():
        monkeypatch.setenv(f"SIGHTLINE_{name}", str(value))
    asyncio.run(run_sql(database_url, JOBS, FAILURE))

    def run(*arguments):
        done = CliRunner().invoke(app, list(arguments))
        return done.exit_code, json.loads(done.stdout) if "--json" in arguments else done.stdout

    return run


def test_held_jobs_are_listed_retried_and_dropped(command):
    code, found = command("job", "list", "--state", "held", "--json")
    assert code == 0 and {job["id"]: job["failure"] for job in found["jobs"]} == {901: "OSError: refused", 902: None}
    assert command("job", "list", "--state", "late")[0] == 2
    code, text = command("job", "retry", "901", "903")
    assert code == 1 and "Job 901 is in the queue again." in text and "Job 903 is not held." in text
    code, text = command("job", "drop", "902", "903")
    assert code == 1 and "Job 902 (cell.live.grok) is deleted. The question is still asked" in text
    assert "Job 903 is not held. Nothing changed." in text
    _, found = command("job", "list", "--json")
    assert [(job["id"], job["state"]) for job in found["jobs"]] == [(901, "waiting"), (903, "scheduled")]


def test_platform_status_says_what_fails_and_what_to_do(command):
    _, found = command("platform", "status", "--json")
    (row,) = found["platforms"]
    assert (row["platform"], row["state"], row["failed_calls"], row["fault"]) == ("chatgpt", "failing", 7, "no_money")
    assert "Failing since" in command("platform", "status")[1]

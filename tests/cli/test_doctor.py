"""`sightline doctor`: what is dangerous or cannot work is named, with a remedy."""

import http.server
import re
import threading

import pytest
from typer.testing import CliRunner

from chaos.disk import mount_small_disk
from sightline.cli.doctor import check_data_dir, check_names, print_report
from sightline.cli.doctor_disks import check_disks
from sightline.cli.doctor_exposure import check_database_tls, check_exposure
from sightline.cli.doctor_findings import build_finding
from sightline.cli.doctor_services import check_credentials, check_editor, check_mail, check_platforms, check_stripe
from sightline.cli.main import app
from sightline.settings import Settings
from tests.process.serving.processes import run


def states(findings):
    return {finding["what"]: finding["state"] for finding in findings}


def test_an_installation_on_this_machine_is_fine():
    assert states(check_exposure(Settings(), is_root=False)) == {"Address": "fine"}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"host": "0.0.0.0"}, {"Address": "wrong", "Metrics": "note"}),
        ({"base_url": "http://sightline.acme.com"}, {"Address": "wrong", "Metrics": "note"}),
        ({"base_url": "https://sightline.acme.com"}, {"Address": "fine", "Proxy": "wrong", "Metrics": "note"}),
        (
            {"base_url": "https://sightline.acme.com", "trusted_proxies": "127.0.0.1", "metrics_token": "t"},
            {"Address": "fine"},
        ),
    ],
    ids=str,
)
def test_unprotected_public_addresses_are_reported(given, expected):
    findings = list(check_exposure(Settings(**given), is_root=False))
    assert states(findings) == expected
    assert all(finding["remedy"] for finding in findings if finding["state"] == "wrong")


@pytest.mark.parametrize(
    ("url", "environment", "expected"),
    [
        ("postgresql://me@localhost/db", {}, {}),
        ("postgresql://me@[::1]:5432/db", {}, {}),
        ("postgresql:///db?host=/var/run/postgresql", {}, {}),
        ("postgresql://%2Ftmp%2Fsocket/db", {}, {}),
        ("postgresql:///db", {}, {}),
        ("postgresql://me:hidden@db.acme.com/db", {}, {"Database TLS": "note"}),
        ("postgresql://me:hidden@127.0.0.1:5432,db.acme.com:5432/db", {}, {"Database TLS": "note"}),
        ("postgresql://me:hidden@db.acme.com/db?sslmode=require", {}, {"Database TLS": "note"}),
        ("postgresql:///db", {"PGHOST": "10.0.0.5"}, {"Database TLS": "note"}),
        ("postgresql://me@db.acme.com:5432/db", {"PGSSLMODE": "verify-full"}, {"Database TLS": "fine"}),
        ("postgresql://me@db.acme.com/db?sslmode=prefer", {"PGSSLMODE": "verify-full"}, {"Database TLS": "note"}),
    ],
)
def test_a_remote_database_without_verified_tls_is_reported(url, environment, expected):
    findings = list(check_database_tls(url, environment))
    assert states(findings) == expected
    assert all(finding["remedy"] for finding in findings if finding["state"] == "note")
    assert "hidden" not in str(findings)


def test_running_as_root_is_named():
    assert states(check_exposure(Settings(), is_root=True))["User"] == "note"


def test_a_test_key_of_stripe_and_a_missing_webhook_secret_are_named():
    found = list(check_stripe(Settings(stripe_api_key="sk_test_x")))
    assert [finding["state"] for finding in found] == ["note", "wrong"] and "test key" in found[0]["text"]
    complete = Settings(stripe_api_key="sk_live_x", stripe_webhook_secret="whsec_x")
    assert [finding["state"] for finding in check_stripe(complete)] == ["fine"]


def test_an_unreachable_mail_server_is_named_without_its_password():
    found = check_mail(Settings(smtp_url="smtp://user:hidden@127.0.0.1:1"))
    assert found["state"] == "wrong" and "127.0.0.1:1" in found["text"]
    assert "hidden" not in str(found)
    assert check_mail(Settings(smtp_url="http://x"))["state"] == "wrong"
    assert check_mail(Settings())["state"] == "note"


def test_half_set_credentials_are_named():
    halves = Settings(dataforseo_login="me", local_model="llama")
    assert states(check_credentials(halves)) == {"DataForSEO": "wrong", "local": "wrong"}


@pytest.fixture
def vendor():
    """Run a vendor that knows one key and one model. Return its address."""

    class Vendor(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            known = "good" in (self.headers["authorization"] or self.headers["x-api-key"] or "")
            self.send_response(401 if not known else 200 if self.path.endswith("/known") else 404)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Vendor)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


async def test_a_platform_whose_key_or_model_is_refused_is_named(vendor):
    settings = Settings(
        openai_api_key="bad", openai_model="known", openai_base_url=vendor,
        anthropic_api_key="good", anthropic_model="gone", anthropic_base_url=vendor,
        xai_api_key="good", xai_model="known", xai_base_url=vendor,
        mistral_api_key="good", mistral_base_url="http://127.0.0.1:1",
        local_base_url=vendor,
    )  # fmt: skip
    found = {finding["what"]: finding for finding in await check_platforms(settings)}
    assert states(found.values()) == {
        "chatgpt": "wrong", "claude": "wrong", "grok": "fine", "mistral": "note", "local": "wrong"
    }  # fmt: skip
    assert "refuses the key" in found["chatgpt"]["text"]
    assert "does not know the model gone" in found["claude"]["text"]
    assert "no model" in found["local"]["text"]
    assert "good" not in str(found) and "bad" not in str(found)


async def test_a_sandbox_contacts_nobody():
    assert states(await check_platforms(Settings())) == {"Platforms": "note"}


def test_the_report_prints_no_markup(capsys):
    rows = [{"name": "SIGHTLINE_PORT", "value": "[red]1[/red]", "changed": True, "meaning": "[bold]Port[/bold]"}]
    print_report([build_finding("wrong", "Mail", "[/nonsense] at [::1]", "Fix [it].")], rows)
    printed = capsys.readouterr().out
    for text in ("!!  Mail            [/nonsense] at [::1]", "→ Fix [it].", "[red]1[/red]", "SIGHTLINE_PORT "):
        assert text in printed
    assert "[bold]SIGHTLINE_PORT" not in printed and "[red]!!" not in printed


def test_the_free_space_of_the_data_directory_is_shown_and_a_full_disk_is_wrong(tmp_path):
    with mount_small_disk(tmp_path, megabytes=8) as disk:
        if disk is None:
            pytest.skip("mounting a file system is not allowed here")
        settings = Settings(data_dir=tmp_path / "data")
        assert list(check_disks(settings)) == [], "the first start creates the folder"
        (tmp_path / "data").mkdir()
        shown = check_data_dir(settings)
        assert shown["state"] == "fine" and re.fullmatch(rf"{tmp_path}/data, \d.\d MB free", shown["text"])
        disk.fill()
        (found,) = check_disks(settings)
        assert (found["state"], found["what"]) == ("wrong", "Disk") and found["remedy"]
        done = CliRunner().invoke(app, ["doctor"], env={"SIGHTLINE_DATA_DIR": str(tmp_path / "data")})
        assert done.exit_code == 1 and "full: 0 bytes of 8.4 MB free" in done.stdout


def test_the_folder_of_payloads_is_measured_as_well(tmp_path):
    with mount_small_disk(tmp_path, megabytes=8) as disk:
        if disk is None:
            pytest.skip("mounting a file system is not allowed here")
        disk.fill()
        (found,) = check_disks(Settings(payload_store=f"file:{tmp_path}/payloads"))
        assert found["state"] == "wrong" and str(tmp_path) in found["text"]


def test_an_unknown_setting_is_named_with_the_nearest_one():
    (found,) = check_names({"SIGHTLINE_PROT": "hidden"})
    assert found["state"] == "note" and "SIGHTLINE_PROT" in found["text"] and "SIGHTLINE_PORT" in found["remedy"]
    assert "hidden" not in str(found)


def test_settings_of_earlier_releases_are_named_with_what_replaces_them():
    old = {"SIGHTLINE_THEME_JUDGE": "claude", "SIGHTLINE_SENTIMENT_JUDGE": "claude", "SIGHTLINE_READER_PROCESSES": "1"}
    found = list(check_names(old))
    assert len(found) == 3 and all(each["state"] == "note" and each["remedy"] for each in found)
    assert sum("SIGHTLINE_EDITOR" in each["text"] for each in found) == 2
    assert found[-1]["remedy"] == "Rename it to SIGHTLINE_ANALYZER_PROCESSES."


@pytest.mark.parametrize(
    ("given", "state", "said"),
    [
        ({}, "note", "rules alone"),
        ({"openai_api_key": "k"}, "fine", "ChatGPT edits insights"),
        ({"openai_api_key": "k", "paused_platforms": "chatgpt"}, "note", "rules alone"),
        ({"openai_api_key": "k", "editor": "off"}, "note", "rules alone"),
        ({"editor": "chatgtp"}, "wrong", "chatgtp is not a platform"),
        ({"openai_api_key": "k", "editor": "claude:opus"}, "note", "claude is not connected"),
        ({"serpapi_api_key": "k", "editor": "google_ai_overviews"}, "wrong", "no language model"),
        ({"openai_api_key": "k", "editor": "chatgpt", "paused_platforms": "chatgpt"}, "wrong", "pauses it"),
    ],
    ids=str,
)
def test_an_editor_that_cannot_work_is_reported(given, state, said):
    found = check_editor(Settings(**given))
    assert (found["what"], found["state"]) == ("Editor", state) and said in found["text"]
    assert state != "wrong" or "SIGHTLINE_EDITOR" in found["remedy"]


async def test_the_model_of_the_editor_is_checked_where_it_is_another_one(vendor):
    settings = Settings(
        openai_api_key="good", openai_model="known", openai_base_url=vendor, editor="chatgpt:unheard-of"
    )
    found = {each["what"]: each for each in await check_platforms(settings)}
    assert found["Editor"]["state"] == "wrong" and "unheard-of" in found["Editor"]["text"]
    assert found["chatgpt"]["state"] == "fine"


def test_a_command_reports_an_unknown_setting_when_it_starts_and_goes_on():
    done = run("migrate", prot=1, database_url="postgresql://127.0.0.1:1/x", secret_key="s" * 40)
    assert done.stderr.count("SIGHTLINE_PROT") == done.stderr.count("SIGHTLINE_PORT") == 1
    assert "The database cannot be used" in done.stderr

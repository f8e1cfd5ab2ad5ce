"""Settings: defaults that scripts rely on, the public URL, and the secret key."""

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from sightline.settings import Settings, SettingsError
from sightline.settings.unknown_names import UnknownName, find_unknown_names


@pytest.mark.parametrize(
    ("name", "default"),
    [
        ("host", "127.0.0.1"),
        ("port", 8080),
        ("base_url", None),
        ("database_url", None),
        ("secret_key", None),
        ("secret_key_previous", None),
        ("trusted_proxies", ""),
        ("cors_origins", ""),  # "Off by default; an allow-list setting turns it on"
        ("console_rate_per_minute", 120),
        ("console_rate_per_month", 100_000),
        ("data_rate_per_minute", 60),
        ("anonymous_rate_per_minute", 60),  # "a per-address window (60/min)"
        ("http_max_header_bytes", 32 * 1024),  # "At most 32 KiB and 100 headers"
        ("http_max_headers", 100),
        ("http_header_timeout", 10),
        ("http_min_body_rate", 1024),
        ("http_keep_alive", 75),
        ("http_connections_per_address", 100),
        ("session_lifetime", 14 * 24 * 3_600),  # "14 days"
        ("idempotency_lease", 3_600),
        ("idempotency_retention", 86_400),
        ("plans", {}),
        ("sandbox_latency_ms", 300),
        ("paused_platforms", ""),
        ("scan_patience", 2 * 3_600),  # "waits out a platform's outage ... for up to two hours"
        ("worker_timeout", 5),  # "taken over within 10 seconds"
    ],
)
def test_defaults(name, default):
    assert getattr(Settings(), name) == default


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("SIGHTLINE_HOST", "0.0.0.0", "0.0.0.0"),
        ("SIGHTLINE_PORT", "9000", 9000),
        ("SIGHTLINE_BASE_URL", "https://sightline.acme.com", "https://sightline.acme.com"),
        ("SIGHTLINE_DATA_DIR", "/somewhere", Path("/somewhere")),
        ("SIGHTLINE_CONSOLE_RATE_PER_MINUTE", "7", 7),
        ("SIGHTLINE_CONSOLE_RATE_PER_MONTH", "8", 8),
        ("SIGHTLINE_DATA_RATE_PER_MINUTE", "9", 9),
        ("SIGHTLINE_TRUSTED_PROXIES", "10.0.0.1", "10.0.0.1"),
        ("SIGHTLINE_SANDBOX_LATENCY_MS", "0", 0),
        ("SIGHTLINE_PLATFORM_PRICES", '{"grok": {"input": 2}}', {"grok": {"input": 2}}),
        ("SIGHTLINE_PLANS", '{"free": {"tracked_prompts": 1}}', {"free": {"tracked_prompts": 1}}),
    ],
)
def test_each_setting_is_an_environment_variable(monkeypatch, name, text, value):
    monkeypatch.setenv(name, text)
    assert getattr(Settings(), name.removeprefix("SIGHTLINE_").lower()) == value


def test_a_variable_with_its_former_name_is_read_with_a_warning(monkeypatch):
    monkeypatch.setenv("SIGHTLINE_READER_PROCESSES", "5")
    with pytest.warns(FutureWarning, match="SIGHTLINE_READER_PROCESSES is now called SIGHTLINE_ANALYZER_PROCESSES"):
        assert Settings().analyzer_processes == 5
    monkeypatch.setenv("SIGHTLINE_ANALYZER_PROCESSES", "3")
    with pytest.warns(FutureWarning):
        assert Settings().analyzer_processes == 3, "the new name wins"
    monkeypatch.setenv("SIGHTLINE_READER_PROCESSES", "")
    assert Settings().analyzer_processes == 3, "an empty variable is not set"


def test_the_job_heartbeat_of_the_previous_release_is_read_as_the_worker_timeout_with_a_warning(monkeypatch):
    monkeypatch.setenv("SIGHTLINE_JOB_HEARTBEAT", "12")
    with pytest.warns(FutureWarning, match="SIGHTLINE_JOB_HEARTBEAT is now called SIGHTLINE_WORKER_TIMEOUT"):
        assert Settings().worker_timeout == 12


def test_a_variable_that_was_removed_has_no_effect_and_says_so(monkeypatch):
    monkeypatch.setenv("SIGHTLINE_PLATFORM_SHARE", "0.5")
    with pytest.warns(FutureWarning, match="SIGHTLINE_PLATFORM_SHARE has no effect: workspaces share"):
        settings = Settings()
    assert not hasattr(settings, "platform_share")
    monkeypatch.setenv("SIGHTLINE_PLATFORM_SHARE", "")
    Settings()  # an empty variable is not set: a warning would fail the test


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("SIGHTLINE_PORT", "65536"),
        ("SIGHTLINE_PORT", "-1"),
        ("SIGHTLINE_PORT", "http"),
        ("SIGHTLINE_CONSOLE_RATE_PER_MINUTE", "0"),
        ("SIGHTLINE_DATA_RATE_PER_MINUTE", "-5"),
        ("SIGHTLINE_IDEMPOTENCY_LEASE", "0"),
        ("SIGHTLINE_LOG_LEVEL", "loud"),
    ],
)
def test_an_invalid_value_is_refused_at_the_start(monkeypatch, name, text):
    monkeypatch.setenv(name, text)
    with pytest.raises(ValidationError):
        Settings()


def test_every_setting_has_a_description():
    assert all(field.description for field in Settings.model_fields.values())


def test_settings_do_not_change_and_secrets_do_not_print():
    settings = Settings(secret_key="not for the log" * 3, database_url="postgresql://u:hidden@db/x")
    assert "not for the log" not in repr(settings) and "hidden" not in repr(settings)
    with pytest.raises(ValidationError):
        settings.port = 1


def test_the_data_directory_of_a_user_follows_the_xdg_standard(monkeypatch, tmp_path):
    # Tests may run as root, which has another folder.
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert Settings().data_dir == tmp_path / "sightline"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Settings().data_dir == tmp_path / ".local" / "share" / "sightline"


# The public URL


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, "http://127.0.0.1:8080"),
        ({"port": 9000}, "http://127.0.0.1:9000"),
        ({"host": "192.0.2.1"}, "http://192.0.2.1:8080"),
        ({"host": "0.0.0.0"}, "http://127.0.0.1:8080"),
        ({"host": "::"}, "http://127.0.0.1:8080"),
        ({"host": "::1"}, "http://[::1]:8080"),
        ({"host": "2001:db8::7", "port": 1}, "http://[2001:db8::7]:1"),
        ({"host": "localhost"}, "http://localhost:8080"),
        ({"base_url": "https://sightline.acme.com"}, "https://sightline.acme.com"),
        ({"base_url": "https://sightline.acme.com/"}, "https://sightline.acme.com"),
        ({"base_url": "https://acme.com/sightline//", "host": "x"}, "https://acme.com/sightline"),
        ({"base_url": ""}, "http://127.0.0.1:8080"),
    ],
    ids=str,
)
def test_public_url(given, expected):
    assert Settings(**given).public_url == expected


@pytest.mark.parametrize(
    ("base_url", "is_https"),
    [("https://acme.com", True), ("http://acme.com", False), (None, False), ("http://https", False)],
)
def test_secure_when_the_base_url_is_https(base_url, is_https):
    assert Settings(base_url=base_url).is_https is is_https


# The secret key


def read_mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_configured_key_is_used_and_nothing_is_written(tmp_path):
    settings = Settings(data_dir=tmp_path, secret_key="given" * 7)
    assert settings.signing_key == b"given" * 7
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("key", ["x" * 31, " " * 40, "x" * 31 + "   "])
def test_a_key_under_32_characters_is_refused(key):
    with pytest.raises(ValidationError, match="must have 32 characters or more"):
        Settings(secret_key=key)


def test_a_key_file_under_32_characters_is_refused(tmp_path):
    (tmp_path / "secret_key").write_text("short")
    with pytest.raises(SettingsError, match="too short"):
        _ = Settings(data_dir=tmp_path).signing_key


def test_the_previous_key_is_accepted_but_does_not_sign():
    settings = Settings(secret_key="x" * 32, secret_key_previous="short")
    assert settings.signing_keys == (settings.signing_key, b"short")
    assert Settings(secret_key="x" * 32).signing_keys == (settings.signing_key,)


def test_with_an_embedded_database_a_private_key_file_is_generated(tmp_path):
    home = tmp_path / "a" / "data"
    previous = os.umask(0)
    try:
        made = Settings(data_dir=home).signing_key
    finally:
        os.umask(previous)
    assert len(made) >= 32
    assert read_mode(home / "secret_key") == 0o600
    assert read_mode(home) & 0o066 == 0  # nobody else lists or changes it
    assert [file.name for file in home.iterdir()] == ["secret_key"]  # no draft is left behind


def test_the_key_is_generated_once(tmp_path):
    first = Settings(data_dir=tmp_path).signing_key
    written = (tmp_path / "secret_key").stat().st_mtime_ns
    assert Settings(data_dir=tmp_path).signing_key == first
    assert (tmp_path / "secret_key").stat().st_mtime_ns == written
    assert Settings(data_dir=tmp_path / "other").signing_key != first


def test_a_key_file_may_end_with_a_line_break(tmp_path):
    (tmp_path / "secret_key").write_text("my own secret" * 3 + "\n")
    assert Settings(data_dir=tmp_path).signing_key == b"my own secret" * 3


ROUNDS = 60
RACE = """
import multiprocessing, pathlib, sys
from sightline.settings import Settings

def read(_):
    keys = []
    for number in range(int(sys.argv[2])):
        home = pathlib.Path(sys.argv[1]) / str(number)
        barrier.wait()  # all of them are here: now they race
        keys.append(Settings(data_dir=home).signing_key.decode())
    return keys

processes = multiprocessing.get_context("fork")
barrier = processes.Barrier(8)
with processes.Pool(8) as pool:
    for keys in pool.map(read, range(8), chunksize=1):
        print(*keys)
"""


@pytest.mark.slow
def test_eight_processes_that_start_together_share_one_key(tmp_path):
    command = [sys.executable, "-c", RACE, str(tmp_path), str(ROUNDS)]
    lines = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout.splitlines()
    assert len(lines) == 8
    seen = [set(round_) for round_ in zip(*(line.split() for line in lines), strict=True)]
    assert len(seen) == ROUNDS
    assert [len(keys) for keys in seen] == [1] * ROUNDS
    assert len(set.union(*seen)) == ROUNDS and all(len(key) >= 32 for key in set.union(*seen))
    assert {file.name for home in tmp_path.iterdir() for file in home.iterdir()} == {"secret_key"}


def test_a_key_is_required_with_an_external_database(tmp_path):
    settings = Settings(data_dir=tmp_path, database_url="postgresql://db/x")
    with pytest.raises(SettingsError, match="SIGHTLINE_SECRET_KEY"):
        _ = settings.signing_key
    assert list(tmp_path.iterdir()) == []
    assert Settings(database_url="postgresql://db/x", secret_key="given" * 7).signing_key == b"given" * 7


@pytest.mark.parametrize("empty", ["", " ", "\n"])
def test_an_empty_secret_is_no_secret(monkeypatch, tmp_path, empty):
    """Refuse an empty variable, which would sign with a key that everybody knows."""
    monkeypatch.setenv("SIGHTLINE_SECRET_KEY", empty)
    monkeypatch.setenv("SIGHTLINE_DATA_DIR", str(tmp_path))
    try:
        embedded = Settings().signing_key
    except (SettingsError, ValidationError):
        pass
    else:
        assert len(embedded.strip()) >= 32
    monkeypatch.setenv("SIGHTLINE_DATABASE_URL", "postgresql://db/x")
    with pytest.raises((SettingsError, ValidationError), match=r"SIGHTLINE_SECRET_KEY|secret_key"):
        _ = Settings().signing_key


@pytest.mark.parametrize("content", ["", "\n"])
def test_an_empty_secret_file_is_no_secret(tmp_path, content):
    """Refuse an empty file, which a crash at the wrong moment can leave."""
    (tmp_path / "secret_key").write_text(content)
    try:
        key = Settings(data_dir=tmp_path).signing_key
    except SettingsError:
        return
    assert len(key) >= 32


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("SIGHTLINE_PROT", "SIGHTLINE_PORT"),
        ("SIGHTLINE_DATABASE_URI", "SIGHTLINE_DATABASE_URL"),
        ("SIGHTLINE_OPENAI_KEY", "SIGHTLINE_OPENAI_API_KEY"),
        ("SIGHTLINE_DATA_DIRECTORY", "SIGHTLINE_DATA_DIR"),
        ("sightline_smtp", "SIGHTLINE_SMTP_URL"),
    ],
)
def test_an_unknown_name_is_found_with_the_nearest_setting_and_without_its_value(name, nearest):
    found = find_unknown_names({name: "hidden", "SIGHTLINE_PORT": "1", "PATH": "/bin"})
    assert found == [UnknownName(name, nearest)]


def test_names_that_kubernetes_sets_for_a_service_are_known():
    service = {
        "SIGHTLINE_SERVICE_HOST": "10.0.0.1",
        "SIGHTLINE_SERVICE_PORT_HTTP": "80",
        "SIGHTLINE_API_PORT": "tcp://10.0.0.1:80",
        "SIGHTLINE_API_PORT_80_TCP_ADDR": "10.0.0.1",
    }
    assert find_unknown_names(service) == []


def test_every_name_in_the_repository_is_known():
    """Otherwise a part of the product reads a variable that is reported as unknown."""
    root = Path(__file__).parents[1]
    listed = subprocess.run(["git", "ls-files"], cwd=root, check=True, capture_output=True, text=True).stdout
    texts = [
        (root / name).read_text(errors="replace")
        for name in listed.splitlines()
        if (root / name).is_file() and not name.startswith("tests/") and name != "docs/operate/administration.md"
    ]
    named = set(re.findall(r"\bSIGHTLINE_[A-Z0-9_]*[A-Z0-9]\b(?![_*…])", "\n".join(texts)))
    assert len(named) > 100
    assert find_unknown_names(dict.fromkeys(named, "")) == []

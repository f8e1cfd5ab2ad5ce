"""A database that refuses us, cannot be reached or has no schema: each command says why, once."""

import shutil
import tempfile
from pathlib import Path

import pytest

from tests.process.failover.clusters import USER, find_postgres, run_primary
from tests.process.serving.processes import free_port, run, running

pytestmark = pytest.mark.slow  # starts a server and many processes
SECRET = "s" * 40
ADMISSION = f"""
host all {USER} 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
"""
ROLES = """
CREATE ROLE app LOGIN PASSWORD 'right';
CREATE DATABASE app OWNER app;
CREATE DATABASE migrated OWNER app;
CREATE DATABASE empty OWNER app;
CREATE ROLE stranger LOGIN PASSWORD 'right';
"""


class Server:
    def __init__(self, port: int, home: Path) -> None:
        self.port, self._home = port, home

    def settings(self, user: str = "app", password: str = "right", database: str = "app", options: str = "") -> dict:
        url = f"postgresql://{user}:{password}@127.0.0.1:{self.port}/{database}{options}"
        return {"database_url": url, "secret_key": SECRET, "data_dir": self._home / "data"}


@pytest.fixture(scope="module")
def server():
    home = Path(tempfile.mkdtemp(prefix="sightline-refused-"))
    home.chmod(0o711)
    with run_primary(home) as primary:
        account, _ = find_postgres("psql")
        connection = ("-h", "127.0.0.1", "-p", primary.port, "-U", USER, "-d", USER)
        for statement in ROLES.strip().splitlines():
            primary.run("psql", *connection, "-qc", statement)
        account.write(primary.folder / "pg_hba.conf", ADMISSION)
        primary.run("psql", *connection, "-qc", "SELECT pg_reload_conf()")
        found = Server(primary.port, home)
        assert run("migrate", **found.settings(database="migrated")).returncode == 0
        yield found
    shutil.rmtree(home, ignore_errors=True)


def refuse(*command: str, **settings: object) -> list[str]:
    """Run a command that must exit with 1 without a traceback, and return the lines of its error."""
    done = run(*command, port=0, **settings)
    assert done.returncode == 1, done
    assert "Traceback" not in done.stderr and '"exception"' not in done.stderr, done.stderr
    return [line for line in done.stderr.splitlines() if not line.startswith("{")]


COMMANDS = ("serve", "api", "worker", "migrate")
REFUSALS = {
    "password": ({"password": "wrong"}, 'password authentication failed for user "app"'),
    "role": ({"user": "nobody"}, 'password authentication failed for user "nobody"'),
    "database": ({"database": "missing"}, 'database "missing" does not exist'),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", REFUSALS)
def test_a_refused_connection_is_two_lines_and_exit_status_1(server, command, kind):
    given, reason = REFUSALS[kind]
    first, second = refuse(command, **server.settings(**given))
    assert first == f"Error: The database cannot be used: {reason}."
    assert second.endswith("sightline doctor")


@pytest.mark.parametrize(
    ("command", "database", "reason"),
    [
        ("serve", "empty", "permission denied for schema public"),
        ("migrate", "empty", "permission denied for schema public"),
        ("api", "migrated", "permission denied for table alembic_version"),
        ("worker", "migrated", "permission denied for table alembic_version"),
    ],
)
def test_a_role_without_rights_is_two_lines(server, command, database, reason):
    first, second = refuse(command, **server.settings(user="stranger", database=database))
    assert first == f"Error: The database cannot be used: {reason}." and second.endswith("sightline doctor")


@pytest.mark.parametrize("command", ["serve", "migrate"])
def test_a_server_that_is_not_there_or_has_no_tls_is_two_lines(server, command):
    url = f"postgresql://app@127.0.0.1:{free_port()}/app"
    assert len(refuse(command, **server.settings() | {"database_url": url})) == 2
    assert len(refuse(command, **server.settings(options="?sslmode=require"))) == 2
    malformed, _ = refuse(command, **server.settings() | {"database_url": "postgresql://app:a/secret@127.0.0.1/app"})
    assert "malformed" in malformed and "secret" not in malformed


@pytest.mark.parametrize("command", [("user", "list"), ("demo",), ("job", "list"), ("rotate-secrets",)])
def test_operator_commands_are_refused_in_two_lines(server, command):
    first, second = refuse(*command, **server.settings(password="wrong"))
    assert "password authentication failed" in first and second.endswith("sightline doctor")


def test_backups_and_doctor_name_the_reason(server, tmp_path):
    wrong = server.settings(password="wrong") | {"backup_passphrase": "correct horse battery"}
    assert "password authentication failed" in refuse("backup", str(tmp_path), **wrong)[0]
    for settings in (wrong, server.settings(user="stranger", database="migrated")):
        done = run("doctor", **settings)
        assert done.returncode == 1 and "Traceback" not in done.stderr
        assert "password authentication failed" in done.stdout or "permission denied" in done.stdout


def test_the_api_says_once_that_it_waits_for_the_schema_and_continues(server):
    settings = server.settings(database="app")
    with running("api", **settings) as process:
        process.wait_for_line("waiting_for_database")
        assert run("migrate", **settings).returncode == 0
        printed = process.wait_for_line("database_available")
        assert printed.count("waiting_for_database") == 1 and '"exception"' not in printed
        assert "the database has no schema yet" in printed and "sightline migrate" in printed


def test_the_api_starts_without_a_database_and_says_once_that_it_waits(server):
    with running("api", **server.settings() | {"database_url": f"postgresql://127.0.0.1:{free_port()}/x"}) as process:
        printed = process.wait_for_line("waiting_for_database")
        assert '"exception"' not in printed and "Connection refused" in printed

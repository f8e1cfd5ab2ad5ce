"""One real PostgreSQL for the whole run, and one empty database per test.

The server is the one in SIGHTLINE_TEST_DATABASE_URL (its role must be allowed to create databases), otherwise an
embedded one that all test processes share. Databases are copies of a migrated template: see `tests/databases.py`.
"""

import asyncio
import fcntl
import gc
import os
import re
import shutil
import tempfile
from pathlib import Path

import asyncpg
import pytest
import structlog
import structlog.dev
from argon2 import PasswordHasher

from sightline.accounts import passwords
from tests.databases import DatabasePool, run_sql, with_database

HOME = "SIGHTLINE_TEST_HOME"
for name in [name for name in os.environ if name.startswith("SIGHTLINE_") and not name.startswith("SIGHTLINE_TEST_")]:
    del os.environ[name]  # a developer's own settings must not leak into the tests
os.environ["SIGHTLINE_EMBEDDED_FAST"] = "1"
# The real parameters take 64 MiB and a tenth of a second for each password.
passwords.hasher = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
# By default structlog renders a traceback with rich, which takes seconds.
structlog.configure(processors=[structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)])


def pytest_configure(config):
    gc.disable()  # collecting many thousand tests creates no garbage, and searching for it takes time
    if HOME not in os.environ:  # the first process of the run; the others inherit it
        home = tempfile.mkdtemp(prefix="sightline-tests-")
        Path(home).chmod(0o711)  # as root, PostgreSQL runs as another user and has to get through
        os.environ[HOME] = home
        config.stash[_OWNER] = home


_OWNER = pytest.StashKey[str]()
_IS_SLOW = re.compile(r"^pytestmark = \[?pytest\.mark\.slow\b", re.MULTILINE)


def pytest_ignore_collect(collection_path, config):
    """Leave modules out whose tests are all slow and not wanted: collecting the contract alone takes five seconds."""
    if "not slow" in config.option.markexpr and collection_path.suffix == ".py":
        return True if _IS_SLOW.search(collection_path.read_text()) else None
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark what a test needs, so that `make test-fast` and `make test-slow` can choose.

    Browser tests come first: one process then runs them all, with one browser and one demo site, and the other
    processes take over what remains of its tests.
    """
    for item in items:
        if "server_url" in item.fixturenames:
            item.add_marker("database")
        elif getattr(item.obj, "is_hypothesis_test", False):
            item.add_marker("property")
    items.sort(key=lambda item: "chromium" not in item.fixturenames)


def pytest_collection_finish():
    gc.freeze()
    gc.enable()


def pytest_unconfigure(config):
    if home := config.stash.get(_OWNER, None):
        url = os.environ.get("SIGHTLINE_TEST_DATABASE_URL")
        if url and (Path(home) / "template.done").exists():  # an embedded server goes with its folder
            asyncio.run(run_sql(url, f'DROP DATABASE "{template_name()}"'))
        shutil.rmtree(home, ignore_errors=True)
        del os.environ[HOME]


def template_name() -> str:
    return f"template_{Path(os.environ[HOME]).name.rpartition('-')[2].lower()}"


@pytest.fixture(scope="session")
def server_url():
    """Return the address of a PostgreSQL that tests may fill with databases."""
    if url := os.environ.get("SIGHTLINE_TEST_DATABASE_URL"):
        yield url
        return
    from sightline.db import embedded

    server = embedded.attach(Path(os.environ[HOME]) / "data")
    yield server.superuser_url
    server.release()


@pytest.fixture(scope="session")
def template(server_url):
    """Return the name of a database to copy: migrated, with the partitions that a worker creates at its start.

    The first process creates it, the others wait.
    """
    from sightline.db.migrate import migrate

    home, name = Path(os.environ[HOME]), template_name()
    with (home / "template.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (home / "template.done").exists():
            asyncio.run(run_sql(server_url, f'CREATE DATABASE "{name}"'))
            asyncio.run(migrate(with_database(server_url, name)))
            asyncio.run(create_partitions(with_database(server_url, name)))
            (home / "template.done").touch()
    return name


async def create_partitions(url: str) -> None:
    """Create the partitions of the months that tests begin in: a test that creates tables costs a new database."""
    from sightline.scans.partitions import make_partitions
    from tests.installation import START

    connection = await asyncpg.connect(url)
    try:
        async with connection.transaction():
            await make_partitions(connection, now=START)
    finally:
        await connection.close()


@pytest.fixture(scope="session")
def databases(server_url, template):
    pool = DatabasePool(server_url, template)
    yield pool
    pool.close()


@pytest.fixture
def database_url(server_url, databases):
    """Return the address of a migrated, empty database for this test."""
    name = databases.acquire()
    yield with_database(server_url, name)
    databases.release(name)


@pytest.fixture(scope="module")
async def open_databases(databases):
    """Databases whose connections stay open from one test of a module to the next: they share an event loop."""
    yield databases
    await databases.close_connections()


@pytest.fixture
async def installation(open_databases, database_url, tmp_path):
    """Open the application on an empty database, with a clock that the test advances."""
    from tests.installation import Installation

    async with open_databases.open(database_url) as db, Installation.on(db, tmp_path) as opened:
        yield opened


@pytest.fixture
def tracking(installation):
    """Tracks domains as the dashboard does, one transaction per step."""
    from tests.tracking_steps import TrackingSteps

    return TrackingSteps(installation)


@pytest.fixture
async def client(installation):
    async with installation.client() as opened:
        yield opened

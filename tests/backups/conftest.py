"""One backup for all tests, of a database with a few rows, and empty databases to restore it into."""

import asyncio
import uuid

import pytest

from sightline.backups.create import create_backup
from sightline.backups.models import InstallationKeys
from tests.databases import run_sql, with_database
from tests.installation import START

PASSPHRASE = "correct horse battery"
KEYS = InstallationKeys("k" * 40)


@pytest.fixture(scope="session")
def source_url(databases, server_url):
    """Return a database with a workspace, so that there is something to lose."""
    name = databases.acquire()
    url = with_database(server_url, name)
    asyncio.run(
        run_sql(
            url, f"INSERT INTO workspaces (id, name, plan, created_at) VALUES ('{uuid.uuid4()}', 'Acme', 'free', now())"
        )
    )
    yield url
    databases.release(name)


@pytest.fixture(scope="session")
def backup(source_url, tmp_path_factory):
    """Return the file and its description."""
    path = tmp_path_factory.mktemp("backup") / "acme.backup"
    return path, asyncio.run(create_backup(source_url, path, KEYS, PASSPHRASE, now=START))


@pytest.fixture
def empty_url(server_url):
    name = f"restored_{uuid.uuid4().hex[:12]}"
    asyncio.run(run_sql(server_url, f'CREATE DATABASE "{name}"'))
    yield with_database(server_url, name)
    asyncio.run(run_sql(server_url, f'DROP DATABASE "{name}" WITH (FORCE)'))

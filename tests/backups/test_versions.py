"""Moving between the embedded PostgreSQL and an older one of one's own, in both directions."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from sightline.backups import queries
from sightline.backups.connection import open_connection
from sightline.backups.create import create_backup
from sightline.backups.restore import restore_database
from tests.backups import conftest
from tests.installation import START
from tests.process.failover.clusters import USER, run_primary

pytestmark = pytest.mark.slow
OLDEST = 15


@pytest.fixture
def older_url(monkeypatch):
    """Return an empty database of the oldest PostgreSQL that is supported, where Debian has put it or on the PATH."""
    monkeypatch.setenv("PATH", f"/usr/lib/postgresql/{OLDEST}/bin:{os.environ['PATH']}")
    folder = Path(tempfile.mkdtemp(prefix="sightline-versions-"))
    folder.chmod(0o711)
    try:
        with run_primary(folder, major=OLDEST) as cluster:
            yield f"postgresql://{USER}@127.0.0.1:{cluster.port}/{USER}"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


async def read_counts(url):
    async with open_connection(url) as connection:
        return await queries.count_rows(connection)


async def test_a_backup_moves_to_an_older_postgresql_and_back(backup, older_url, empty_url, tmp_path):
    path, written = backup
    await restore_database(older_url, path, replace=False)
    assert await read_counts(older_url) == written.manifest.tables
    back = await create_backup(older_url, tmp_path / "back.backup", conftest.KEYS, conftest.PASSPHRASE, now=START)
    assert (back.manifest.server_major, back.manifest.program_major) == (OLDEST, OLDEST)
    await restore_database(empty_url, tmp_path / "back.backup", replace=False)
    assert await read_counts(empty_url) == written.manifest.tables

"""A folder that the account of PostgreSQL can enter."""

import shutil
import tempfile
from pathlib import Path

import pytest


@pytest.fixture
def home():
    folder = Path(tempfile.mkdtemp(prefix="sightline-failover-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)

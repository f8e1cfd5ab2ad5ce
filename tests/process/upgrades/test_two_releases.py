"""Two releases run at once on one database with the new schema, as they do while processes are replaced one by one."""

import asyncio
import re
import subprocess

import pytest

from chaos.plan import Conditions, Trouble
from chaos.release import UPGRADE_FROM, ReleaseMissing, read_upgrade_from, unpack_release_before
from chaos.run import run_chaos

# Each of the first processes begins with the release before, and is replaced by this one under load.
REPLACEMENTS = [
    Trouble(4.0, "replace_process", place=0, lasts=0.1),
    Trouble(5.0, "replace_process", place=2, lasts=0.1),
]


@pytest.fixture(scope="module")
def release_before():
    try:
        return unpack_release_before()
    except ReleaseMissing as missing:
        pytest.skip(f"two releases cannot be run here: {missing}")


def test_the_version_to_upgrade_from_is_one_whole_hash():
    assert re.fullmatch(r"[0-9a-f]{40}\n", UPGRADE_FROM.read_text())


def test_a_clone_without_the_history_is_reported(tmp_path):
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    with pytest.raises(ReleaseMissing, match=f"commit {read_upgrade_from()[:12]} is not in this clone"):
        unpack_release_before(root=tmp_path, unpacked=tmp_path / "releases")
    assert list((tmp_path / "releases").iterdir()) == []


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_processes_are_replaced_one_by_one_under_load(release_before, tmp_path):
    conditions = Conditions(runs_two_releases=True)
    outcome = asyncio.run(run_chaos(22, 8, settle=120, folder=tmp_path, conditions=conditions, troubles=REPLACEMENTS))
    assert outcome.violations == []
    assert outcome.oddities == [], "no request and no job of either release failed"
    assert outcome.summary["scans"]

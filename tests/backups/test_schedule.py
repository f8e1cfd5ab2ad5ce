"""The daily backup: when it is due, which ones are kept, and what happens when it fails."""

import os
from datetime import UTC, datetime, timedelta

import pytest
import structlog.testing
from prometheus_client import REGISTRY

from sightline.backups.schedule import (
    BackupSchedule,
    delete_old_backups,
    is_due,
    list_backups,
    name_backup,
    read_failure,
)
from sightline.cli.doctor_backups import check_backups
from tests.backups.conftest import PASSPHRASE
from tests.installation import build_settings

NOW = datetime(2026, 11, 17, 12, 30, tzinfo=UTC)


@pytest.fixture
def settings(tmp_path):
    return build_settings(data_dir=tmp_path, backup_folder=tmp_path / "backups", backup_passphrase=PASSPHRASE)


def read_last_success():
    return REGISTRY.get_sample_value("sightline_backup_last_success_timestamp_seconds", {"schedule": "daily"})


def find_states(settings, now):
    return [finding["state"] for finding in check_backups(settings, now=now)]


@pytest.mark.parametrize(
    ("newest", "hour", "expected"),
    [
        (None, 3, True),
        (NOW.replace(hour=3), 3, False),
        (NOW.replace(hour=2, minute=59), 3, True),
        (NOW - timedelta(hours=20), 13, False),
        (NOW - timedelta(days=1), 13, True),
        (NOW + timedelta(days=9), 3, True),
    ],
    ids=str,
)
def test_a_backup_is_due_once_after_each_hour_of_the_schedule(tmp_path, newest, hour, expected):
    if newest is not None:
        (tmp_path / name_backup(newest)).touch()
    assert is_due(tmp_path, hour, now=NOW) is expected


def test_only_the_oldest_backups_are_deleted_and_nothing_else(tmp_path):
    days = [NOW - timedelta(days=number) for number in range(5)]
    others = ["sightline-before-upgrade.backup", "notes.txt", "sightline-20269999T000000Z.backup"]
    for name in [*map(name_backup, days), *others]:
        (tmp_path / name).touch()
    assert delete_old_backups(tmp_path, keep=2) == 3
    assert [backup.created_at for backup in list_backups(tmp_path)] == days[:2]
    assert all((tmp_path / name).exists() for name in others)


async def test_a_backup_is_written_once_a_day_and_a_failure_keeps_the_earlier_ones(settings, source_url):
    schedule = BackupSchedule(settings, source_url)
    assert find_states(settings, NOW) == ["note"]
    await schedule.back_up_if_due(now=NOW)
    await schedule.back_up_if_due(now=NOW + timedelta(minutes=1))
    (written,) = list_backups(settings.backup_folder)
    assert read_last_success() == NOW.timestamp()
    assert find_states(settings, NOW) == ["fine"]

    tomorrow = NOW + timedelta(days=1)
    broken = BackupSchedule(settings, "postgresql://nobody@127.0.0.1:1/none")
    with structlog.testing.capture_logs() as logs:
        await broken.back_up_if_due(now=tomorrow)
        await broken.back_up_if_due(now=tomorrow + timedelta(minutes=59))
    assert [line["event"] for line in logs] == ["backup_failed"]
    failure = read_failure(settings)
    assert failure is not None and "cannot be used" in failure.reason
    assert list_backups(settings.backup_folder) == [written]
    assert read_last_success() == NOW.timestamp()
    assert find_states(settings, tomorrow) == ["wrong", "fine"]
    assert find_states(settings, tomorrow + timedelta(hours=3)) == ["wrong", "wrong"]

    abandoned, fresh = (settings.backup_folder / f".{name}.backup.1.partial" for name in ("abandoned", "fresh"))
    for path in (abandoned, fresh):
        path.touch()
    os.utime(abandoned, (0, 0))
    (settings.backup_folder / name_backup(tomorrow + timedelta(days=9))).touch()  # written by a clock that was ahead
    await schedule.back_up_if_due(now=tomorrow)
    assert read_last_success() == tomorrow.timestamp()
    (settings.backup_folder / name_backup(tomorrow + timedelta(days=9))).unlink()
    assert len(list_backups(settings.backup_folder)) == 2
    assert find_states(settings, tomorrow) == ["fine"]
    assert list(settings.backup_folder.glob(".*.partial")) == [fresh]


async def test_nothing_is_written_without_a_folder_or_for_a_database_of_your_own(settings, tmp_path):
    for changes in ({"backup_folder": None}, {"database_url": "postgresql://me@db.acme.com/x"}):
        changed = build_settings(data_dir=tmp_path, **{"backup_folder": tmp_path / "backups", **changes})
        await BackupSchedule(changed, "postgresql://nobody@127.0.0.1:1/none").back_up_if_due(now=NOW)
        assert find_states(changed, NOW) == ["note"]
    assert not (tmp_path / "backups").exists()
    without_passphrase = build_settings(data_dir=tmp_path, backup_folder=tmp_path / "backups")
    assert find_states(without_passphrase, NOW) == ["wrong"]

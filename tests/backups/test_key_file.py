"""The secret key of a backup becomes that of the installation, and a failed restore leaves the former one."""

from contextlib import suppress

import pytest

from sightline.backups.key_file import place_key, read_keys
from sightline.backups.models import BackupError, InstallationKeys
from sightline.settings import Settings

RESTORED = InstallationKeys("r" * 40)
FORMER = "f" * 40


@pytest.fixture
def settings(tmp_path):
    return Settings(data_dir=tmp_path)


def test_a_key_is_placed_in_an_empty_data_directory_and_placing_it_again_changes_nothing(settings, tmp_path):
    for _ in range(2):
        with place_key(settings, RESTORED) as former:
            assert former is None
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600
    assert read_keys(settings) == RESTORED
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]


def test_a_former_key_is_kept_and_stays_in_place_if_the_restore_fails(settings, tmp_path):
    (tmp_path / "secret_key").write_text(FORMER)
    with suppress(RuntimeError), place_key(settings, RESTORED):
        assert (tmp_path / "secret_key").read_text() == FORMER, "so a process that is killed here has changed nothing"
        raise RuntimeError("the disk is full")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("secret_key", FORMER)]
    with place_key(settings, RESTORED) as former:
        assert former is not None
    assert (former.read_text(), read_keys(settings)) == (FORMER, RESTORED)


def test_a_key_in_the_environment_has_to_be_that_of_the_backup(tmp_path):
    with place_key(Settings(data_dir=tmp_path, secret_key=RESTORED.secret_key), RESTORED):
        pass
    with pytest.raises(BackupError, match="--keys-to"), place_key(Settings(secret_key=FORMER), RESTORED):
        pass
    assert list(tmp_path.iterdir()) == []

"""The keys in a backup: only the passphrase opens them, and only next to the manifest that they were sealed with."""

import msgspec
import pytest

from sightline.backups.models import BackupError, InstallationKeys
from sightline.backups.passphrase import open_keys, seal_keys

PASSPHRASE = "correct horse battery"
KEYS = InstallationKeys("k" * 40, "p" * 40)
MANIFEST = b'{"format": 1}'


@pytest.fixture(scope="module")
def sealed():
    return seal_keys(KEYS, PASSPHRASE, MANIFEST)


def test_the_passphrase_opens_the_keys_and_nothing_shows_them(sealed):
    assert open_keys(sealed, PASSPHRASE, MANIFEST) == KEYS
    assert b"kkkk" not in sealed


@pytest.mark.parametrize(("passphrase", "manifest"), [("another passphrase", MANIFEST), (PASSPHRASE, b'{"format": 2}')])
def test_a_wrong_passphrase_and_a_changed_manifest_are_refused(sealed, passphrase, manifest):
    with pytest.raises(BackupError, match="passphrase is wrong, or the backup was changed"):
        open_keys(sealed, passphrase, manifest)


@pytest.mark.parametrize(
    "change", [{"memory_kib": 2**31}, {"time_cost": 10**6}, {"salt": "?"}, {"sealed": 7}, {"parallelism": 0}], ids=str
)
def test_a_damaged_or_hostile_document_is_refused(sealed, change):
    document = msgspec.json.encode(msgspec.json.decode(sealed) | change)
    with pytest.raises(BackupError, match="cannot be read"):
        open_keys(document, PASSPHRASE, MANIFEST)


def test_a_short_passphrase_seals_nothing():
    with pytest.raises(BackupError, match="12 characters"):
        seal_keys(KEYS, "short", MANIFEST)

"""The keys of the installation: which ones belong in a backup, and how a restored key is put in place."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sightline.backups.files import draft_file, sync_to_disk, write_private
from sightline.backups.models import BackupError, InstallationKeys
from sightline.settings import Settings

_FILE = "secret_key"


def read_keys(settings: Settings) -> InstallationKeys:
    """Return the keys that this installation signs and seals with."""
    current, *previous = (key.decode() for key in settings.signing_keys)
    return InstallationKeys(current, previous[0] if previous else None)


@contextmanager
def place_key(settings: Settings, keys: InstallationKeys) -> Iterator[Path | None]:
    """Make the key of a backup that of the installation when the block has ended without a failure.

    Until then the former key stays in place: a restore that fails or is killed has changed nothing. Yield the file
    that keeps the former key, if there was another one. A key in the environment cannot be changed here: if it is not
    that of the backup, the restore is refused.
    """
    if settings.secret_key is not None or not settings.is_embedded:
        if read_keys(settings).secret_key != keys.secret_key:
            raise BackupError(
                "SIGHTLINE_SECRET_KEY is not the key of this backup. Write the key to a file with --keys-to, and set "
                "the variable to it."
            )
        yield None
        return
    file = settings.data_dir / _FILE
    former = _set_aside(file, keys.secret_key)
    try:
        with draft_file(file, replace=True) as draft:
            draft.write_text(keys.secret_key)
            sync_to_disk(draft)
            yield former
    except BaseException:
        if former is not None:
            former.unlink()
        raise


def _set_aside(file: Path, restored: str) -> Path | None:
    """Copy the current key next to its file. Return None if there is none, or if it is the one that is restored."""
    if not file.exists() or file.read_text().strip() == restored:
        return None
    aside = file.with_name(f"{_FILE}.before-restore")
    number = 1
    while aside.exists():
        number += 1
        aside = file.with_name(f"{_FILE}.before-restore-{number}")
    write_private(aside, file.read_text())
    return aside

"""The source of the release before this one, unpacked next to the current one, to run both on one database."""

import shutil
import subprocess
import tempfile
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]
UPGRADE_FROM = _ROOT / "deploy" / "upgrade-from"
_UNPACKED = _ROOT / "build" / "releases"


class ReleaseMissing(Exception):
    """The commit to upgrade from is not in this clone. The message says why."""


def read_upgrade_from() -> str:
    """Return the hash of the commit that an installation is upgraded from."""
    return UPGRADE_FROM.read_text().strip()


def unpack_release_before(*, root: Path = _ROOT, unpacked: Path = _UNPACKED) -> Path:
    """Return the folder that holds the package of the recorded commit. It is unpacked once and then kept.

    Raise `ReleaseMissing` where git or the commit is missing, as in a shallow clone or an archive of the source.
    """
    commit = read_upgrade_from()
    source = unpacked / commit / "src"
    if not source.is_dir():
        unpacked.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(dir=unpacked))
        scratch.chmod(0o755)
        try:
            unpack_commit(root, scratch, "src")
            if not source.is_dir():  # another run may have been first
                scratch.rename(unpacked / commit)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    return source


def unpack_commit(root: Path, folder: Path, *paths: str) -> None:
    """Unpack the recorded commit, or some of its paths, into an empty folder. Raise `ReleaseMissing` as above."""
    commit = read_upgrade_from()
    archive = folder / "source.tar"
    command = ["git", "-C", str(root), "archive", f"--output={archive}", commit, *paths]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise ReleaseMissing("git is not installed") from None
    if done.returncode:
        raise ReleaseMissing(f"commit {commit[:12]} is not in this clone: {done.stderr.strip()}")
    shutil.unpack_archive(archive, folder)
    archive.unlink()

"""Root's own store of clusters, for data directories that the helper account cannot reach.

`<store>/clusters/<id>/` holds the cluster in `postgres/`, and in `data_dir` the path of its data directory, which names
the cluster in `postgres.location`. That file and `<id>/location` are hard links to one file where the file system
allows it: when only the store's name is left, the data directory is gone, not merely moved.
"""

import os
import re
import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path

from .errors import EmbeddedError
from .lock import exclusive
from .postmaster import PingResult, is_running, ping, read_postmaster

LOCATION = "postgres.location"
_LOCK_SECONDS = 60


@dataclass(frozen=True)
class RootStore:
    root: Path

    @classmethod
    def from_environment(cls) -> "RootStore":
        return cls(Path(os.environ.get("SIGHTLINE_ROOT_STORE", "/var/lib/sightline")).resolve())

    @property
    def clusters(self) -> Path:
        return self.root / "clusters"

    @property
    def _lock(self) -> Path:
        return self.root / "clusters.lock"

    def prepare(self) -> Path:
        """Return the folder of the clusters, creating it if it is missing."""
        _make_open(self.root, 0o755)
        _make_open(self.clusters, 0o711)
        return self.clusters

    def find_home(self, data_dir: Path) -> Path | None:
        """Return the folder that the data directory names, if it names one."""
        name = read_location(data_dir)
        if name is None:
            return None
        home = self.clusters / name
        if not (home / "data_dir").is_file():
            raise EmbeddedError(
                f"{data_dir / LOCATION} names the database {home}, which is not there. Bring it back, "
                f"or remove {data_dir / LOCATION} to start with an empty database."
            )
        return home

    def make_home(self, data_dir: Path) -> Path:
        """Create a folder for a cluster. After a crash in between, the next sweep removes it."""
        with exclusive(self._lock, _LOCK_SECONDS):
            home = self.prepare() / secrets.token_hex(16)
            _make_open(home, 0o711)
            (home / "data_dir").write_bytes(os.fsencode(data_dir))
            (home / "location").write_text(f"{home.name}\n")
            try:
                os.link(home / "location", data_dir / LOCATION)
            except OSError:  # another file system: moved and gone look the same, so it is never swept
                (home / "location").unlink()
                with (data_dir / LOCATION).open("x") as file:
                    file.write(f"{home.name}\n")
        return home

    def adopt(self, home: Path, data_dir: Path) -> None:
        """Update the path of a data directory that was moved or restored; refuse a second one that was copied."""
        with exclusive(self._lock, _LOCK_SECONDS):
            former, theirs, ours = _read_data_dir(home), home / "location", data_dir / LOCATION
            if former != data_dir and _names(former, home) and not former.samefile(data_dir):
                raise EmbeddedError(
                    f"{data_dir} is a copy of {former}, and both name the same database. "
                    f"Remove {ours} to start with an empty one; pg_dump and pg_restore copy the data."
                )
            if former != data_dir:
                (home / "data_dir.new").write_bytes(os.fsencode(data_dir))
                (home / "data_dir.new").replace(home / "data_dir")
            if theirs.exists() and not theirs.samefile(ours):
                theirs.unlink()
                if ours.stat().st_dev == home.stat().st_dev:
                    os.link(ours, theirs)

    def sweep(self) -> None:
        """Remove the clusters whose data directory is permanently gone. Unclear or running ones stay."""
        if not self.clusters.is_dir():
            return
        try:
            with exclusive(self._lock, timeout=0):
                for home in self.clusters.iterdir():
                    if _is_id(home.name) and _is_orphan(home) and not _is_in_use(home / "postgres"):
                        shutil.rmtree(home, ignore_errors=True)
        except EmbeddedError:
            return  # another process is sweeping


def read_location(data_dir: Path) -> str | None:
    try:
        name = (data_dir / LOCATION).read_text(errors="replace").strip()
    except FileNotFoundError:
        return None
    if not _is_id(name):
        raise EmbeddedError(f"{data_dir / LOCATION} is damaged: it has to hold the id of a database, 32 hex digits.")
    return name


def _is_id(name: str) -> bool:
    return re.fullmatch(r"[0-9a-f]{32}", name) is not None


def _is_orphan(home: Path) -> bool:
    try:
        names_left = (home / "location").stat().st_nlink
        return names_left == 1 and not _names(_read_data_dir(home), home)
    except OSError:
        return False


def _is_in_use(cluster: Path) -> bool:
    postmaster = read_postmaster(cluster)
    if postmaster is None:
        return False
    return is_running(cluster, postmaster) or ping(postmaster.socket_dir) is not PingResult.NO_ANSWER


def _names(data_dir: Path, home: Path) -> bool:
    try:
        return (data_dir / LOCATION).read_text(errors="replace").strip() == home.name
    except (FileNotFoundError, NotADirectoryError):
        return False


def _read_data_dir(home: Path) -> Path:
    return Path(os.fsdecode((home / "data_dir").read_bytes()))


def _make_open(folder: Path, mode: int) -> None:
    """Create a folder that others may pass, whatever the umask. An existing one keeps its mode: it may not be ours."""
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        return
    folder.chmod(mode)

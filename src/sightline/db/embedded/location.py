"""The location of the cluster of a data directory, and its owner."""

import os
from dataclasses import dataclass
from pathlib import Path

from .account import SystemAccount, ensure_helper, find_account, find_helper
from .errors import DATABASE_HINT, EmbeddedError
from .root_store import LOCATION, RootStore, read_location


@dataclass(frozen=True)
class ClusterLocation:
    cluster: Path
    account: SystemAccount


def make_data_dir(data_dir: Path) -> None:
    """Create the data directory if it is missing. Existing folders keep their mode.

    If root creates it, others may pass through it but not list it, so that the helper account can reach its cluster.
    """
    try:
        data_dir.mkdir(parents=True)
    except FileExistsError:
        return
    except OSError as error:
        raise EmbeddedError(f"The data directory {data_dir} cannot be made: {error.strerror}.") from error
    data_dir.chmod(0o711 if _is_root() else 0o700)


def choose_location(data_dir: Path) -> ClusterLocation:
    """Return the location of the cluster, choosing one if it does not exist."""
    if not _is_root():
        return _choose_as_user(data_dir)
    store = RootStore.from_environment()
    if home := store.find_home(data_dir):
        store.adopt(home, data_dir)
    elif (data_dir / "postgres").exists() or ensure_helper().can_enter(data_dir):
        home = data_dir
    else:
        _require_access(ensure_helper(), store.prepare())
        home = store.make_home(data_dir)
    account = _owner(home / "postgres") or ensure_helper()
    _require_access(account, home)
    return _require_safe_path(ClusterLocation(home / "postgres", account))


def find_location(data_dir: Path) -> ClusterLocation | None:
    """Return the location of an existing cluster, without creating or changing anything."""
    home = (RootStore.from_environment().find_home(data_dir) if _is_root() else None) or data_dir
    account = _owner(home / "postgres")
    return ClusterLocation(home / "postgres", account) if account else None


def expected_account() -> SystemAccount | None:
    """Return the owner of a new cluster, or None for a helper account that does not exist yet."""
    return find_helper() if _is_root() else find_account(os.geteuid())


def _choose_as_user(data_dir: Path) -> ClusterLocation:
    if read_location(data_dir):
        raise EmbeddedError(
            f"The database of {data_dir} was made by root and lies elsewhere. Run Sightline as root, "
            f"or remove {data_dir / LOCATION} to start with an empty database."
        )
    us = find_account(os.geteuid())
    owner = _owner(data_dir / "postgres") or us
    if owner != us:
        raise EmbeddedError(
            f"{data_dir / 'postgres'} belongs to {owner.name}. Run Sightline as {owner.name} or as root."
        )
    return _require_safe_path(ClusterLocation(data_dir / "postgres", us))


def _owner(cluster: Path) -> SystemAccount | None:
    try:
        uid = cluster.stat().st_uid
    except FileNotFoundError:
        return None
    except PermissionError as error:
        raise EmbeddedError(f"{cluster} cannot be reached: {error.strerror}. Run as the user who made it.") from error
    if uid == 0:
        raise EmbeddedError(
            f"{cluster} belongs to root, and PostgreSQL refuses root. Move it away or change its owner."
        )
    return find_account(uid)


def _require_access(account: SystemAccount, folder: Path) -> None:
    if not account.can_enter(folder):
        raise EmbeddedError(
            f"PostgreSQL has to run as {account.name}, which may not pass through to {folder}. "
            f"Let others search the folders on the way (chmod o+x). {DATABASE_HINT}"
        )


def _require_safe_path(location: ClusterLocation) -> ClusterLocation:
    # initdb and pg_ctl put the path between double quotes into a shell command.
    if any(sign in str(location.cluster) for sign in '"$`\\\n'):
        raise EmbeddedError(
            f"PostgreSQL's tools cannot take the path {str(location.cluster)!r}: "
            "choose a data directory without quotes, $, backquotes, backslashes and line breaks."
        )
    return location


def _is_root() -> bool:
    return os.geteuid() == 0

"""Payloads outside the database, in a folder or in a bucket. The only module that knows `obstore`.

The address of a payload is `<workspace>/<scan>/<answer>`, so each has exactly one, and everything of a scan is below
one prefix. In a folder, an address with a symbolic link is not ours, because it may lead out of the folder. The calls
block; they run in threads of their own, so that a store that does not respond stops nothing else.
"""

import asyncio
import errno
import os
import re
import uuid
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import msgspec

from sightline.kit.shell_command import format_install
from sightline.settings import Settings, SettingsError

if TYPE_CHECKING:
    from obstore.store import ObjectStore as Backend

_TIMEOUT = timedelta(seconds=10)  # of one request; two retries at most
_PREFIX_CHUNK = 1_000
_SCANS_LISTED = 200
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

THREADS = 16
"""How many calls to one store run at the same time."""

P = ParamSpec("P")
T = TypeVar("T")
PayloadKey = tuple[uuid.UUID, uuid.UUID, uuid.UUID]
"""Workspace, scan and answer."""


class StoreUnavailable(Exception):
    """The store could not be reached, or has no space left."""


class PayloadFolder:
    """The payloads in one folder or bucket."""

    def __init__(self, backend: "Backend", folder: Path | None = None) -> None:
        self._backend = backend
        self._folder = None if folder is None else folder.resolve()
        self._threads = ThreadPoolExecutor(THREADS, "payloads")

    async def write(self, key: PayloadKey, payload: bytes) -> None:
        """Write a payload. When this returns, it survives a crash of the machine. Repeating it changes nothing."""
        await self._run(self._write, _to_path(key), payload)

    async def read(self, key: PayloadKey) -> bytes | None:
        return await self._run(self._read, _to_path(key))

    async def delete_answers(self, workspace_id: uuid.UUID, scan_id: uuid.UUID, answers: Sequence[uuid.UUID]) -> None:
        await self._run(self._delete, [_to_path((workspace_id, scan_id, answer_id)) for answer_id in answers])

    async def delete_scan(self, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> None:
        """Delete all payloads of a scan."""
        await self.delete_answers(workspace_id, scan_id, await self.list_answers(workspace_id, scan_id))

    async def delete_unfinished(self, workspace_id: uuid.UUID, scan_id: uuid.UUID, *, before: datetime) -> None:
        """Delete incomplete files of a scan, left in a folder by processes that died while writing."""
        if self._folder is not None:
            await self._run(_delete_unfinished, self._folder / f"{workspace_id}/{scan_id}", before)

    async def list_answers(self, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> list[uuid.UUID]:
        """Return the answers of a scan that have a payload here."""
        return await self._run(self._list, f"{workspace_id}/{scan_id}")

    async def list_scans(self, after: tuple[uuid.UUID, uuid.UUID] | None) -> list[tuple[uuid.UUID, uuid.UUID]]:
        """Return the next 200 scans after this place, in order; none at the end."""
        return await self._run(self._list_scans, after)

    async def list_scans_of(self, workspace_id: uuid.UUID) -> list[uuid.UUID]:
        """Return all scans of a workspace that have payloads here."""
        return await self._run(self._list_prefixes, f"{workspace_id}")

    async def _run(self, step: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        try:
            call = partial(step, *arguments, **named)
            return await asyncio.get_running_loop().run_in_executor(self._threads, call)
        except OSError as error:
            raise StoreUnavailable(type(error).__name__) from error
        except Exception as error:
            if type(error).__module__.startswith("obstore"):
                raise StoreUnavailable(type(error).__name__) from error
            raise

    def _write(self, path: str, payload: bytes) -> None:
        import obstore

        if not self._is_ours(path):
            raise OSError(errno.ELOOP, "The address of a payload contains a symbolic link")
        if self._folder is not None:
            _make_private(self._folder / path.partition("/")[0])
        obstore.put(self._backend, path, payload)
        if self._folder is not None:
            place = self._folder / path
            for each in (place, *place.parents[:3]):  # up to the root: each folder may be new
                _flush(each)

    def _read(self, path: str) -> bytes | None:
        import obstore

        if not self._is_ours(path):
            return None
        try:
            return obstore.get(self._backend, path).bytes().to_bytes()
        except FileNotFoundError:
            return None

    def _delete(self, paths: list[str]) -> None:
        import obstore

        for path in filter(self._is_ours, paths):
            try:
                obstore.delete(self._backend, path)
            except FileNotFoundError:
                continue  # another worker was faster

    def _list(self, prefix: str) -> list[uuid.UUID]:
        import obstore

        if not self._is_ours(prefix):
            return []
        chunks = obstore.list(self._backend, prefix, chunk_size=_PREFIX_CHUNK)
        return _read_ids(filter(self._is_ours, (each["path"] for chunk in chunks for each in chunk)))

    def _list_scans(self, after: tuple[uuid.UUID, uuid.UUID] | None) -> list[tuple[uuid.UUID, uuid.UUID]]:
        found: list[tuple[uuid.UUID, uuid.UUID]] = []
        for workspace_id in sorted(self._list_prefixes("")):
            if after is not None and workspace_id < after[0]:
                continue
            scans = [(workspace_id, scan_id) for scan_id in sorted(self._list_prefixes(f"{workspace_id}"))]
            found += [each for each in scans if after is None or each > after]
            if len(found) >= _SCANS_LISTED:
                break
        return found[:_SCANS_LISTED]

    def _list_prefixes(self, prefix: str) -> list[uuid.UUID]:
        import obstore

        return _read_ids(filter(self._is_ours, obstore.list_with_delimiter(self._backend, prefix)["common_prefixes"]))

    def _is_ours(self, path: str) -> bool:
        """Return whether a path of a folder has no symbolic link in it."""
        return self._folder is None or (self._folder / path).resolve() == self._folder / path


class PayloadStores(msgspec.Struct, frozen=True):
    """Where payloads are written, and where they were written before. None is the database."""

    current: PayloadFolder | None = None
    former: PayloadFolder | None = None

    @property
    def folders(self) -> list[PayloadFolder]:
        """Return the stores outside the database, the current one first."""
        return [each for each in (self.current, self.former) if each is not None]


IN_DATABASE = PayloadStores()


def open_payload_stores(settings: Settings) -> PayloadStores:
    """Open the configured stores. Nothing is contacted yet. Refused: a store without the package that it needs."""
    former = settings.payload_store_former
    return PayloadStores(_open(settings.payload_store), None if former is None else _open(former))


def _open(address: str) -> PayloadFolder | None:
    if address == "database":
        return None
    try:
        from obstore.store import LocalStore, S3Store
    except ImportError:
        raise SettingsError(
            f"SIGHTLINE_PAYLOAD_STORE needs a package. Install it with: {format_install('sightline-ai[objects]')}"
        ) from None
    if address.startswith("file:"):
        folder = Path(address.removeprefix("file:").removeprefix("//"))
        return PayloadFolder(_open_folder(LocalStore, folder), folder)
    # Region, endpoint and credentials come from the environment (AWS_…), as for every tool that speaks to S3.
    endpoint = os.environ.get("AWS_ENDPOINT_URL") or os.environ.get("AWS_ENDPOINT") or ""
    return PayloadFolder(
        S3Store.from_url(
            address,
            client_options={"timeout": _TIMEOUT, "allow_http": endpoint.startswith("http://")},
            retry_config={"max_retries": 2, "retry_timeout": 3 * _TIMEOUT},
        )
    )


def _open_folder(store: Any, folder: Path) -> Any:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return store(folder, automatic_cleanup=True)


def _to_path(key: PayloadKey) -> str:
    return "/".join(str(part) for part in key)


def _read_ids(paths: Iterable[str]) -> list[uuid.UUID]:
    """Return the ids at the end of paths. Paths without an id are not ours, such as a disk's `lost+found`."""
    names = [path.rstrip("/").rpartition("/")[2] for path in paths]
    return [uuid.UUID(name) for name in names if _ID.fullmatch(name)]


def _make_private(folder: Path) -> None:
    """Make a folder that only its owner can enter. What `obstore` makes can be read by everybody."""
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_mode & 0o077:
        folder.chmod(0o700)


def _delete_unfinished(scan: Path, before: datetime) -> None:
    if scan.resolve() != scan:
        return  # not ours
    for each in scan.glob("*#*"):  # the names that `obstore` writes to, and does not list
        with suppress(FileNotFoundError):  # it is complete now, or another worker was faster
            if each.stat().st_mtime < before.timestamp():
                each.unlink()
                with suppress(OSError):  # not empty
                    scan.rmdir()
                    scan.parent.rmdir()


def _flush(place: Path) -> None:
    """Wait until a file, or the entry of a file in its folder, is on the disk."""
    handle = os.open(place, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

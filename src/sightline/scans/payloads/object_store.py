"""Payloads outside the database, in a folder or in a bucket. The only module that knows `obstore`.

The address of a payload is `<workspace>/<scan>/<answer>`, so each has exactly one, and everything of a scan is below
one prefix. In a folder, an address with a symbolic link is not ours, because it may lead out of the folder. The calls
block; they run in threads of their own, so that a store that does not respond stops nothing else.
"""

import asyncio
import errno
import hashlib
import io
import os
import re
import uuid
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import msgspec

from sightline.kit.shell_command import format_install
from sightline.settings import Settings, SettingsError

if TYPE_CHECKING:
    from obstore.store import ObjectStore as Backend

_TIMEOUT = timedelta(seconds=10)  # of one request; two retries at most
_PREFIX_CHUNK = 1_000
_CHUNK_BYTES = 1024 * 1024
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

    # Sealed months: files of `scans/sealed/`, below `<workspace>/sealed/`

    async def write_file(self, path: str, source: Path) -> None:
        """Write a file. When this returns, it survives a crash of the machine."""
        await self._run(self._write, path, source)

    async def read_digest(self, path: str) -> tuple[int, str]:
        """Read a whole file, and return its size and its SHA-256."""
        return await self._run(self._read_digest, path)

    async def read_chunks(self, path: str) -> AsyncIterator[bytes]:
        """Yield a file in chunks."""
        file = await self._run(self.open_file, path)
        while chunk := await self._run(file.read, _CHUNK_BYTES):
            yield chunk

    async def has_file(self, path: str) -> bool:
        return await self._run(self._has_file, path)

    async def list_files(self, prefix: str) -> list[str]:
        """Return the paths of all files below a prefix."""
        return await self._run(self._list_paths, prefix)

    async def delete_files(self, paths: Sequence[str]) -> None:
        await self._run(self._delete, list(paths))

    def find_place(self, path: str) -> str | None:
        """Return the path of a file on this machine, or None if the store is a bucket."""
        return None if self._folder is None else str(self._folder / path)

    def open_file(self, path: str) -> "StoredFile":
        """Open a file of the store to read parts of it. It blocks."""
        import obstore

        return StoredFile(obstore.open_reader(self._backend, path))

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

    def _write(self, path: str, payload: bytes | Path) -> None:
        import obstore

        if not self._is_ours(path):
            raise OSError(errno.ELOOP, "The address of a payload contains a symbolic link")
        if self._folder is not None:
            _make_private(self._folder / path.partition("/")[0])
        obstore.put(self._backend, path, payload)
        if self._folder is not None:
            place = self._folder / path
            while place != self._folder.parent:  # up to the root: each folder may be new
                _flush(place)
                place = place.parent

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
        return _read_ids(self._list_paths(prefix))

    def _list_paths(self, prefix: str) -> list[str]:
        import obstore

        if not self._is_ours(prefix):
            return []
        chunks = obstore.list(self._backend, prefix, chunk_size=_PREFIX_CHUNK)
        return [path for chunk in chunks for each in chunk if self._is_ours(path := each["path"])]

    def _read_digest(self, path: str) -> tuple[int, str]:
        import obstore

        size, digest = 0, hashlib.sha256()
        for chunk in obstore.get(self._backend, path).stream():
            digest.update(chunk)
            size += len(chunk)
        return size, digest.hexdigest()

    def _has_file(self, path: str) -> bool:
        import obstore

        try:
            obstore.head(self._backend, path)
        except FileNotFoundError:
            return False
        return self._is_ours(path)

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


class StoredFile(io.RawIOBase):
    """A file of a store, open for reading."""

    def __init__(self, reader: Any) -> None:
        super().__init__()
        self._reader = reader
        self.size: int = reader.size

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        return int(self._reader.seek(offset, whence))

    def tell(self) -> int:
        return int(self._reader.tell())

    def read(self, size: int | None = -1) -> bytes:
        return bytes(self._reader.read() if size is None or size < 0 else self._reader.read(size))


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


def open_local_folder(folder: Path) -> PayloadFolder | None:
    """Open a folder of this machine, or return None without the package that it needs."""
    if find_spec("obstore") is None:
        return None
    return _open(f"file:{folder}")


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

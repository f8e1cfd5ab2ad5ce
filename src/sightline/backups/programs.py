"""Finding and running PostgreSQL's programs: those of the wheel, and those on the PATH."""

import asyncio
import os
import re
import shutil
import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from sightline.backups.models import BackupError
from sightline.db.connect import prefer_writable, replace_parts
from sightline.db.embedded.binaries import find_wheel_folder
from sightline.kit.child_environment import build_child_environment

CHUNK_BYTES = 262_144
_ERROR_BYTES = 4_000


class Programs(msgspec.Struct, frozen=True):
    """A folder with `pg_dump` and `pg_restore` of one major version."""

    folder: Path
    major: int

    def command(self, name: str) -> str:
        return str(self.folder / name)


def find_programs(at_least: int) -> Programs:
    """Return the oldest programs that understand this major version of PostgreSQL."""
    found = sorted(_candidates(), key=lambda programs: programs.major)
    for programs in found:
        if programs.major >= at_least:
            return programs
    have = f"version {found[-1].major} is the newest here" if found else "none was found"
    raise BackupError(
        f"pg_dump and pg_restore of PostgreSQL {at_least} or newer are needed, and {have}. "
        f"Install the client programs of PostgreSQL {at_least} and put them on the PATH."
    )


def _candidates() -> list[Programs]:
    on_path = shutil.which("pg_dump")
    folders = [find_wheel_folder(), Path(on_path).parent if on_path else None]
    return [
        Programs(folder, major)
        for folder in folders
        if folder and (major := _read_major(folder / "pg_dump")) is not None
    ]


def _read_major(pg_dump: Path) -> int | None:
    try:
        done = subprocess.run((pg_dump, "--version"), capture_output=True, text=True, check=True)  # noqa: S603 - found above
    except (OSError, subprocess.CalledProcessError):
        return None
    match = re.search(r"\) (\d+)", done.stdout)
    return int(match.group(1)) if match else None


def split_password(url: str) -> tuple[str, dict[str, str]]:
    """Return the address without its password, and an environment with it: every user can see command lines."""
    parts = urlsplit(prefer_writable(url))
    account, at, server = parts.netloc.rpartition("@")
    user, _, password = account.partition(":")
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    password = options.pop("password", "") or unquote(password)
    variables = {name: value for name, value in os.environ.items() if name.startswith("PG")}
    environment = build_child_environment() | variables | ({"PGPASSWORD": password} if password else {})
    return replace_parts(url, netloc=f"{user}{at}{server}", options=options), environment


class RunningProgram:
    """A program with pipes, and the beginning of what it prints as errors."""

    def __init__(self, name: str, process: asyncio.subprocess.Process) -> None:
        self._name, self._process = name, process
        self._errors = asyncio.create_task(self._read_errors())

    async def read(self) -> bytes:
        assert self._process.stdout is not None
        return await self._process.stdout.read(CHUNK_BYTES)

    async def write(self, chunk: bytes) -> None:
        """Write to the program's input. Raises `BackupError` if it has ended early, with what it printed."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(chunk)
            await self._process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError):
            await self.finish()
            raise BackupError(f"{self._name} ended before it had read everything.") from None

    def end_input(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()

    async def finish(self) -> None:
        """Close the program's input and wait. Raises `BackupError` with what it printed if it failed."""
        self.end_input()
        code = await self._process.wait()
        said = await self._errors
        if code:
            raise BackupError(f"{self._name} failed: {said or f'exit status {code}'}")

    async def stop(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
        await self._errors

    async def _read_errors(self) -> str:
        assert self._process.stderr is not None
        said = b""
        while chunk := await self._process.stderr.read(CHUNK_BYTES):
            said += chunk[: _ERROR_BYTES - len(said)]
        return said.decode(errors="replace").strip()


@asynccontextmanager
async def run_program(command: Sequence[str], environment: dict[str, str]) -> AsyncIterator[RunningProgram]:
    """Start a program, and kill it if the caller leaves before it has finished."""
    pipe = asyncio.subprocess.PIPE
    try:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, limit=CHUNK_BYTES
        )
    except OSError as error:
        raise BackupError(f"{command[0]} cannot be run: {error}.") from error
    running = RunningProgram(Path(command[0]).name, process)
    try:
        yield running
    finally:
        await running.stop()

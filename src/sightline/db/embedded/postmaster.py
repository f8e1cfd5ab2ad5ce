"""Whether a PostgreSQL runs on a cluster, and whether it answers. Uses no subprocess, so asking is cheap."""

import os
import socket
import struct
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import BinaryIO

PORT = 5432
DATABASE = "sightline"
SUPERUSER = "sightline"  # made by initdb, and used only to set up the rest
APPLICATION_ROLE = "sightline_app"
_PROTOCOL_3_0 = 196608
_TERMINATE = struct.pack("!cI", b"X", 4)


class PingResult(Enum):
    READY = auto()
    NOT_READY = auto()  # starting, recovering or stopping
    NO_DATABASE = auto()
    NO_ROLE = auto()
    NO_ANSWER = auto()


@dataclass(frozen=True)
class Postmaster:
    """The contents of `postmaster.pid`. The file outlives a server that was killed."""

    pid: int
    socket_dir: Path


def read_postmaster(cluster: Path) -> Postmaster | None:
    try:
        lines = os.fsdecode((cluster / "postmaster.pid").read_bytes()).splitlines()
    except OSError:
        return None
    if not lines or not lines[0].strip().isdigit():
        return None
    # The file is written in two steps: pid and paths first, the socket in the fifth line a moment later.
    socket_dir = "".join(lines[4:5])
    return Postmaster(int(lines[0]), Path(socket_dir or cluster / "socket"))


def is_running(cluster: Path, postmaster: Postmaster) -> bool:
    """Return whether that pid is still the server of this cluster, not dead, a zombie or reused."""
    if not is_running_pid(postmaster.pid):
        return False
    try:
        return cluster.samefile(f"/proc/{postmaster.pid}/cwd")  # PostgreSQL works in its data directory
    except OSError:
        # Root in a container may not inspect other users' processes, and not every system has /proc.
        return _read_proc(postmaster.pid, "comm") in ("postgres\n", None)


def is_running_pid(pid: int) -> bool:
    """Return whether the process does anything. A zombie does not, and may stay forever where nobody reaps it."""
    if not process_exists(pid):
        return False
    _, _, state = (_read_proc(pid, "stat") or "").rpartition(") ")
    return not state.startswith(("Z", "X"))


def process_exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _read_proc(pid: int, name: str) -> str | None:
    try:
        return Path("/proc", str(pid), name).read_text(errors="replace")
    except OSError:
        return None


def ping(socket_dir: Path, *, role: str = APPLICATION_ROLE, timeout: float = 2) -> PingResult:
    """Open a session on our database and close it again: the only proof that the server is usable."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(timeout)
        try:
            connection.connect(str(socket_dir / f".s.PGSQL.{PORT}"))
            connection.sendall(_startup_message(role))
            with connection.makefile("rb") as stream:
                answer = _read_ping_result(stream)
            if answer is PingResult.READY:
                connection.sendall(_TERMINATE)
        except (OSError, struct.error):
            return PingResult.NO_ANSWER
    return answer


def _startup_message(role: str) -> bytes:
    options = f"user\0{role}\0database\0{DATABASE}\0application_name\0sightline start\0\0".encode()
    return struct.pack("!II", 8 + len(options), _PROTOCOL_3_0) + options


def _read_ping_result(stream: BinaryIO) -> PingResult:
    while True:
        kind, length = struct.unpack("!cI", stream.read(5))
        body = stream.read(length - 4)
        if kind == b"E":
            return _read_refusal(body)
        # Ready for queries. A request for a password means that the owner changed pg_hba.conf.
        if kind == b"Z" or (kind == b"R" and body != bytes(4)):
            return PingResult.READY


def _read_refusal(body: bytes) -> PingResult:
    fields = {field[:1]: field[1:] for field in body.split(b"\0")}
    state = fields.get(b"C", b"")
    if state == b"3D000":
        return PingResult.NO_DATABASE
    if state == b"28000":
        return PingResult.NO_ROLE
    # Any other refusal, such as too many connections, comes from a running server.
    return PingResult.NOT_READY if state.startswith(b"57P") else PingResult.READY

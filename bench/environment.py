"""The environment of a benchmark: a separate PostgreSQL with the newest schema, and settings for all servers.

Everything is in a temporary folder that is removed afterwards; no installation on this machine is touched.
"""

import asyncio
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from sightline.db import embedded
from sightline.db.migrate import migrate

_NEVER_REACHED = "1000000000"


class BenchEnvironment(msgspec.Struct, frozen=True):
    """The folder, database and environment variables of a benchmark."""

    folder: Path
    database_url: str
    variables: dict[str, str]
    """For the servers: settings as in production, but limits that are counted and never reached."""


@contextmanager
def open_environment() -> Iterator[BenchEnvironment]:
    _clear_settings()
    folder = Path(tempfile.mkdtemp(prefix="sightline-bench-"))
    if os.geteuid() == 0:
        folder.chmod(0o711)  # PostgreSQL then runs as another user and has to get through
    try:
        server = embedded.attach(folder / "data")
        try:
            asyncio.run(migrate(server.superuser_url))
            yield BenchEnvironment(folder, server.superuser_url, _environment(folder, server.superuser_url))
        finally:
            server.release()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _clear_settings() -> None:
    """Remove settings of this shell, above all SIGHTLINE_EMBEDDED_FAST, which makes PostgreSQL less durable."""
    for name in [name for name in os.environ if name.startswith("SIGHTLINE_") and name != "SIGHTLINE_ROOT_STORE"]:
        del os.environ[name]


def _environment(folder: Path, database_url: str) -> dict[str, str]:
    return {
        **os.environ,
        "SIGHTLINE_DATA_DIR": str(folder / "data"),
        "SIGHTLINE_DATABASE_URL": database_url,
        "SIGHTLINE_SECRET_KEY": secrets.token_urlsafe(32),
        "SIGHTLINE_CONSOLE_RATE_PER_MINUTE": _NEVER_REACHED,
        "SIGHTLINE_CONSOLE_RATE_PER_MONTH": _NEVER_REACHED,
        "SIGHTLINE_HTTP_CONNECTIONS_PER_ADDRESS": _NEVER_REACHED,
        "SIGHTLINE_LOG_LEVEL": "info",
        "SIGHTLINE_LOG_FORMAT": "json",
    }

"""The database session of a backup or a restore."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg

from sightline.backups.models import BackupError
from sightline.db.connect import connect
from sightline.db.failures import DatabaseUnavailable

# Limits of a role or a database must not end a long backup.
_NO_LIMITS = {"statement_timeout": "0", "idle_in_transaction_session_timeout": "0"}


@asynccontextmanager
async def open_connection(url: str) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """Open a session that waits for long statements. Failures are raised as `BackupError`."""
    try:
        connection = await connect(url, server_settings=_NO_LIMITS)
    except DatabaseUnavailable as error:
        raise BackupError(f"The database cannot be used: {error}.") from error
    try:
        yield connection
    except (asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise BackupError(f"PostgreSQL reported an error: {error}.") from error
    finally:
        connection.terminate()

"""The failures of PostgreSQL that are no bug of ours, and the one place that recognizes them.

Everything else that PostgreSQL or its driver raises is a bug, and keeps its traceback.
"""

import ssl

import asyncpg

UNAVAILABLE = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # PostgreSQL is closing an idle connection, or is not a primary
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.InsufficientResourcesError,  # a full disk, too little memory, too many connections
    asyncpg.PostgresIOError,  # a disk that fails
    asyncpg.LockNotAvailableError,  # somebody else holds a lock for too long
    asyncpg.ReadOnlySQLTransactionError,  # many hosts make a database read-only when its disk is nearly full
    asyncpg.TransactionRollbackError,  # a deadlock, or a transaction that cannot be serialized
    asyncpg.InvalidAuthorizationSpecificationError,  # an unknown role, a wrong password, or no entry in pg_hba.conf
    asyncpg.InvalidCatalogNameError,  # an unknown database
    asyncpg.InsufficientPrivilegeError,
)
"""What asyncpg and the operating system raise when PostgreSQL cannot be used now, or not by us."""


class DatabaseUnavailable(Exception):
    """PostgreSQL cannot be reached now, or has no resources left, such as space on its disk.

    Reads may be answered from a saved copy; writes are refused.
    """


class DatabaseRefused(DatabaseUnavailable):
    """PostgreSQL can be reached, but not used as it is configured: waiting does not help, but the operator can.

    The password or the database is wrong, the role has too few rights, the certificate cannot be verified, or the
    server is too old.
    """


class WritesRefused(DatabaseUnavailable):
    """The disk of PostgreSQL is full, or it is read-only. Statements that write nothing may still work."""


class TransactionConflict(DatabaseUnavailable):
    """PostgreSQL ended the transaction because of others, such as in a deadlock. Nothing is wrong with it."""


def is_outage(failure: Exception) -> bool:
    """Return whether the same statements will work once PostgreSQL can be used again, however long that takes."""
    return isinstance(failure, DatabaseUnavailable) and not isinstance(failure, TransactionConflict)


class SchemaMissing(Exception):
    """The database has no schema yet, or an older one than this version needs."""


class SchemaTooOld(SchemaMissing):
    """The schema is so old that only an earlier version can migrate it."""


_KINDS: tuple[tuple[type[DatabaseUnavailable], tuple[type[Exception], ...]], ...] = (
    (
        DatabaseRefused,
        (
            asyncpg.InvalidAuthorizationSpecificationError,
            asyncpg.InvalidCatalogNameError,
            asyncpg.InsufficientPrivilegeError,
            asyncpg.ClientConfigurationError,
            ssl.SSLCertVerificationError,
        ),
    ),
    (WritesRefused, (asyncpg.DiskFullError, asyncpg.ReadOnlySQLTransactionError)),
    (TransactionConflict, (asyncpg.TransactionRollbackError,)),
)


def to_unavailable(failure: Exception) -> DatabaseUnavailable:
    """Return what one of `UNAVAILABLE` means. Its text is one line, without the details that PostgreSQL adds."""
    kind = next((kind for kind, failures in _KINDS if isinstance(failure, failures)), DatabaseUnavailable)
    if isinstance(failure, TimeoutError) and not str(failure):
        return kind("PostgreSQL did not answer in time")
    return kind(str(failure).partition("\n")[0] or type(failure).__name__)

"""Running the SQL of a migration, with limits on waiting."""

from typing import Any

from alembic import op


def run_sql(script: str) -> None:
    """Run the statements in the transaction of the migration.

    The timeouts come first: a migration that cannot get its lock soon gives up instead of blocking every query of
    the service. They also open the transaction, which the raw call below does not do.
    """
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.execute("SET LOCAL statement_timeout = '15min'")
    # Bypass SQLAlchemy: a prepared statement takes one command, asyncpg's `execute` takes a script.
    dbapi_connection: Any = op.get_bind().connection.dbapi_connection
    dbapi_connection.run_async(lambda connection: connection.execute(script))

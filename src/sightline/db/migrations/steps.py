"""How a migration runs its SQL: any number of statements, with limits on waiting."""

from typing import Any

from alembic import op


def run_sql(script: str) -> None:
    """Runs the statements in the migration's own transaction.

    The time limits come first: a migration that cannot get its lock soon gives up, rather than queue every query of
    the service behind itself. They also open the transaction, which the raw call below would not do by itself.
    """
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.execute("SET LOCAL statement_timeout = '15min'")
    # Past SQLAlchemy: a prepared statement takes one command only, asyncpg's own execute takes a script.
    dbapi_connection: Any = op.get_bind().connection.dbapi_connection
    dbapi_connection.run_async(lambda connection: connection.execute(script))

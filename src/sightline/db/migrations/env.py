"""The entry point of Alembic, which uses the connection that `db/migrate.py` has opened and locked."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transaction_per_migration=True)
with context.begin_transaction():
    context.run_migrations()

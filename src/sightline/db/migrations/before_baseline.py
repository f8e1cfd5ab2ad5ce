"""Databases from before the baseline (ADR 44). The last schema is brought to it, and older ones are refused."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

BASELINE = "0048"
LAST_BEFORE = "0047"
_LAST_COMMIT_BEFORE = "3a5c66f1c12c4691c0b7773bee359de571df6483"

# Which bootstrap links end when the installation has an owner: those that `sightline serve` printed. Older links do
# not say who made them, so links from before the first user are treated the same way.
_STATEMENTS = (
    "SET LOCAL lock_timeout = '10s'",
    "ALTER TABLE bootstrap_tokens ADD COLUMN first_owner_only boolean NOT NULL DEFAULT false",
    """UPDATE bootstrap_tokens t SET first_owner_only = true
       WHERE used_by IS NULL AND NOT EXISTS (SELECT FROM users u WHERE u.created_at <= t.created_at)""",
    f"UPDATE alembic_version SET version_num = '{BASELINE}'",
)


def explain_too_old(revision: str) -> str | None:
    """Return what to do with a database or a backup of this schema, if this version can no longer migrate it."""
    if revision >= LAST_BEFORE:
        return None
    return (
        f"it has the schema {revision}, and this version migrates {LAST_BEFORE} or newer. First migrate it with commit "
        f"{_LAST_COMMIT_BEFORE[:12]} of Sightline"
    )


def bring_to_baseline(connection: "Connection") -> None:
    """Migrate a database with the last schema before the baseline, in one transaction. Leave any other as it is."""
    from sqlalchemy import text

    exists = connection.scalar(text("SELECT to_regclass('alembic_version')"))
    if exists and connection.scalar(text("SELECT version_num FROM alembic_version")) == LAST_BEFORE:
        for statement in _STATEMENTS:
            connection.execute(text(statement))
    connection.commit()

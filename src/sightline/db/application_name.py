"""The name by which PostgreSQL lists the connections of a process, in `pg_stat_activity` and in its log."""

from urllib.parse import quote

_LONGEST = 63  # bytes; PostgreSQL cuts the rest off


def add_application_name(url: str, name: str) -> str:
    """Return the database URL with this name, which all connections opened from it then carry."""
    base, _, query = url.partition("?")
    kept = [part for part in query.split("&") if part and not part.startswith("application_name=")]
    return f"{base}?{'&'.join([*kept, f'application_name={quote(name[:_LONGEST])}'])}"

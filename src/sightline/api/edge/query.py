"""The query of a request. A parameter with an empty value is absent, for both APIs and for every page."""

from urllib.parse import parse_qsl


def drop_empty_values(query: bytes) -> bytes:
    """Return the query of a URL without the parameters that have no value."""
    return b"&".join(part for part in query.split(b"&") if part.partition(b"=")[2]) if query else query


def read_parameters(query: str) -> dict[str, str]:
    """Return the parameters of a query. The last value of a repeated one counts."""
    return dict(parse_qsl(query)) if query else {}

"""Choosing between the forms of a resource by the header `Accept` (RFC 9110)."""

from collections.abc import Iterable

import msgspec

from sightline.api.edge.responses import Header
from sightline.api.edge.routes import RouteMatch

_JSON = "application/json"


def choose_operation(match: RouteMatch, headers: Iterable[Header]) -> RouteMatch:
    """Return the match, with the operation of another form of the resource if the caller prefers its media type.

    A request that prefers none of them gets JSON.
    """
    if match.operation is None or not match.operation.negotiated:
        return match
    weights = read_accept(next((value for name, value in headers if name == b"accept"), b"").decode("latin-1"))
    best, chosen = weights.get(_JSON, 0.0), match.operation
    for media_type, operation in match.operation.negotiated.items():
        if weights.get(media_type, 0.0) > best:
            best, chosen = weights[media_type], operation
    return msgspec.structs.replace(match, operation=chosen)


def read_accept(accept: str) -> dict[str, float]:
    """Return the weight of each media type that the header names. A part that cannot be read is ignored."""
    weights = {}
    for part in accept.split(","):
        media_type, *parameters = (each.strip().lower() for each in part.split(";"))
        try:
            weight = next((float(each[2:]) for each in parameters if each.startswith("q=")), 1.0)
        except ValueError:
            continue
        weights[media_type] = weight
    return weights

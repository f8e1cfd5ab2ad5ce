"""Matching a request to its operation. It comes before authentication, because refusals depend on the operation."""

from collections.abc import Iterable

import msgspec

from sightline.api.edge.operations import Operation


class RouteMatch(msgspec.Struct, frozen=True):
    """The operation of a request; None for an unknown path, or for a method that is not among those `allowed`."""

    operation: Operation | None
    parameters: dict[str, str] = {}
    allowed: tuple[str, ...] = ()


_NO_MATCH = RouteMatch(None)


class Routes:
    def __init__(self, operations: Iterable[Operation]) -> None:
        self._plain: dict[str, dict[str, Operation]] = {}
        self._with_parameters: list[tuple[list[str], dict[str, Operation]]] = []
        by_path: dict[str, dict[str, Operation]] = {}
        for operation in operations:
            by_path.setdefault(operation.full_path, {})[operation.method] = operation
        for path, methods in by_path.items():
            if "{" in path:
                self._with_parameters.append((path.split("/"), methods))
            else:
                self._plain[path] = methods
        # `{report_id}.pdf` comes before `{report_id}`, which would take the suffix for a part of the id.
        self._with_parameters.sort(key=lambda route: all(not _suffix(part) for part in route[0]))

    def match(self, method: str, path: str) -> RouteMatch:
        methods, parameters = self._plain.get(path), dict[str, str]()
        if methods is None:
            methods, parameters = self._find(path)
        if methods is None:
            return _NO_MATCH
        operation = methods.get("GET" if method == "HEAD" else method)
        if operation is not None:
            return RouteMatch(operation, parameters)
        allowed = sorted({*methods, "HEAD"} if "GET" in methods else methods)
        return RouteMatch(None, allowed=tuple(allowed))

    def _find(self, path: str) -> tuple[dict[str, Operation] | None, dict[str, str]]:
        parts = path.split("/")
        for pattern, methods in self._with_parameters:
            if len(pattern) == len(parts):
                parameters = _match_parts(pattern, parts)
                if parameters is not None:
                    return methods, parameters
        return None, {}


def _match_parts(pattern: list[str], parts: list[str]) -> dict[str, str] | None:
    """Return the values of the pattern's parameters, or None when the rest differs or a value is empty."""
    parameters = {}
    for expected, part in zip(pattern, parts, strict=True):
        suffix = _suffix(expected)
        if expected.startswith("{") and part.endswith(suffix) and len(part) > len(suffix):
            parameters[expected[1 : expected.index("}")]] = part.removesuffix(suffix)
        elif expected != part:
            return None
    return parameters


def _suffix(pattern_part: str) -> str:
    """Return what follows the parameter: `.pdf` in `{report_id}.pdf`."""
    return pattern_part.partition("}")[2]

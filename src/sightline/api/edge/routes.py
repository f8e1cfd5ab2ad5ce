"""Which operation a request names. Known before the application runs, because refusals depend on it."""

from collections.abc import Iterable

import msgspec

from sightline.api.edge.operations import Operation


class Match(msgspec.Struct, frozen=True):
    """`operation` is None for an unknown path or, with `allowed` filled, for a method that the path does not take."""

    operation: Operation | None
    allowed: tuple[str, ...] = ()


_NOTHING = Match(None)


class Routes:
    def __init__(self, operations: Iterable[Operation]) -> None:
        self._plain: dict[str, dict[str, Operation]] = {}
        self._with_parameters: list[tuple[list[str | None], dict[str, Operation]]] = []
        by_path: dict[str, dict[str, Operation]] = {}
        for operation in operations:
            by_path.setdefault(operation.full_path, {})[operation.method] = operation
        for path, methods in by_path.items():
            if "{" in path:
                pattern = [None if part.startswith("{") else part for part in path.split("/")]
                self._with_parameters.append((pattern, methods))
            else:
                self._plain[path] = methods

    def match(self, method: str, path: str) -> Match:
        methods = self._plain.get(path) or self._find(path)
        if methods is None:
            return _NOTHING
        operation = methods.get("GET" if method == "HEAD" else method)
        if operation is not None:
            return Match(operation)
        allowed = sorted({*methods, "HEAD"} if "GET" in methods else methods)
        return Match(None, tuple(allowed))

    def _find(self, path: str) -> dict[str, Operation] | None:
        parts = path.split("/")
        for pattern, methods in self._with_parameters:
            if len(pattern) == len(parts) and all(
                part if wanted is None else part == wanted for wanted, part in zip(pattern, parts, strict=True)
            ):
                return methods
        return None

"""Which operation a request names. Known before the application runs, because refusals depend on it."""

from collections.abc import Iterable

import msgspec

from sightline.api.edge.operations import Operation


class Match(msgspec.Struct, frozen=True):
    """`operation` is None for an unknown path or, with `allowed` filled, for a method that the path does not take."""

    operation: Operation | None
    parameters: dict[str, str] = {}
    allowed: tuple[str, ...] = ()


_NOTHING = Match(None)


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
        # `{report_id}.pdf` before `{report_id}`, which would take the ending for a part of the id.
        self._with_parameters.sort(key=lambda route: all(not _ending(part) for part in route[0]))

    def match(self, method: str, path: str) -> Match:
        methods, parameters = self._plain.get(path), dict[str, str]()
        if methods is None:
            methods, parameters = self._find(path)
        if methods is None:
            return _NOTHING
        operation = methods.get("GET" if method == "HEAD" else method)
        if operation is not None:
            return Match(operation, parameters)
        allowed = sorted({*methods, "HEAD"} if "GET" in methods else methods)
        return Match(None, allowed=tuple(allowed))

    def _find(self, path: str) -> tuple[dict[str, Operation] | None, dict[str, str]]:
        parts = path.split("/")
        for pattern, methods in self._with_parameters:
            if len(pattern) == len(parts):
                parameters = _fit(pattern, parts)
                if parameters is not None:
                    return methods, parameters
        return None, {}


def _fit(pattern: list[str], parts: list[str]) -> dict[str, str] | None:
    """The values of the pattern's parameters, when the rest is equal; an empty part is no value."""
    parameters = {}
    for wanted, part in zip(pattern, parts, strict=True):
        ending = _ending(wanted)
        if wanted.startswith("{") and part.endswith(ending) and len(part) > len(ending):
            parameters[wanted[1 : wanted.index("}")]] = part.removesuffix(ending)
        elif wanted != part:
            return None
    return parameters


def _ending(wanted: str) -> str:
    """What has to follow a parameter: `.pdf` in `{report_id}.pdf`."""
    return wanted.partition("}")[2]

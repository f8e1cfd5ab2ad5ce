"""The resources of the SDK. Each operation that a key may call declares its resource and method (`sdk`).

Operations that only a signed-in person may call, such as buying credits, are not part of the SDK.
"""

from collections.abc import Iterable, Mapping

from sightline.api.app import OPERATIONS
from sightline.api.edge.operations import Operation

RESOURCES: Mapping[str, str] = {
    name: title for operation in OPERATIONS for name, title in operation.resource.sdk.items()
}


def select_operations(operations: Iterable[Operation]) -> list[Operation]:
    """Return the operations that a key may call. Refused: two with the same method."""
    selected = [operation for operation in operations if operation.sdk is not None]
    methods = [method_of(operation) for operation in selected]
    repeated = {method for method in methods if methods.count(method) > 1}
    if repeated:
        raise LookupError(f"methods that are there twice: {sorted(repeated)}")
    return selected


def method_of(operation: Operation) -> tuple[str, str]:
    """Return the resource and the method of an operation."""
    assert operation.sdk is not None, f"{operation.name} is not part of the SDK"
    resource, _, method = operation.sdk.partition(".")
    return resource, method


def to_class_name(resource: str) -> str:
    return "".join(word.capitalize() for word in resource.split("_")) + "Resource"

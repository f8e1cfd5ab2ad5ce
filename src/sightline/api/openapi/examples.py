"""The examples of the OpenAPI document, found next to the schemas and the handlers that declare them."""

import sys
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any, NamedTuple, get_args
from uuid import UUID

from sightline.api.app import OPERATIONS
from sightline.api.edge.envelope import Envelope, Meta, Page, PageMeta
from sightline.api.edge.operations import ApiName, Operation
from sightline.api.event_types import WEBHOOK_EVENTS
from sightline.api.schemas import Removed
from sightline.events import EventBody, EventData, EventType
from sightline.kit.examples import REQUEST_ID, Example

Response = Envelope[Any] | Page[Any] | str


class SentExample(NamedTuple):
    """One request and its response, as they are sent. The response is text for a stream.

    `other_responses` are successes with another status: what happened, and the response.
    """

    response: Response
    request: Mapping[str, Any] | None = None
    other_responses: Mapping[int, tuple[str, Response]] = {}


def _list_modules() -> Iterator[ModuleType]:
    """Yield the modules of all handlers, and of the schemas that they use."""
    for operation in OPERATIONS:
        yield sys.modules[operation.handler.__module__]
        types = (operation.body, *get_args(operation.response_type), operation.stream_event)
        yield from (sys.modules[each.__module__] for each in types if each is not None)
    yield from (sys.modules[event.data.__module__] for event in WEBHOOK_EVENTS.values())


_MODULES = list(dict.fromkeys(_list_modules()))


def _gather(name: str) -> dict[Any, Any]:
    return {key: value for module in _MODULES for key, value in getattr(module, name, {}).items()}


def _gather_path_ids() -> dict[ApiName, dict[str, str]]:
    found: dict[ApiName, dict[str, str]] = {"console": {}, "data": {}}
    for module in _MODULES:
        for api, ids in getattr(module, "PATH_IDS", {}).items():
            found[api] |= ids
    return found


def _wrap(operation: Operation, found: Example) -> SentExample:
    others = {status: (text, _envelop(each)) for status, (text, each) in found.other_responses.items()}
    if isinstance(found.response, str):
        return SentExample(found.response, found.request, others)
    if not operation.is_list:
        return SentExample(_envelop(found.response), found.request, others)
    rows = list(found.response) if isinstance(found.response, list | tuple) else [found.response]
    cursor = found.next_cursor
    return SentExample(Page(rows, PageMeta(cursor is not None, cursor, REQUEST_ID)), found.request, others)


def _envelop(resource: Any) -> Envelope[Any]:
    return Envelope(resource, Meta(REQUEST_ID))


def _find(operation: Operation) -> Example:
    if operation.response_type == Envelope[Removed]:
        _, _, parameter = operation.path.rpartition("{")
        return Example(Removed(UUID(PATH_IDS[operation.api][parameter.partition("}")[0]]), deleted=True))
    found: Example = _DECLARED[operation.name]
    return found


PATH_IDS: Mapping[ApiName, Mapping[str, str]] = _gather_path_ids()
"""The values of parameters of paths."""
_DECLARED: Mapping[str, Example] = _gather("EXAMPLES")
EXAMPLES: Mapping[str, SentExample] = {each.name: _wrap(each, _find(each)) for each in OPERATIONS}
EVENT_EXAMPLES: Mapping[EventType, EventBody[EventData]] = {
    kind: EventBody(kind, at, data) for kind, (at, data) in _gather("EVENT_EXAMPLES").items()
}

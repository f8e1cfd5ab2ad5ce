"""Writes `webhook_events.py`: one class for each type of event, and `_problem_codes.py`: the codes of problems."""

from collections.abc import Iterable, Mapping

from scripts.sdk.python_text import HEADER, write_docstring, write_import, write_one_of
from sightline.api.event_types import EventSchema
from sightline.events import EventType

_UNKNOWN = "An event of a type that this version of the SDK does not know."


def write_events(events: Mapping[EventType, EventSchema]) -> str:
    classes = [_write_class(_to_class_name(name), name, schema) for name, schema in events.items()]
    names = [_to_class_name(name) for name in events]
    table = "".join(f'    "{name}": {_to_class_name(name)},\n' for name in events)
    return (
        HEADER.format(title="Events that webhooks receive.")
        + write_import("collections.abc", ["Mapping"])
        + write_import("datetime", ["datetime"])
        + write_import("typing", ["Any", "Literal", "TypeAlias"])
        + "\n"
        + write_import("sightline_sdk._models", ["Model"])
        + write_import("sightline_sdk.models", [schema.data.__name__ for schema in events.values()])
        + "\n\n"
        + "class UnknownEvent(Model, frozen=True, kw_only=True):\n"
        + write_docstring(_UNKNOWN, "    ")
        + _write_members("str", "dict[str, Any]")
        + "\n\n"
        + "\n\n".join(classes)
        + f"\n\nWebhookEvent: TypeAlias = {' | '.join([*names, 'UnknownEvent'])}\n"
        + f"EVENTS: Mapping[str, type[WebhookEvent]] = {{\n{table}}}\n"
    )


def _write_class(class_name: str, event_type: str, schema: EventSchema) -> str:
    return (
        f"class {class_name}(Model, frozen=True, kw_only=True):\n"
        + write_docstring(schema.sent_when, "    ")
        + _write_members(f'Literal["{event_type}"]', schema.data.__name__)
    )


def _write_members(type_annotation: str, data: str) -> str:
    return (
        '\n    id: str = ""\n    """Id of the event: the same in every delivery of it. Use it to skip duplicates."""\n'
        f"    type: {type_annotation}\n    timestamp: datetime\n"
        '    """When the event happened."""\n'
        f"    data: {data}\n"
    )


def _to_class_name(event_type: str) -> str:
    return "".join(word.capitalize() for word in event_type.split(".")) + "Event"


def write_problem_codes(codes: Iterable[str]) -> str:
    return (
        HEADER.format(title="The codes of problems.")
        + "from typing import Literal, TypeAlias\n\nfrom sightline_sdk._models import OneOf\n\n"
        + f"ProblemCode: TypeAlias = {write_one_of(codes)}\n"
    )

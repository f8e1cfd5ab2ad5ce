"""The parameters of a generated method, from the path, the body and the query of its operation."""

import re
from typing import NamedTuple

from msgspec.inspect import Field

from scripts.sdk.annotations import allow_unset, annotate, describe, fields_of, is_null_by_default
from scripts.sdk.python_text import to_identifier, write_one_of
from sightline.api.edge.operations import Filter, Operation

_IN_PATH = re.compile(r"{(\w+)}")
_CURSOR = "Where to begin: `next_cursor` of a page. By default at the first row."
_PAGE_SIZE = "Rows per page, 1 to 200. By default 50."
_IDEMPOTENCY_KEY = (
    "A key of your own for this logical write, such as the id of your job. With the same key it is done only once, "
    "even if your process is restarted in between. By default a new one for each call, kept over its retries."
)
_FORMATS = {"date": "date | str", "date-time": "datetime | str"}
_LAST_EVENT_ID = "Id of the last event that you have seen, to go on after it."


class Parameter(NamedTuple):
    """One parameter: how it is declared, what it means, and the member that it becomes."""

    name: str
    annotation: str
    meaning: str
    member: str = ""
    default: str = ""
    value: str = ""

    @property
    def declaration(self) -> str:
        return f"{self.name}: {self.annotation}{f' = {self.default}' if self.default else ''}"


def read_path_parameters(operation: Operation) -> list[Parameter]:
    return [_from_path(name, operation) for name in _IN_PATH.findall(operation.path)]


def _from_path(name: str, operation: Operation) -> Parameter:
    owner, _, what = name.rpartition("_")
    choices = operation.path_choices.get(name)
    meaning = f"{what.capitalize()} of the {owner.replace('_', ' ')}."
    return Parameter(name, write_one_of(choices) if choices else "str", meaning, member=name)


def read_body_parameters(operation: Operation) -> list[Parameter]:
    return [] if operation.body is None else [_from_field(field) for field in fields_of(operation.body)]


def _from_field(field: Field) -> Parameter:
    name, kind = to_identifier(field.name), annotate(field.type, sequence="Sequence")
    common = (describe(field), field.encode_name)
    if field.required:
        return Parameter(name, kind, *common, value=name)
    if is_null_by_default(field):
        return Parameter(name, kind, *common, default="None", value=f"omit_none({name})")
    return Parameter(name, allow_unset(kind), *common, default="UNSET", value=name)


def read_query_parameters(operation: Operation) -> list[Parameter]:
    parameters = [_from_filter(each) for each in operation.filters]
    if operation.paged:
        parameters.append(Parameter("cursor", "str | None", _CURSOR, "cursor", "None", "cursor"))
    if operation.page_size:
        parameters.append(Parameter("page_size", "int | None", _PAGE_SIZE, "page_size", "None", "page_size"))
    return parameters


def _from_filter(query_filter: Filter) -> Parameter:
    name = to_identifier(query_filter.name)
    kind = write_one_of(query_filter.one_of) if query_filter.one_of else _FORMATS.get(query_filter.format or "", "str")
    return Parameter(name, f"{kind} | None", query_filter.meaning, query_filter.name, "None", name)


def read_header_parameters(operation: Operation) -> list[Parameter]:
    if not operation.is_read:
        return [Parameter("idempotency_key", "str | None", _IDEMPOTENCY_KEY, default="None")]
    if is_event_stream(operation):
        return [Parameter("last_event_id", "str | None", _LAST_EVENT_ID, default="None")]
    return []


def is_event_stream(operation: Operation) -> bool:
    return (operation.stream_media_type or "").startswith("text/event-stream")

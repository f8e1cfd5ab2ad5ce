"""Structured logs: JSON lines for machines, aligned colors for a terminal.

Nothing that identifies a caller beyond ids is ever passed to a logger: no key, password, cookie, header or body.
"""

import logging
import re
import sys
import traceback
from typing import Any, TextIO

import msgspec
import structlog
import structlog.tracebacks
from structlog.typing import EventDict, Processor

from sightline.kit.tracing import current_trace_ids


def _to_json(event: object, **_: object) -> str:
    return msgspec.json.encode(event, enc_hook=str).decode()


# What PostgreSQL and its driver add to a message: values of a row, or of a parameter.
_ROW_VALUES = re.compile(r"(?:\nDETAIL:|(?<=invalid input for query argument)\s).*", re.DOTALL)
_transform = structlog.tracebacks.ExceptionDictTransformer(show_locals=False, max_frames=20)


def omit_row_values(text: str) -> str:
    """Return the message of an error without the values of a row that PostgreSQL quotes."""
    return _ROW_VALUES.sub("", text)


def _to_dicts(exc_info: Any) -> list[dict[str, Any]]:
    return [_clean(stack) for stack in _transform(exc_info)]


def _clean(stack: dict[str, Any]) -> dict[str, Any]:
    groups = [[_clean(each) for each in group] for group in stack.get("exceptions", ())]
    return {**stack, "exc_value": omit_row_values(stack["exc_value"]), "exceptions": groups}


def _print_plainly(stream: TextIO, exc_info: Any) -> None:
    """Print a traceback without the values of a row, for a terminal."""
    shown = [traceback.TracebackException(*exc_info, limit=20)]
    printed = shown[0]
    while shown:
        each = shown.pop()
        each._str = omit_row_values(each._str)  # type: ignore[attr-defined]  # noqa: SLF001 - no other way
        shown += [other for other in (each.__cause__, each.__context__, *(each.exceptions or ())) if other is not None]
    stream.write("".join(printed.format()))


def add_trace_ids(_: Any, __: str, event: EventDict) -> EventDict:
    """Add the ids of the current trace to a log line, while traces are sent."""
    event.update(current_trace_ids())
    return event


# Without local variables: the library would write those of every frame, secrets included.
_EXCEPTIONS = structlog.processors.ExceptionRenderer(_to_dicts)


def configure_logging(*, level: str, as_json: bool, stream: TextIO = sys.stderr) -> None:
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        add_trace_ids,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
    ]
    final: list[Processor] = (
        [_EXCEPTIONS, structlog.processors.JSONRenderer(serializer=_to_json)]
        if as_json
        else [structlog.dev.ConsoleRenderer(colors=stream.isatty(), exception_formatter=_print_plainly)]
    )
    structlog.configure(
        processors=[*shared, *final],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(stream),
        cache_logger_on_first_use=True,
    )
    # Libraries that use the standard library's logging are shown only when something is wrong.
    logging.basicConfig(level=logging.WARNING, stream=stream, format="%(levelname)s %(name)s: %(message)s", force=True)

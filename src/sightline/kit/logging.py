"""Structured logs: JSON lines for machines, aligned colors for a terminal.

Nothing that identifies a caller beyond ids is ever passed to a logger: no key, password, cookie, header or body.
"""

import logging
import sys
from typing import TextIO

import msgspec
import structlog
import structlog.tracebacks
from structlog.typing import Processor


def _to_json(event: object, **_: object) -> str:
    return msgspec.json.encode(event, enc_hook=str).decode()


# Without local variables: the library would write those of every frame, secrets included.
_EXCEPTIONS = structlog.processors.ExceptionRenderer(
    structlog.tracebacks.ExceptionDictTransformer(show_locals=False, max_frames=20)
)


def configure_logging(*, level: str, as_json: bool, stream: TextIO = sys.stderr) -> None:
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
    ]
    final: list[Processor] = (
        [_EXCEPTIONS, structlog.processors.JSONRenderer(serializer=_to_json)]
        if as_json
        else [structlog.dev.ConsoleRenderer(colors=stream.isatty(), exception_formatter=structlog.dev.plain_traceback)]
    )
    structlog.configure(
        processors=[*shared, *final],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(stream),
        cache_logger_on_first_use=True,
    )
    # Libraries that use the standard library's logging are shown only when something is wrong.
    logging.basicConfig(level=logging.WARNING, stream=stream, format="%(levelname)s %(name)s: %(message)s", force=True)

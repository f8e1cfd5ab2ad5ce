"""Request bodies: read within a limit, decoded strictly, and refused with the name of the wrong field."""

import json
import math
import re
from collections.abc import Awaitable, Callable, Iterator
from functools import cache
from typing import Any, TypeVar

import msgspec

from sightline.errors import Problem, invalid_field
from sightline.kit.text import CONTROL_FAULT, has_control_characters

_PATH = re.compile(r" - at `(key in )?\$(?P<path>[^`]*)`$")
_LENGTH = re.compile(r"[0-9]+")
_MAX_LENGTH_DIGITS = 18  # a longer Content-Length is above any limit, and too long to convert
# May stand for a control character; only then is the whole body searched.
_SUSPICIOUS = re.compile(rb"\\u00[0189]|\\u007[fF]|\\[bf]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]")


async def read_body(receive: Callable[[], Awaitable[Any]], declared_length: str | None, limit: int) -> bytes:
    """Return the whole body. Refused with 413 as soon as it is known to be larger than the limit."""
    if (
        declared_length is not None
        and _LENGTH.fullmatch(declared_length)
        and (len(declared_length) > _MAX_LENGTH_DIGITS or int(declared_length) > limit)
    ):
        raise _too_large(limit)
    chunks: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":  # an incomplete body must not be processed
            raise Problem("invalid_json", "The body ended before it was complete.")
        chunk = message.get("body", b"")
        size += len(chunk)
        if size > limit:
            raise _too_large(limit)
        chunks.append(chunk)
        if not message.get("more_body", False):
            break
    return b"".join(chunks)


def _too_large(limit: int) -> Problem:
    return Problem("payload_too_large", f"The body may have {limit} bytes.", limit=limit)


def require_json(content_type: str | None, content_encoding: str | None) -> None:
    media_type, *parameters = (content_type or "").split(";")
    pairs = (parameter.strip().lower().partition("=") for parameter in parameters)
    charset = next((value.strip('"') for name, _, value in pairs if name == "charset"), "utf-8")
    if media_type.strip().lower() != "application/json" or charset != "utf-8":
        raise Problem("unsupported_media_type")
    if (content_encoding or "").lower() not in {"", "identity"}:
        raise Problem("unsupported_media_type", "Send the body without Content-Encoding.")


Model = TypeVar("Model", bound=msgspec.Struct)


@cache
def _decoder(model: type[msgspec.Struct]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(model)


def decode_body(body: bytes, model: type[Model]) -> Model:
    """Decode a body without coercion. Refused: text that is not JSON (400), and a field that does not fit (422)."""
    if _SUSPICIOUS.search(body) or not _is_utf8(body):
        _refuse_bad_values(body)
    try:
        decoded: Model = _decoder(model).decode(body)
        return decoded
    except msgspec.ValidationError as error:
        _refuse_bad_values(body)  # the decoder stops at the first wrong field, before it knows whether the rest is JSON
        raise _to_problem(error) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        _refuse_bad_values(body)
        raise Problem("invalid_json") from error


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def _to_problem(error: msgspec.ValidationError) -> Problem:
    text = str(error)
    found = _PATH.search(text)
    message = text[: found.start()] if found else text
    field = found["path"].lstrip(".") if found else ""
    if missing := re.search(r"missing required field `([^`]+)`", message):
        field = f"{field}.{missing[1]}" if field else missing[1]
        return invalid_field(field, "is required", "required")
    return invalid_field(field or "body", message[:1].lower() + message[1:], "invalid")


def _refuse_bad_values(body: bytes) -> None:
    """Refuse NaN, lone surrogates and control characters with 422: JSON-like text can contain them, no field may."""
    try:
        first = next(_find_bad_values(json.loads(body), ""), None)
    except (ValueError, RecursionError) as error:
        raise Problem("invalid_json") from error
    if first is not None:
        field, fault = first
        raise invalid_field(field or "body", fault, "invalid")


def _find_bad_values(value: object, field: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        if has_control_characters(value):
            yield field, CONTROL_FAULT
        elif not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
            yield field, "contains half of a surrogate pair"
    elif isinstance(value, float) and not math.isfinite(value):
        yield field, "must be a finite number"
    elif isinstance(value, dict):
        for name, member in value.items():
            for _, fault in _find_bad_values(name, ""):
                yield field or "body", f"a member's name {fault}"
            yield from _find_bad_values(member, f"{field}.{name}" if field else name)
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from _find_bad_values(member, f"{field}[{index}]")

"""Request bodies: read within a limit, decoded strictly, and refused with the names of all wrong fields."""

import json
import math
import re
from collections.abc import Awaitable, Callable, Iterator
from functools import cache
from itertools import chain, islice
from typing import Any, TypeVar

import msgspec

from sightline.api.edge.field_errors import find_field_errors
from sightline.errors import Fault, Problem, invalid_fields
from sightline.kit.text import CONTROL_FAULT, has_control_characters

_PATH = re.compile(r" - at `(key in )?\$(?P<path>[^`]*)`$")
_LENGTH = re.compile(r"[0-9]+")
MAX_FAULTS = 100
_MAX_LENGTH_DIGITS = 18  # a longer Content-Length is above any limit, and too long to convert
# Finds what may be a control character. Only then is the decoded document searched, which is slower.
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
    return Problem("payload_too_large", f"The body may have at most {limit} bytes.", limit=limit)


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
    """Decode a body without coercion. Refused: text that is not JSON (400), and all fields that do not fit (422)."""
    try:
        decoded: Model = _decoder(model).decode(body)
    except msgspec.ValidationError as error:
        document = _parse(body)  # the decoder stops at the first wrong field, before it knows whether the rest is JSON
        raise invalid_fields(*(_list_faults(document, model) or [_locate(error)])) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        document = _parse(body)
        if not _list_bad_values(document):
            raise Problem("invalid_json") from error
        raise invalid_fields(*_list_faults(document, model)) from error
    if (_SUSPICIOUS.search(body) or not _is_utf8(body)) and (faults := _list_bad_values(_parse(body))):
        raise invalid_fields(*faults)
    return decoded


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def _parse(body: bytes) -> object:
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Problem("invalid_json") from error


def _list_faults(document: object, model: type[msgspec.Struct]) -> list[Fault]:
    """Return the first fault of each wrong field, for at most 100 fields."""
    faults: dict[str, Fault] = {}
    for fault in chain(_list_bad_values(document), find_field_errors(document, model)):
        faults.setdefault(fault[0], fault)
        if len(faults) == MAX_FAULTS:
            break
    return list(faults.values())


def _locate(error: msgspec.ValidationError) -> Fault:
    """Return the field that the decoder refused, if the decoded document does not show it, as with duplicate names."""
    found = _PATH.search(str(error))
    return (found["path"].lstrip(".") if found else "") or "body", "is not valid, or is there twice", "invalid"


def _list_bad_values(document: object) -> list[Fault]:
    """Return NaN, lone surrogates and control characters: JSON-like text can contain them, no field may."""
    try:
        found = list(islice(_find_bad_values(document, ""), MAX_FAULTS))
    except RecursionError as error:
        raise Problem("invalid_json") from error
    return [(field or "body", message, "invalid") for field, message in found]


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
            if fault := next(_find_bad_values(name, ""), None):
                yield field, f"has a member whose name {fault[1]}"
            else:
                yield from _find_bad_values(member, f"{field}.{name}" if field else name)
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from _find_bad_values(member, f"{field}[{index}]")

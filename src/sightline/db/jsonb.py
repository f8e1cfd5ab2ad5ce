"""Values as text for `jsonb` parameters."""

import re

import msgspec

# The escape itself, but not an escaped backslash that happens to precede "u0000".
_NUL = re.compile(rb"(?<!\\)((?:\\\\)*)\\u0000")


def to_jsonb(value: object) -> str:
    """Return a value as JSON that PostgreSQL accepts.

    `jsonb` cannot hold the character NUL, which an address in an answer may contain: the replacement character stands
    in for it (ADR 49).
    """
    encoded = msgspec.json.encode(value)
    if rb"\u0000" in encoded:
        encoded = _NUL.sub(rb"\1\\ufffd", encoded)
    return encoded.decode()

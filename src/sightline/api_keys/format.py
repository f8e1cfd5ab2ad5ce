"""What a key looks like: a prefix that says what it opens, 32 random characters, a checksum.

The checksum lets a mistyped or invented key be refused without a look at the database.
"""

import hashlib
import secrets
import string
import zlib
from typing import Literal

import msgspec

KeyKind = Literal["console", "data"]

_BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
_ENTROPY = 32
_CHECKSUM = 6
_PREFIXES: dict[str, tuple[KeyKind, bool]] = {
    "sk_live_": ("console", True),
    "sk_test_": ("console", False),
    "dk_live_": ("data", True),
}
_PREFIX_LENGTH = 8


class KeyShape(msgspec.Struct, frozen=True):
    kind: KeyKind
    livemode: bool


def make_key(kind: KeyKind, *, livemode: bool) -> str:
    prefix = next(text for text, shape in _PREFIXES.items() if shape == (kind, livemode))
    body = prefix + "".join(secrets.choice(_BASE62) for _ in range(_ENTROPY))
    return body + _checksum(body)


def parse_key(key: str) -> KeyShape | None:
    """Kind and mode of a well-formed key; None for anything else."""
    if len(key) != _PREFIX_LENGTH + _ENTROPY + _CHECKSUM or not key.isascii():
        return None
    shape = _PREFIXES.get(key[:_PREFIX_LENGTH])
    if shape is None or key[-_CHECKSUM:] != _checksum(key[:-_CHECKSUM]):
        return None
    return KeyShape(*shape)


def digest_key(key: str) -> bytes:
    """What is stored instead of the key. 190 bits of entropy need no slow hash."""
    return hashlib.sha256(key.encode()).digest()


def last_four(key: str) -> str:
    return key[-4:]


def _checksum(body: str) -> str:
    number, digits = zlib.crc32(body.encode()), ""
    for _ in range(_CHECKSUM):
        number, digit = divmod(number, 62)
        digits = _BASE62[digit] + digits
    return digits

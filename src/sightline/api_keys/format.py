"""The format of a key: a prefix that says which API it is for, 32 random characters and a checksum.

The checksum lets us refuse a mistyped or invented key without reading the database.
"""

import hashlib
import secrets
import string
import zlib
from typing import Literal

import msgspec

KeyKind = Literal["console", "data"]

_BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
_RANDOM_LENGTH = 32
_CHECKSUM_LENGTH = 6
_PREFIXES: dict[str, tuple[KeyKind, bool]] = {
    "sk_live_": ("console", True),
    "sk_test_": ("console", False),
    "dk_live_": ("data", True),
}
_PREFIX_LENGTH = 8


class KeyFormat(msgspec.Struct, frozen=True):
    kind: KeyKind
    livemode: bool


def make_key(kind: KeyKind, *, livemode: bool) -> str:
    prefix = next(text for text, key_format in _PREFIXES.items() if key_format == (kind, livemode))
    body = prefix + "".join(secrets.choice(_BASE62) for _ in range(_RANDOM_LENGTH))
    return body + _checksum(body)


def parse_key(key: str) -> KeyFormat | None:
    """Return the kind and mode of a well-formed key; None for anything else."""
    if len(key) != _PREFIX_LENGTH + _RANDOM_LENGTH + _CHECKSUM_LENGTH or not key.isascii():
        return None
    key_format = _PREFIXES.get(key[:_PREFIX_LENGTH])
    if key_format is None or key[-_CHECKSUM_LENGTH:] != _checksum(key[:-_CHECKSUM_LENGTH]):
        return None
    return KeyFormat(*key_format)


def digest_key(key: str) -> bytes:
    """Return the hash that is stored instead of the key. 190 bits of entropy need no slow hash."""
    return hashlib.sha256(key.encode()).digest()


def last_four(key: str) -> str:
    return key[-4:]


def _checksum(body: str) -> str:
    number, digits = zlib.crc32(body.encode()), ""
    for _ in range(_CHECKSUM_LENGTH):
        number, digit = divmod(number, 62)
        digits = _BASE62[digit] + digits
    return digits

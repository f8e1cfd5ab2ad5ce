"""Recovery codes: ten codes of 120 random bits, each of which replaces a lost factor once. Only hashes are stored."""

import base64
import hashlib
import re
import secrets

COUNT = 10
_BYTES = 15
_GROUP = 6
_LENGTH = 24


def make_codes() -> list[str]:
    return [_make_code() for _ in range(COUNT)]


def _make_code() -> str:
    text = base64.b32encode(secrets.token_bytes(_BYTES)).decode().lower()
    return "-".join(text[start : start + _GROUP] for start in range(0, len(text), _GROUP))


def clean_code(text: str) -> str:
    """Return a code as it is compared: spaces, hyphens and capitals do not matter."""
    return re.sub(r"[\s-]", "", text).lower()


def is_recovery_code(cleaned: str) -> bool:
    return len(cleaned) == _LENGTH


def digest_code(code: str) -> bytes:
    return hashlib.sha256(clean_code(code).encode()).digest()

"""The secret part of an invitation's link. Only its hash is stored."""

import hashlib
import secrets

_PREFIX = "in_"


def make_token() -> str:
    return _PREFIX + secrets.token_urlsafe(32)


def digest_token(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()

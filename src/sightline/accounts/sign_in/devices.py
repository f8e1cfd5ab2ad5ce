"""Browsers that signed in to an account before. A signed cookie proves it; nothing is stored.

The signature covers the stored password hash, so a cookie ends when the password changes.
"""

import hashlib
import hmac
import uuid
from datetime import datetime, timedelta

from sightline.accounts.sign_in import queries
from sightline.db.engine import Reader

LIFETIME = timedelta(days=180)
_MAX_LENGTH = 200


async def make_device_token(db: Reader, user_id: uuid.UUID, signing_key: bytes, *, now: datetime) -> str:
    """Return the value of the cookie for a browser in which the user has just signed in."""
    issued = int(now.timestamp())
    stored = await queries.find_password_hash(db, user_id) or ""
    return f"{user_id.hex}.{issued}.{_sign(user_id, issued, stored, signing_key)}"


async def is_known_device(db: Reader, email: str, token: str | None, signing_key: bytes, *, now: datetime) -> bool:
    """Return whether the cookie was set when this account signed in, at most 180 days ago with today's password."""
    if token is None or len(token) > _MAX_LENGTH:
        return False
    name, _, rest = token.partition(".")
    issued, _, signature = rest.partition(".")
    found = await queries.find_credentials(db, email)
    if found is None or found[0].hex != name or not issued.isascii() or not issued.isdigit() or len(issued) > 12:
        return False
    expected = _sign(found[0], int(issued), found[1], signing_key)
    is_recent = now.timestamp() - int(issued) <= LIFETIME.total_seconds()
    return is_recent and hmac.compare_digest(expected.encode(), signature.encode())


def _sign(user_id: uuid.UUID, issued: int, password_hash: str, signing_key: bytes) -> str:
    text = f"device\0{user_id.hex}\0{issued}\0{hashlib.sha256(password_hash.encode()).hexdigest()}"
    return hmac.digest(signing_key, text.encode(), "sha256").hex()

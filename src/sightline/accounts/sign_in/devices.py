"""Browsers that signed in to an account before. A signed cookie proves it; nothing is stored.

The signature covers the stored password hash, so a cookie ends when the password changes.
"""

import hashlib
import re
import uuid
from datetime import datetime, timedelta

from sightline.accounts.sign_in import queries
from sightline.db.engine import Reader
from sightline.kit.signing import Signer

LIFETIME = timedelta(days=180)
_PURPOSE = b"device"
_CONTENT = re.compile(rb"(?P<user>[0-9a-f]{32})\.(?P<issued>[0-9]{1,12})")


async def make_device_token(db: Reader, user_id: uuid.UUID, signing_key: bytes, *, now: datetime) -> str:
    """Return the value of the cookie for a browser in which the user has just signed in."""
    stored = await queries.find_password_hash(db, user_id) or ""
    content = f"{user_id.hex}.{int(now.timestamp())}".encode()
    return Signer(_PURPOSE, signing_key).sign(content, _digest(stored))


async def is_known_device(db: Reader, email: str, token: str | None, *signing_keys: bytes, now: datetime) -> bool:
    """Return whether the cookie was set when this account signed in, at most 180 days ago with today's password."""
    found = await queries.find_credentials(db, email) if token is not None else None
    if token is None or found is None:
        return False
    user_id, stored = found
    content = _CONTENT.fullmatch(Signer(_PURPOSE, *signing_keys).open(token, _digest(stored)) or b"")
    if content is None or content["user"].decode() != user_id.hex:
        return False
    return now.timestamp() - int(content["issued"]) <= LIFETIME.total_seconds()


def _digest(password_hash: str) -> bytes:
    return hashlib.sha256(password_hash.encode()).digest()

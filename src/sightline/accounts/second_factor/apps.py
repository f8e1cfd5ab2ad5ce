"""Authenticator apps: their keys, sealed at rest, and the six digits that they show, each of which is accepted once."""

import hmac
import uuid
from datetime import datetime

import pyotp

from sightline.accounts.second_factor import queries
from sightline.db.engine import Transaction
from sightline.kit.sealing import Sealer, SecretUnreadable
from sightline.settings import Settings

_PURPOSE = b"sightline second factors 1"
_WINDOW = (-1, 0, 1)  # steps of 30 seconds, for clocks that differ


def build_sealer(settings: Settings) -> Sealer:
    return Sealer(_PURPOSE, *settings.signing_keys)


def make_key() -> str:
    return pyotp.random_base32()


def build_uri(key: str, email: str) -> str:
    """Return the address that an app reads from the QR code."""
    return pyotp.TOTP(key).provisioning_uri(name=email, issuer_name="Sightline")


def seal_key(settings: Settings, key: str, user_id: uuid.UUID, factor_id: uuid.UUID) -> bytes:
    return build_sealer(settings).seal(key.encode(), user_id.bytes + factor_id.bytes)


def find_step(key: str, code: str, *, now: datetime) -> int | None:
    """Return the time step whose code this is; None for any other code."""
    totp, found = pyotp.TOTP(key), None
    for offset in _WINDOW:
        if hmac.compare_digest(totp.at(now, counter_offset=offset).encode(), code.encode()):
            found = totp.timecode(now) + offset
    return found


async def use_code(tx: Transaction, settings: Settings, user_id: uuid.UUID, code: str, *, now: datetime) -> bool:
    """Return whether this is a code of the person's app that was not used before, and note its use."""
    app = await queries.lock_app(tx, user_id)
    if app is None:
        return False
    try:
        key = build_sealer(settings).open(app.secret, user_id.bytes + app.id.bytes).decode()
    except SecretUnreadable:  # the key of the installation was changed: passkeys and recovery codes still work
        return False
    step = find_step(key, code, now=now)
    if step is None or step <= app.counter:
        return False
    await queries.note_use(tx, user_id, app.id, step, now=now)
    return True


async def reseal_apps(tx: Transaction, settings: Settings) -> tuple[int, int, int]:
    """Seal every key of an app with the current key of the installation.

    Return how many were sealed again, were current before, and cannot be opened. The last ones stay as they are.
    """
    sealer, resealed, current, unreadable = build_sealer(settings), 0, 0, 0
    for user_id, factor_id, sealed in await queries.lock_app_secrets_any_workspace(tx):
        row = user_id.bytes + factor_id.bytes
        if sealer.is_current(sealed, row):
            current += 1
            continue
        try:
            key = sealer.open(sealed, row)
        except SecretUnreadable:
            unreadable += 1
            continue
        await queries.set_secret(tx, user_id, factor_id, sealer.seal(key, row))
        resealed += 1
    return resealed, current, unreadable

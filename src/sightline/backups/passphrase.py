"""Sealing the installation's keys with a passphrase: argon2id, then AES-256-GCM.

The seal also covers the manifest, and the manifest has the checksum of the dump. A key that opens therefore proves
that nobody without the passphrase has changed the backup.
"""

import os
from base64 import b64decode, b64encode

import msgspec
from argon2.exceptions import HashingError
from argon2.low_level import Type, hash_secret_raw
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from sightline.backups.models import BackupError, InstallationKeys

MIN_LENGTH = 12
_MAX_MEMORY_KIB, _MAX_TIME_COST, _MAX_PARALLELISM = 1_048_576, 16, 16


class SealedKeys(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of `secret_key.json` in a backup. Bytes are in Base64."""

    time_cost: int = 3
    memory_kib: int = 65_536
    parallelism: int = 4
    salt: str
    nonce: str
    sealed: str


def require_passphrase(passphrase: str) -> str:
    if len(passphrase) < MIN_LENGTH:
        raise BackupError(f"The passphrase of backups must have {MIN_LENGTH} characters or more.")
    return passphrase


def seal_keys(keys: InstallationKeys, passphrase: str, manifest: bytes) -> bytes:
    """Return the contents of `secret_key.json`."""
    salt, nonce = os.urandom(16), os.urandom(12)
    draft = SealedKeys(salt=b64encode(salt).decode(), nonce=b64encode(nonce).decode(), sealed="")
    cipher = AESGCM(_derive(draft, salt, require_passphrase(passphrase)))
    sealed = cipher.encrypt(nonce, msgspec.json.encode(keys), manifest)
    return msgspec.json.encode(msgspec.structs.replace(draft, sealed=b64encode(sealed).decode()))


def open_keys(document: bytes, passphrase: str, manifest: bytes) -> InstallationKeys:
    """Return the keys. Refuses a wrong passphrase and a manifest that was changed, without saying which."""
    try:
        stored = msgspec.json.decode(document, type=SealedKeys)
        salt, nonce, sealed = (b64decode(part, validate=True) for part in (stored.salt, stored.nonce, stored.sealed))
        cipher = AESGCM(_derive(stored, salt, passphrase))
        return msgspec.json.decode(cipher.decrypt(nonce, sealed, manifest), type=InstallationKeys)
    except InvalidTag:
        raise BackupError("The passphrase is wrong, or the backup was changed after it was written.") from None
    except (ValueError, msgspec.MsgspecError) as error:
        raise BackupError(f"The sealed key in the backup cannot be read: {error}.") from error


def _derive(stored: SealedKeys, salt: bytes, passphrase: str) -> bytes:
    """Derive the key from a passphrase. A file that asks for absurd amounts of memory or time is refused."""
    if (
        stored.memory_kib > _MAX_MEMORY_KIB
        or stored.time_cost > _MAX_TIME_COST
        or stored.parallelism > _MAX_PARALLELISM
    ):
        raise ValueError("it asks for too much memory or time")
    try:
        return hash_secret_raw(
            passphrase.encode(),
            salt,
            time_cost=stored.time_cost,
            memory_cost=stored.memory_kib,
            parallelism=stored.parallelism,
            hash_len=32,
            type=Type.ID,
        )
    except HashingError as error:
        raise ValueError(str(error)) from error

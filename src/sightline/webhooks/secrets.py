"""Signing secrets: made, and sealed at rest. Sealed ones are worth nothing without the installation's key, and nothing
in the row of another endpoint."""

import base64
import os
import secrets
import uuid

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

PREFIX = "whsec_"
_SECRET_BYTES = 32
_NONCE_BYTES = 12
_FORM = b"\x01"  # of what is stored, so that another way of sealing can tell the old one
_PURPOSE = b"sightline webhook secrets 1"


class SecretUnreadable(Exception):
    """A sealed secret does not open: the installation's key has changed, or the row was tampered with."""


def make_secret() -> bytes:
    return secrets.token_bytes(_SECRET_BYTES)


def format_secret(secret: bytes) -> str:
    """The form in which customers, and the libraries that verify signatures, know it."""
    return PREFIX + base64.b64encode(secret).decode()


class SecretBox:
    """Seals and opens with a key that is derived from the installation's for this purpose alone."""

    def __init__(self, signing_key: bytes) -> None:
        derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=_PURPOSE).derive(signing_key)
        self._cipher = AESGCM(derived)

    def seal(self, secret: bytes, workspace_id: uuid.UUID, endpoint_id: uuid.UUID) -> bytes:
        nonce = os.urandom(_NONCE_BYTES)
        return _FORM + nonce + self._cipher.encrypt(nonce, secret, workspace_id.bytes + endpoint_id.bytes)

    def open(self, sealed: bytes, workspace_id: uuid.UUID, endpoint_id: uuid.UUID) -> bytes:
        nonce, content = sealed[1 : 1 + _NONCE_BYTES], sealed[1 + _NONCE_BYTES :]
        if sealed[:1] != _FORM:
            raise SecretUnreadable("the secret is stored in an unknown form")
        try:
            return self._cipher.decrypt(nonce, content, workspace_id.bytes + endpoint_id.bytes)
        except (InvalidTag, ValueError) as error:
            raise SecretUnreadable("the secret does not open with this installation's key") from error

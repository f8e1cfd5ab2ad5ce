"""Signing secrets: making them, and encrypting them at rest.

An encrypted secret is useless without the key of the installation, and in the row of another endpoint.
"""

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
_FORMAT = b"\x01"  # the version of the stored form, so that a later one can be told apart
_PURPOSE = b"sightline webhook secrets 1"


class SecretUnreadable(Exception):
    """A stored secret cannot be decrypted: the key of the installation changed, or the row was tampered with."""


def make_secret() -> bytes:
    return secrets.token_bytes(_SECRET_BYTES)


def format_secret(secret: bytes) -> str:
    """Return the form that customers and verification libraries use."""
    return PREFIX + base64.b64encode(secret).decode()


class SecretBox:
    """Encrypts and decrypts secrets with a key derived from the installation's for this purpose only.

    Former keys of the installation decrypt, too; they never encrypt.
    """

    def __init__(self, signing_key: bytes, *former_keys: bytes) -> None:
        self._cipher, *self._former_ciphers = (_build_cipher(key) for key in (signing_key, *former_keys))

    def seal(self, secret: bytes, workspace_id: uuid.UUID, endpoint_id: uuid.UUID) -> bytes:
        nonce = os.urandom(_NONCE_BYTES)
        return _FORMAT + nonce + self._cipher.encrypt(nonce, secret, workspace_id.bytes + endpoint_id.bytes)

    def open(self, sealed: bytes, workspace_id: uuid.UUID, endpoint_id: uuid.UUID) -> bytes:
        if sealed[:1] != _FORMAT:
            raise SecretUnreadable("the secret is stored in an unknown format")
        for cipher in (self._cipher, *self._former_ciphers):
            secret = _decrypt(cipher, sealed, workspace_id, endpoint_id)
            if secret is not None:
                return secret
        raise SecretUnreadable("the secret cannot be decrypted with this installation's key")

    def is_current(self, sealed: bytes, workspace_id: uuid.UUID, endpoint_id: uuid.UUID) -> bool:
        """Return whether the secret is sealed with the current key of the installation."""
        return sealed[:1] == _FORMAT and _decrypt(self._cipher, sealed, workspace_id, endpoint_id) is not None


def _build_cipher(key: bytes) -> AESGCM:
    return AESGCM(HKDF(algorithm=SHA256(), length=32, salt=None, info=_PURPOSE).derive(key))


def _decrypt(cipher: AESGCM, sealed: bytes, workspace_id: uuid.UUID, endpoint_id: uuid.UUID) -> bytes | None:
    nonce, content = sealed[1 : 1 + _NONCE_BYTES], sealed[1 + _NONCE_BYTES :]
    try:
        return cipher.decrypt(nonce, content, workspace_id.bytes + endpoint_id.bytes)
    except (InvalidTag, ValueError):
        return None

"""Signing secrets: making them, and encrypting them at rest.

An encrypted secret is useless without the key of the installation, and in the row of another endpoint.
"""

import base64
import secrets
import uuid

from sightline.kit.sealing import Sealer, SecretUnreadable

__all__ = ["PREFIX", "SecretBox", "SecretUnreadable", "format_secret", "make_secret"]

PREFIX = "whsec_"
_SECRET_BYTES = 32
_PURPOSE = b"sightline webhook secrets 1"


def make_secret() -> bytes:
    return secrets.token_bytes(_SECRET_BYTES)


def format_secret(secret: bytes) -> str:
    """Return the form that customers and verification libraries use."""
    return PREFIX + base64.b64encode(secret).decode()


class SecretBox:
    """Encrypts and decrypts the secrets of webhook endpoints."""

    def __init__(self, signing_key: bytes, *former_keys: bytes) -> None:
        self._sealer = Sealer(_PURPOSE, signing_key, *former_keys)

    def seal(self, secret: bytes, workspace_id: uuid.UUID, endpoint_id: uuid.UUID) -> bytes:
        return self._sealer.seal(secret, workspace_id.bytes + endpoint_id.bytes)

    def open(self, sealed: bytes, workspace_id: uuid.UUID, endpoint_id: uuid.UUID) -> bytes:
        return self._sealer.open(sealed, workspace_id.bytes + endpoint_id.bytes)

    def is_current(self, sealed: bytes, workspace_id: uuid.UUID, endpoint_id: uuid.UUID) -> bool:
        """Return whether the secret is sealed with the current key of the installation."""
        return self._sealer.is_current(sealed, workspace_id.bytes + endpoint_id.bytes)

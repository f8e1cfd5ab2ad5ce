"""Encrypting secrets at rest with a key that is derived from the installation's for one purpose."""

import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

_NONCE_BYTES = 12
_FORMAT = b"\x01"  # the version of the stored form, so that a later one can be distinguished


class SecretUnreadable(Exception):
    """A stored secret cannot be decrypted: the key of the installation changed, or the row was tampered with."""


class Sealer:
    """Encrypts and decrypts secrets. Former keys of the installation decrypt, too; they never encrypt.

    A secret is bound to the row that it belongs to: in another row it cannot be decrypted.
    """

    def __init__(self, purpose: bytes, signing_key: bytes, *former_keys: bytes) -> None:
        self._cipher, *self._former_ciphers = (_build_cipher(key, purpose) for key in (signing_key, *former_keys))

    def seal(self, secret: bytes, row: bytes) -> bytes:
        nonce = os.urandom(_NONCE_BYTES)
        return _FORMAT + nonce + self._cipher.encrypt(nonce, secret, row)

    def open(self, sealed: bytes, row: bytes) -> bytes:
        if sealed[:1] != _FORMAT:
            raise SecretUnreadable("the secret is stored in an unknown format")
        for cipher in (self._cipher, *self._former_ciphers):
            secret = _decrypt(cipher, sealed, row)
            if secret is not None:
                return secret
        raise SecretUnreadable("the secret cannot be decrypted with this installation's key")

    def is_current(self, sealed: bytes, row: bytes) -> bool:
        """Return whether the secret is sealed with the current key of the installation."""
        return sealed[:1] == _FORMAT and _decrypt(self._cipher, sealed, row) is not None


def _build_cipher(key: bytes, purpose: bytes) -> AESGCM:
    return AESGCM(HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose).derive(key))


def _decrypt(cipher: AESGCM, sealed: bytes, row: bytes) -> bytes | None:
    nonce, content = sealed[1 : 1 + _NONCE_BYTES], sealed[1 + _NONCE_BYTES :]
    try:
        return cipher.decrypt(nonce, content, row)
    except (InvalidTag, ValueError):
        return None

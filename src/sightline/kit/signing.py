"""Short signed texts: cursors, quotes, the cookie of a known browser, CSRF tokens. Anybody can read what they contain.

A text is valid for one purpose and one context, such as a list of one workspace. The context is not in the text.
"""

import base64
import binascii
import hmac

_SIGNATURE_BYTES = 16


class Signer:
    """Signs texts with the key of the installation. Texts that a former key signed are still valid."""

    def __init__(self, purpose: bytes, signing_key: bytes, *former_keys: bytes) -> None:
        self._purpose = purpose
        self._keys = (signing_key, *former_keys)

    def sign(self, content: bytes, context: bytes = b"") -> str:
        return _encode(self._build_signature(content, context, self._keys[0]) + content)

    def open(self, text: str, context: bytes = b"") -> bytes | None:
        """Return the content; None for a text that is damaged, forged, or signed for another purpose or context."""
        try:
            raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            return None
        signature, content = raw[:_SIGNATURE_BYTES], raw[_SIGNATURE_BYTES:]
        if _encode(raw) != text:  # base64 can write the same bytes in several ways; only ours is valid
            return None
        expected = (self._build_signature(content, context, key) for key in self._keys)
        return content if any(hmac.compare_digest(signature, each) for each in expected) else None

    def _build_signature(self, content: bytes, context: bytes, key: bytes) -> bytes:
        signed = b"%b\0%d\0%b%b" % (self._purpose, len(context), context, content)
        return hmac.digest(key, signed, "sha256")[:_SIGNATURE_BYTES]


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")

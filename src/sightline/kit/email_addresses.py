"""The one rule for e-mail addresses, for accounts and for everything that is sent."""

import re

_MAX_LENGTH = 254
# Characters without a special meaning in an e-mail header. A comma or a semicolon would begin another recipient.
_LOCAL = r"[^\s@,;:<>()\[\]\"\\.]+"
_LABEL = r"\w(?:[\w-]{0,61}\w)?"
_ADDRESS = re.compile(rf"{_LOCAL}(?:\.{_LOCAL})*@{_LABEL}(?:\.{_LABEL})+")


def is_email_address(text: str) -> bool:
    """Return whether the text is one address that e-mail can be sent to. Only its server knows whether it exists.

    Letters beyond ASCII are fine. Quoted names, comments, addresses of hosts in brackets and hosts without a dot are
    not: hardly anybody has such an address, and each of them has misled a mail program.
    """
    name = text.partition("@")[0]
    return len(text) <= _MAX_LENGTH and len(name) <= 64 and text.isprintable() and bool(_ADDRESS.fullmatch(text))

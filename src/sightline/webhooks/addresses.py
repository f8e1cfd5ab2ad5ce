"""Which addresses a customer may register.

Names are not resolved here: their addresses are checked every time a connection is made.
"""

import re

from sightline.errors import Problem, invalid_fields
from sightline.http.egress import EgressGuard, EgressRefused, is_loopback_host
from sightline.settings import Settings

# ASCII digits only: a port in other digits would look different from what it means. No user name, no password.
_PLAIN = re.compile(r"https?://(?:[^/?#@:\[\]\s]+|\[[0-9a-fA-F:.]+\])(?::[0-9]{1,5})?(?:[/?]\S*)?", re.IGNORECASE)


def build_webhook_guard(settings: Settings) -> EgressGuard:
    return EgressGuard(https_only=True, allow_loopback=settings.webhook_allow_loopback)


def clean_url(text: str, guard: EgressGuard) -> str:
    """Return the normalized address. Refused: one that may not be contacted (422 `invalid_webhook_url`)."""
    if "#" in text:
        raise refuse_url("must not have a fragment")
    if not _PLAIN.fullmatch(text):
        raise refuse_url("must be an absolute https URL without a user name, a password or white space")
    try:
        url = guard.require_url(text)
    except EgressRefused as refused:
        raise refuse_url(str(refused)) from refused
    host = url.raw_host or ""
    if "." not in host and ":" not in host and not is_loopback_host(host):
        raise refuse_url("a single label is not a public host")
    if is_loopback_host(host) and not guard.allow_loopback:
        raise refuse_url("the address is not a public one")
    return str(url)


def refuse_url(message: str) -> Problem:
    """Return the refusal of an address (422)."""
    return invalid_fields(("url", message, "invalid_webhook_url"), problem="invalid_webhook_url")

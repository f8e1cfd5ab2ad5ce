"""The spend guard: quotes that a preview issues and a submission needs, and how much a key may spend in a day.

A quote is signed, bound to key, workspace and content, and expires after ten minutes. Over HTTP it is signed with the
keys of the installation, so that every process accepts it. Over stdio the process does not have these keys: it signs
with a key that it makes at its start, and accepts only its own quotes.
"""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import msgspec
from mcp.server.mcpserver.exceptions import ToolError

from sightline.kit.clock import Clock
from sightline.kit.ids import new_id
from sightline.kit.signing import Signer

QUOTE_LIFETIME = timedelta(minutes=10)
REFERENCES = "mcp:"
"""What the references of all scans that assistants submit begin with."""


class SpendLimits(msgspec.Struct, frozen=True):
    """Credits that assistants may spend."""

    per_quote: int
    per_day: int
    """In one day (UTC): over HTTP with one key and all keys that it created, over stdio in one workspace."""


class ScanQuote(msgspec.Struct, frozen=True, kw_only=True):
    """The price of one scan for one key."""

    id: str
    caller: str
    """Who asked for it: over HTTP the id of the key, which outlives a rotation; over stdio a digest of the key."""
    workspace: str
    content: str
    """Digest of what would be submitted."""
    credits: int
    summary: str
    expires_at: int

    @property
    def idempotency_key(self) -> str:
        """Return the key that the submission is sent with, so that a second use has no second effect."""
        return f"mcp-quote-{self.id}"

    @property
    def reference(self) -> str:
        """Return what the scan is stored with, so that the credits of a day can be counted."""
        return f"{build_reference_prefix(self.caller)}{self.id}"


class SpendGuard:
    """Issues and accepts the quotes of one caller."""

    def __init__(
        self,
        caller: str,
        workspace: str,
        signing_keys: Sequence[bytes],
        limits: SpendLimits,
        clock: Clock,
        *,
        livemode: bool,
    ) -> None:
        self._caller = caller
        self.livemode = livemode
        self._workspace = workspace
        self._signer = Signer(b"mcp_quote", *signing_keys)
        self._clock = clock
        self.limits = limits

    def issue(self, content: Mapping[str, Any], credit_count: int, summary: str) -> tuple[str, ScanQuote]:
        """Return a new quote, signed and decoded. Refused: more credits than one quote may have."""
        self._require_within_limit(credit_count)
        quote = ScanQuote(
            id=str(new_id()),
            caller=self._caller,
            workspace=self._workspace,
            content=digest_content(content),
            credits=credit_count,
            summary=summary,
            expires_at=int((self._clock() + QUOTE_LIFETIME).timestamp()),
        )
        return self._signer.sign(msgspec.json.encode(quote)), quote

    def accept(self, text: str, content: Mapping[str, Any]) -> ScanQuote:
        """Return the quote that a signed text contains.

        Refused: a damaged quote, one of another key or workspace, an expired one, and one for another scan.
        """
        signed = self._signer.open(text)
        quote = None if signed is None else msgspec.json.decode(signed, type=ScanQuote)
        if quote is None or (quote.caller, quote.workspace) != (self._caller, self._workspace):
            raise ToolError("This quote is not valid for this key. Call preview_scan, and send its quote unchanged.")
        if quote.expires_at <= self._clock().timestamp():
            raise ToolError("This quote has expired. Quotes are valid for ten minutes. Call preview_scan again.")
        if quote.content != digest_content(content):
            raise ToolError(
                "This quote is for another scan. Send the same domain_id, keywords and platforms as to "
                "preview_scan, or preview the new scan."
            )
        self._require_within_limit(quote.credits)
        return quote

    def _require_within_limit(self, credit_count: int) -> None:
        if credit_count > self.limits.per_quote:
            raise ToolError(
                f"This scan costs {credit_count} credits. Assistants may submit scans of at most "
                f"{self.limits.per_quote}: choose fewer platforms, or submit it in the Console."
            )


def shorten_digest(digest: bytes) -> str:
    """Return the name of a caller of whom only the secret of the key is known."""
    return digest.hex()[:16]


def build_reference_prefix(caller: str) -> str:
    return f"{REFERENCES}{caller}:"


def describe_day_limit(limits: SpendLimits, spent: int, scope: str) -> str:
    return (
        f"Assistants may spend {limits.per_day} credits {scope} in a day, and {spent} are spent. Submit the scan "
        "in the Console, or wait until tomorrow (UTC)."
    )


def digest_content(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(msgspec.json.encode(content, order="sorted")).hexdigest()

"""Classifies replies that are not an answer.

Providers share a few error formats; differences are in their modules. Messages are for operators. They never contain an
address (one vendor's key is part of it) or anything that looks like a key, and what a provider says about credentials
is not repeated at all.
"""

import math
import re
from collections.abc import Callable
from email.utils import parsedate_to_datetime

import msgspec

from sightline.platforms.models import FaultKind, HttpReply, PlatformFault
from sightline.platforms.payload import ABSENT, read, read_members

_MONEY_CODES = frozenset(
    {
        "insufficient_quota",
        "insufficient_funds",
        "insufficient_balance",
        "billing_error",
        "billing_hard_limit_reached",
        "billing_not_active",
        "payment_required",
    }
)
# Whole phrases: a mere "billing" also stands in OpenAI's advice on how to raise a rate limit.
_MONEY_WORDS = re.compile(
    r"credit balance is too low|exceeded your current quota|insufficient (?:balance|funds|credits?|quota)"
    r"|run out of searches|searches for the month|used all available credits|(?:monthly )?spending limit"
    r"|(?:specified|workspace) api usage limits|have any credits|payment required",
    re.IGNORECASE,
)
_KEY_WORDS = re.compile(
    r"(?:incorrect|invalid|expired|missing|no valid) api key|api key (?:not valid|expired|not found)|api_key_invalid"
    r"|invalid x-api-key",
    re.IGNORECASE,
)
_LINK = re.compile(r"\S+://\S+|\bwww\.\S+")
_KEYLIKE = re.compile(
    r"\b(?:sk|xai|pplx)[-_][\w*-]{4,}|\bAIza[\w-]{8,}|\b(?:bearer|basic)\s+\S+|\bapi_key=\S*"
    r"|(?=[A-Za-z+/=]*\d)[A-Za-z0-9+/=]{20,}",
    re.IGNORECASE,
)
# A provider's sentence is a line or two. The patterns above take quadratic time, so a megabyte in place of a sentence
# would block the whole process.
_LONGEST_SENTENCE = 2_000
_MAX_ERRORS = 10
_STATUS: dict[int, FaultKind] = {
    401: "unauthorised",
    402: "no_money",
    403: "unauthorised",
    407: "unauthorised",
    408: "timeout",
    425: "unavailable",
    429: "rate_limited",
}


class ErrorText(msgspec.Struct, frozen=True):
    """What an error reply says: its codes in lower case (whatever the provider calls them), and its message."""

    codes: frozenset[str] = frozenset()
    message: str = ""


class _Body(msgspec.Struct):
    error: msgspec.Raw = ABSENT
    errors: msgspec.Raw = ABSENT
    message: msgspec.Raw = ABSENT
    msg: msgspec.Raw = ABSENT
    detail: msgspec.Raw = ABSENT
    details: msgspec.Raw = ABSENT
    code: msgspec.Raw = ABSENT
    type: msgspec.Raw = ABSENT
    status: msgspec.Raw = ABSENT
    reason: msgspec.Raw = ABSENT
    status_code: msgspec.Raw = ABSENT
    status_message: msgspec.Raw = ABSENT


def read_fault(reply: HttpReply) -> PlatformFault:
    """Return the fault behind a reply that is not 2xx. Never raises."""
    return classify_fault(reply, says_no_money)


def classify_fault(reply: HttpReply, is_money: Callable[[ErrorText], bool]) -> PlatformFault:
    """Return the fault as `read_fault` does, with the provider's own test for an exhausted balance."""
    error = read_error(reply.body)
    kind: FaultKind = _STATUS.get(reply.status) or ("unavailable" if reply.status >= 500 else "rejected")
    # Some providers answer 400 to a wrong key, and 401 or 403 to an empty account.
    if kind != "unavailable" and is_money(error):
        kind = "no_money"
    elif kind == "rejected" and (_KEY_WORDS.search(error.message) or "api_key_invalid" in error.codes):
        kind = "unauthorised"
    return PlatformFault(kind, describe(f"HTTP {reply.status}", kind, error), retry_after=read_retry_after(reply))


def read_embedded_fault(error: ErrorText, *, otherwise: FaultKind = "unavailable") -> PlatformFault:
    """Return the fault behind an error inside a 200 reply."""
    kind = otherwise
    if says_no_money(error):
        kind = "no_money"
    elif any("rate_limit" in code or code == "too_many_requests" for code in error.codes):
        kind = "rate_limited"
    elif any(code.startswith(("invalid_prompt", "invalid_request", "content_")) for code in error.codes):
        kind = "rejected"
    elif any("authentication" in code or "permission" in code for code in error.codes) or _KEY_WORDS.search(
        error.message
    ):
        kind = "unauthorised"
    return PlatformFault(kind, describe("an error inside of the answer", kind, error))


def says_no_money(error: ErrorText) -> bool:
    return bool(error.codes & _MONEY_CODES or _MONEY_WORDS.search(error.message))


def describe(what: str, kind: FaultKind, error: ErrorText) -> str:
    if kind == "unauthorised":
        return f"{what}: the credentials are refused"
    code = " ".join(sorted(code for code in error.codes if re.fullmatch(r"[a-z0-9_. -]{2,40}", code)))
    return ": ".join(part for part in (what, clean_message(code), clean_message(error.message)) if part)


def clean_message(message: str) -> str:
    """Return a provider's message without addresses and without anything that looks like a key."""
    if len(message) > _LONGEST_SENTENCE:
        message = message[:_LONGEST_SENTENCE].rpartition(" ")[0]  # half a key would not look like one
    message = _KEYLIKE.sub("[…]", _LINK.sub("[link]", message))
    return " ".join("".join(each if each.isprintable() else " " for each in message).split())[:300]


def read_error(body: bytes) -> ErrorText:
    body = body.strip()
    if body in {b"", b"null"}:  # a reply without an error
        return ErrorText()
    raw = msgspec.Raw(body)
    listed = read_members(raw)
    return _read_error(listed[0] if listed else raw, depth=3)


def _read_error(raw: msgspec.Raw, depth: int) -> ErrorText:
    sentence = read(raw, str)
    if sentence is not None:
        return ErrorText(message=sentence)
    found = read(raw, _Body)
    if found is None or depth == 0:
        return ErrorText()
    named = (found.code, found.type, found.status, found.reason, found.status_code)
    codes = {str(code).lower() for each in named if (code := read(each, str) or read(each, int))}
    messages = [text for each in (found.message, found.msg, found.status_message) if (text := read(each, str))]
    listed = (each for raw in (found.detail, found.details, found.errors) for each in read_members(raw)[:_MAX_ERRORS])
    for inner in (_read_error(each, depth - 1) for each in (found.error, found.detail, *listed)):
        codes |= inner.codes
        messages += [inner.message] if inner.message else []
    return ErrorText(frozenset(codes), ". ".join(dict.fromkeys(messages)))


def read_retry_after(reply: HttpReply) -> float | None:
    """Return the seconds to wait, from seconds or from an HTTP date.

    A date is compared with the reply's own clock, not with ours.
    """
    milliseconds = _seconds(reply.headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    given = reply.headers.get("retry-after", "")
    seconds = _seconds(given)
    if seconds is not None:
        return seconds
    try:
        wait = parsedate_to_datetime(given) - parsedate_to_datetime(reply.headers.get("date", ""))
    except (TypeError, ValueError, OverflowError):
        return None
    return max(0.0, wait.total_seconds())


def _seconds(text: str) -> float | None:
    try:
        seconds = float(text)
    except ValueError:
        return None
    return max(0.0, seconds) if math.isfinite(seconds) else None

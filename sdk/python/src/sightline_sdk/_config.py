"""How a client reaches the server: key, address, time limits."""

import os
import sys
from typing import Any

import httpx2
import msgspec

from sightline_sdk._calls import PREFIXES, ApiName, Call
from sightline_sdk._errors import ConfigurationError, WrongKeyKindError
from sightline_sdk._retries import RetryPolicy
from sightline_sdk._version import __version__

DEFAULT_BASE_URL = "http://127.0.0.1:8080"
DEFAULT_TIMEOUT = 60.0
DEFAULT_MAX_RETRIES = 8
_USER_AGENT = f"sightline-sdk/{__version__} python/{sys.version_info.major}.{sys.version_info.minor}"
_KINDS: dict[str, ApiName] = {"sk_": "console", "dk_": "data"}
_API_TITLES: dict[ApiName, str] = {"console": "Console API", "data": "Data API"}
_KEY_FORMS: dict[ApiName, str] = {"console": "sk_live_… or sk_test_…", "data": "dk_live_…"}


class Config(msgspec.Struct, frozen=True):
    api_key: str
    base_url: str
    timeout: float | httpx2.Timeout | None
    retries: RetryPolicy

    @property
    def kind(self) -> ApiName | None:
        """The API that the key opens. None for a key of a form that this version does not know."""
        return _KINDS.get(self.api_key[:3])

    def require_kind(self, call: Call) -> None:
        if self.kind is not None and self.kind != call.api:
            raise WrongKeyKindError(
                f"This method is part of the {_API_TITLES[call.api]}, which needs a key {_KEY_FORMS[call.api]}. "
                f"The client has a key for the {_API_TITLES[self.kind]}."
            )

    def to_request(self, call: Call) -> dict[str, Any]:
        """Return the arguments of `build_request` of either HTTP client. Refused: a call that the key cannot make."""
        self.require_kind(call)
        return {
            "method": call.method,
            "url": self.base_url + PREFIXES[call.api] + call.path,
            "params": dict(call.query) or None,
            "headers": {"X-API-Key": self.api_key, "User-Agent": _USER_AGENT, **call.headers},
            "content": call.body,
            "timeout": self.timeout if call.read_timeout is None else httpx2.Timeout(30.0, read=call.read_timeout),
        }

    def change(self, **changes: Any) -> "Config":
        return msgspec.structs.replace(self, **changes)


def read_config(
    api_key: str | None, base_url: str | None, timeout: float | httpx2.Timeout | None, max_retries: int
) -> Config:
    """Return the configuration. What is not given is read from SIGHTLINE_API_KEY and SIGHTLINE_BASE_URL."""
    key = api_key or os.environ.get("SIGHTLINE_API_KEY", "")
    if not key:
        raise ConfigurationError("An API key is missing: pass api_key, or set SIGHTLINE_API_KEY.")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ConfigurationError("The API key contains characters that no key has, such as a space or a line break.")
    address = (base_url or os.environ.get("SIGHTLINE_BASE_URL") or DEFAULT_BASE_URL).rstrip("/")
    if not address.startswith(("http://", "https://")):
        raise ConfigurationError(f"base_url must begin with http:// or https://, not {address!r}.")
    return Config(key, address, timeout, RetryPolicy(max_retries))

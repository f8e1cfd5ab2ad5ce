"""Running the server on stdin and stdout. Nothing but the protocol is written to stdout."""

import os
from contextlib import AsyncExitStack

from sightline.kit.clock import utc_now
from sightline.mcp.server import SightlineServer
from sightline.mcp.spending import SpendLimits
from sightline.mcp.stdio.sdk_methods import PROBES
from sightline.mcp.stdio.sdk_source import SdkSource
from sightline.settings import Settings
from sightline_sdk import AsyncSightline, AuthenticationError, SightlineError

CONSOLE_KEY = "SIGHTLINE_API_KEY"
DATA_KEY = "SIGHTLINE_DATA_KEY"
_RETRIES = 2


class StdioError(Exception):
    """Why the server does not start. The message says what to set."""


async def run_stdio(settings: Settings) -> None:
    """Serve until stdin ends. Refused: a missing, wrong or rejected key, and an unreachable server."""
    keys = {"data": _read_key(DATA_KEY, "dk_"), "console": _read_key(CONSOLE_KEY, "sk_")}
    if not any(keys.values()):
        raise StdioError(
            f"Set {DATA_KEY} to a Data key (dk_…), {CONSOLE_KEY} to a Console key (sk_…), or both, and "
            "SIGHTLINE_BASE_URL to the address of the server."
        )
    async with AsyncExitStack() as stack:
        clients = {
            kind: None if key is None else await stack.enter_async_context(_open_client(key, settings))
            for kind, key in keys.items()
        }
        limits = SpendLimits(settings.mcp_quote_credits, settings.mcp_daily_credits)
        source = SdkSource(clients["data"], clients["console"], keys["console"] or "", limits, utc_now)
        await _check_keys(source, settings)
        await SightlineServer(source).run_stdio_async()


def _open_client(key: str, settings: Settings) -> AsyncSightline:
    return AsyncSightline(key, base_url=settings.public_url, max_retries=_RETRIES)


def _read_key(name: str, prefix: str) -> str | None:
    key = os.environ.get(name, "").strip()
    if key and not key.startswith(prefix):
        raise StdioError(
            f"{name} must begin with {prefix}. A Data key (dk_…) goes into {DATA_KEY}, a Console key "
            f"(sk_…) into {CONSOLE_KEY}."
        )
    return key or None


async def _check_keys(source: SdkSource, settings: Settings) -> None:
    """Ask what the keys may do, so that a wrong key or address is reported at the start and not by the first tool."""
    try:
        for right in PROBES:
            await source.has_right(right)
    except AuthenticationError as refusal:
        raise StdioError(f"{settings.public_url} refuses a key ({refusal.title}): {refusal.detail}") from refusal
    except SightlineError as failure:
        raise StdioError(f"{settings.public_url} cannot be used: {failure} Set SIGHTLINE_BASE_URL.") from failure

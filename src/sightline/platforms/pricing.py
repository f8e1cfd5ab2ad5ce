"""Prices: those that the operator has set, which a call costs if the platform reports no cost, and list prices.

List prices only forecast: what was never asked costs what a usual answer does at the list price. Once a platform has
answered, its own calls say more.
"""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any

import msgspec

from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.models import PlatformConnection, Usage
from sightline.settings import SettingsError

# Neither negative nor infinite, which Python accepts in JSON.
Price = Annotated[float, msgspec.Meta(ge=0, le=1_000_000)]


class Prices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Prices in US dollars: tokens per million, searches per thousand."""

    input: Price = 0.0
    output: Price = 0.0
    search: Price = 0.0


USUAL_USAGE = Usage(8_000, 1_000, 1)
"""What an answer after one search uses, where nothing was measured: most of the input are the pages that were found."""
LIST_PRICES_READ_ON = date(2026, 11, 19)
# By vendor, and by model or, where the vendor sells requests, by platform. `docs/operate/platforms.md` has the sources.
_LIST_PRICES: Mapping[tuple[str, str], Prices] = {
    ("openai", "gpt-6.1-terra"): Prices(1.00, 5.00, 10.00),
    ("anthropic", "claude-sonnet-5-5"): Prices(2.00, 10.00, 10.00),
    ("google", "gemini-3.8-flash"): Prices(0.75, 3.75, 14.00),
    ("perplexity", "perplexity/sonar"): Prices(1.00, 1.00, 5.00),
    ("deepseek", "deepseek-flash"): Prices(0.30, 1.20),  # at peak hours; half of it at others
    ("dataforseo", "google_ai_mode"): Prices(search=4.00),
}


def find_list_prices(connection: PlatformConnection) -> Prices | None:
    """Return the list prices of what a connection asks; None where we know none, such as for another model."""
    by_model = _LIST_PRICES.get((connection.vendor, connection.model or ""))
    return by_model or _LIST_PRICES.get((connection.vendor, connection.platform))


def read_prices(table: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Prices]:
    """Read the operator's table. A wrong one stops the start rather than a scan."""
    known = {platform.key for platform in PLATFORMS}
    prices = {}
    for platform, fields in table.items():
        if platform not in known:
            raise SettingsError(f"SIGHTLINE_PLATFORM_PRICES names {platform!r}, which is not a platform.")
        try:
            prices[platform] = msgspec.convert(dict(fields), Prices)
        except msgspec.ValidationError as error:
            raise SettingsError(f"SIGHTLINE_PLATFORM_PRICES, {platform}: {error}") from error
    return prices


def compute_cost(usage: Usage, prices: Prices) -> float | None:
    """Return the cost, or None if something that has a price was not reported: a partial sum is not a cost."""
    total = 0.0
    for amount, price, unit in (
        (usage.input_tokens, prices.input, 1_000_000),
        (usage.output_tokens, prices.output, 1_000_000),
        (usage.searches, prices.search, 1_000),
    ):
        if price:
            if amount is None:
                return None
            total += amount * price / unit
    return total

"""The cost of a call that the platform does not report: its usage times the prices that the operator has set."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.models import Usage
from sightline.settings import SettingsError

# Neither negative nor infinite, which Python accepts in JSON.
Price = Annotated[float, msgspec.Meta(ge=0, le=1_000_000)]


class Prices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Prices in US dollars: tokens per million, searches per thousand."""

    input: Price = 0.0
    output: Price = 0.0
    search: Price = 0.0


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

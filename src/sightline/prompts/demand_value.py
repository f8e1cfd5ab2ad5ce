"""The value of the demand for a prompt, in US dollars. Pure; a value is null when an input is."""

from decimal import ROUND_HALF_UP, Decimal

_CENT = Decimal("0.01")


def monthly_value(search_volume: int | None, cpc_usd: Decimal | None) -> Decimal | None:
    """Return what the searches of a month would cost as clicks."""
    return None if search_volume is None or cpc_usd is None else search_volume * cpc_usd


def traffic_value(monthly_usd: Decimal | None, named_share: float | None) -> Decimal | None:
    """Return the part of the monthly value that belongs to answers which name the brand."""
    return None if monthly_usd is None or named_share is None else monthly_usd * Decimal(repr(named_share))


def to_dollars(value: Decimal | None) -> float | None:
    """Round to two decimals, half away from zero."""
    return None if value is None else float(value.quantize(_CENT, rounding=ROUND_HALF_UP))

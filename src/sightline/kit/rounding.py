"""Rounding of numbers that leave the service: to one decimal, half away from zero."""

from decimal import ROUND_HALF_UP, Decimal

# Only near a tie does the decimal spelling decide; everywhere else the fast rounding gives the same.
_NEAR_A_TIE = 1e-6


def round_half_away(value: float, digits: int = 1) -> float:
    """Round the decimal value that people see (46.25 → 46.3), not its binary neighbor."""
    nearest = round(value, digits)
    if abs(abs(value - nearest) * 10**digits - 0.5) > _NEAR_A_TIE:
        return nearest + 0.0  # never -0.0
    step = Decimal(1).scaleb(-digits)
    return float(Decimal(repr(value)).quantize(step, rounding=ROUND_HALF_UP)) + 0.0


def percentage(part: int, whole: int) -> float | None:
    """Return 100·part/whole to one decimal, or None when the whole is 0: not measured is never 0."""
    if whole == 0:
        return None
    exact = Decimal(100 * part) / Decimal(whole)
    return float(exact.quantize(Decimal("0.1"), rounding=ROUND_HALF_UP))


def round_half_away_or_none(value: float | None) -> float | None:
    return None if value is None else round_half_away(value)

"""The formulas of `metrics.md` restated with the standard library alone, sharing nothing with the code under test."""

import itertools
import math
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

Z = 1.959964


def round_figure(number, places: int = 1):
    """Round half away from zero on the decimal value (1.0), ignoring the error in the last digits of a float."""
    if number is None:
        return None
    exact = Decimal(number.numerator) / Decimal(number.denominator) if isinstance(number, Fraction) else Decimal(number)
    decimal = exact.quantize(Decimal("1e-9"), rounding=ROUND_HALF_UP)
    return float(decimal.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)) + 0.0


def worth(mention, cites: bool) -> dict:
    """Return the worth (1.4) as parts that add up exactly: {rank or None: coefficient of g(rank) or of 1}."""
    parts: dict = {}
    if mention.mentioned:
        parts[None] = Fraction(1, 2) if cites else Fraction(5, 8)
        if mention.rank is not None:
            parts[mention.rank] = Fraction(3, 10) if cites else Fraction(3, 8)
    if cites and mention.urls:
        parts[None] = parts.get(None, Fraction(0)) + Fraction(1, 5)
    return parts


def add_worths(many) -> tuple[Fraction, dict[int, Fraction]]:
    """Add worths; return the rational part and the rest by rank (g of 1, 3 and 7 is 1, 1/2 and 1/3)."""
    rational, rest = Fraction(0), {}
    for parts in many:
        for rank, coefficient in parts.items():
            if rank is None:
                rational += coefficient
            elif (rank + 1) & rank == 0:
                rational += coefficient / int(math.log2(rank + 1))
            else:
                rest[rank] = rest.get(rank, Fraction(0)) + coefficient
    return rational, {rank: found for rank, found in rest.items() if found}


def subtract(one: dict, other: dict) -> dict:
    return {key: one.get(key, Fraction(0)) - other.get(key, Fraction(0)) for key in {*one, *other}}


def to_number(total: tuple[Fraction, dict[int, Fraction]]):
    """Convert a sum to a number, exactly if it is rational."""
    rational, rest = total
    if not rest:
        return rational
    return math.fsum([float(rational), *(float(each) / math.log2(rank + 1) for rank, each in rest.items())])


def evaluate(parts: dict):
    return to_number(add_worths([parts]))


def wilson(x, n: int) -> tuple[float, float]:
    """Return the Wilson interval (3.1); x may be a fraction of a count."""
    p, square = float(x) / n, Z * Z
    middle = (p + square / (2 * n)) / (1 + square / n)
    half = Z * math.sqrt(max(0.0, p * (1 - p) / n + square / (4 * n * n))) / (1 + square / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def paired_interval(differences) -> tuple[float, float, float]:
    """Return the mean difference of matched cells and its interval (3.3)."""
    n = len(differences)
    total = math.fsum(map(float, differences))
    squares = math.fsum(float(each) ** 2 for each in differences)
    error = math.sqrt(max(0.0, squares - total * total / n)) / n
    return total / n, total / n - Z * error, total / n + Z * error


def mcnemar(lost: int, gained: int) -> float:
    flips = lost + gained
    below = sum(math.comb(flips, count) for count in range(min(lost, gained) + 1))
    return float(min(Fraction(1), Fraction(2 * below, 2**flips)))


def flip_signs(differences) -> float | None:
    """Return the p-value of the score (3.3) over all signs of nonzero differences; None if there are too many."""
    moved = [float(each) for each in differences if each]
    if len(moved) > 12:
        return None
    seen = abs(math.fsum(moved))
    ways = [abs(math.fsum(s * d for s, d in zip(signs, moved, strict=True))) for signs in _signs(len(moved))]
    return sum(way >= seen - 1e-9 for way in ways) / len(ways)


def _signs(length: int):
    return list(itertools.product((1, -1), repeat=length))


def median(scores):
    ordered = sorted(scores)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else Fraction(ordered[middle - 1] + ordered[middle], 2)


def label_score(score) -> str:
    return "positive" if score >= 60 else "negative" if score <= 40 else "neutral"


def summarize_sentiment(scores) -> dict:
    """Summarize the sentiment (1.8) of one prompt or one board."""
    if len(scores) < 3:
        return {"score": None, "label": None, "responses_analyzed": len(scores), "low_data": True, "mixed": False}
    middle = median(scores)
    labels = [label_score(score) for score in scores]
    most = max(labels.count(label) for label in labels)
    modes = {label for label in labels if labels.count(label) == most}
    scale = ("negative", "neutral", "positive")
    near = {label: abs(scale.index(label) - scale.index(label_score(middle))) for label in modes}
    nearest = [label for label in modes if near[label] == min(near.values())]
    mixed = len(nearest) > 1
    return {
        "score": round_figure(middle),
        "label": "neutral" if mixed else nearest[0],
        "responses_analyzed": len(scores),
        "low_data": False,
        "mixed": mixed,
    }

"""Targets built from the ratios of rounds."""

from statistics import median, quantiles

from bench.comparison import Target


def to_target(name: str, other: str, at_least: float, ratios: list[float]) -> Target:
    lower, upper = quantiles(ratios, n=4, method="inclusive")[::2] if len(ratios) > 1 else (ratios[0], ratios[0])
    return Target(name, other, at_least, median(ratios), (lower, upper))

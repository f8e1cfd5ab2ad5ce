"""Writes `docs/measure/metrics.md` and its pictures from the registry of metrics and from worked examples."""

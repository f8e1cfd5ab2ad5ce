"""Benchmarks: what Sightline costs, measured beside something comparable in the same run. `python -m bench --help`.

Tests of behaviour are in `tests/`; nothing here ships with the package.
"""

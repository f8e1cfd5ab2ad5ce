"""Benchmarks: what Sightline costs, measured with something comparable in the same run. `python -m bench --help`.

Tests of behavior are in `tests/`; nothing here ships with the package.
"""

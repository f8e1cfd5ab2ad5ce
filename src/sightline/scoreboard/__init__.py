"""The latest known answer of every cell of a tracked domain, what it amounts to, and how checks compare.

Formulas are in `metrics/`, the results of one check in `scans/`, conclusions in `insights/`.
"""

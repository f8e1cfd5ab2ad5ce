"""The latest known answer of every cell of a tracked domain, the board built from them, and how scans compare.

Formulas are in `metrics/`, the results of one scan in `scans/`, alerts and recommendations in `insights/`.
"""

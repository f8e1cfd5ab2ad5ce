"""The figures on a prompt's own row: sentiment and co-mentioned brands of thirty days, and scans without a citation.

The formulas are in `metrics/`; the cells and the board are one folder up.
"""

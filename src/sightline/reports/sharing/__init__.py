"""Share links: one report for people without an account, until the link expires or is revoked.

The reports themselves are in `reports/weekly/`.
"""

"""Lists of answers: what each answer is filtered by, the filter, and reading a page with counts.

The board and its figures are in `scoreboard/`, a single answer in `scans/`.
"""

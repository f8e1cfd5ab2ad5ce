"""What past scans of a tracked domain found: the history of one prompt, and the trend over Full Checks.

The scoreboard of today is one folder up; the trend chart is in `presentation/`.
"""

"""Requests to analyze the stored answers of a domain again, and their progress.

The work itself is done by the job handler in `scoreboard/`.
"""

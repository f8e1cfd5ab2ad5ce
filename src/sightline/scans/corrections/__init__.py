"""Corrections of answers: a marked name that is not the brand, and a name of the brand that was missed.

How they change an analysis is in `answers/corrections.py`; the recomputation that they request is in `scoreboard/`.
"""

"""Analyzing stored answers again after the brand or its competitors were renamed, and previewing such a change.

Requesting it is in `domains/recomputations/`; analyzing an answer is in `answers/`.
"""

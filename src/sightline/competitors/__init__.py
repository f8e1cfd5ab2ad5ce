"""Competitors of a tracked domain: suggested by answers, reviewed by people, named by their own sites.

Finding names in answers is in `answers/` and `scans/rivals.py`; competitors of a Console domain are in its record.
"""

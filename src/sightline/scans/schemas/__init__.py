"""Schemas of scans in both APIs, in events and in stored results: the scan, its results and its answers.

Rows of the database are in `scans/stored.py`; what a running scan works with is in `scans/models.py`.
"""

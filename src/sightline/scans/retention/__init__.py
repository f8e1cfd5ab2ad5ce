"""Removing answers and payloads that are older than the operator wants to keep. Figures of scans always stay.

Creating the partitions is in `scans/partitions.py`; reports and deliveries have their own rules.
"""

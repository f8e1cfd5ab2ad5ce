"""Leases: each worker's share of the calls that a platform takes at once, renewed by the worker as long as it lives.

How a worker uses its share is in `platforms/gate.py`; which cells become jobs is in `scans/running/admission.py`.
"""

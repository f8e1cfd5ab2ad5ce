"""Seeded runs with faults of every kind: in processes, PostgreSQL, network, disk, clocks, platforms and upgrades.

Clients submit, cancel and read paid scans meanwhile and record what they see. After recovery, the history is compared
with the database: every scan, credit, answer and webhook must exist exactly once.

The processes of the product run as operators start them; no part of them is replaced but the clock that they read.
"""

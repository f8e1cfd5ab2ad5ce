"""Credits: the ledger, what packs cost, buying them, and giving them back.

What a scan costs is decided in `scans/`; who may buy is a matter of `accounts/`.
"""

"""Credits: the ledger, packs and their prices, the monthly spend cap, and buying.

The price of a scan is decided in `scans/`; who may buy is decided in `accounts/`.
"""

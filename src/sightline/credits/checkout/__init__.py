"""Buying credits: checkout attempts, their states, and settling them by what the payment provider says.

The providers are in `credits/providers/`, the ledger that is credited in `credits/ledger.py`.
"""

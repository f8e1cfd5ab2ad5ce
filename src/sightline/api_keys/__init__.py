"""API keys: their format, minting, listing and revoking.

Recognising a key in a request happens in the one statement of `usage/`, together with its limits.
"""

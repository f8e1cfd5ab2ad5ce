"""API keys: their format, minting, listing and revoking.

Recognizing the key of a request happens in `usage/`, in one statement together with its limits.
"""

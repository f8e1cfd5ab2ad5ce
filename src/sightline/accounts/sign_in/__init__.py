"""Signing in: waits after failed attempts, sessions, known browsers, and new passwords for people who forgot theirs.

Passwords are stored and verified in `accounts/passwords.py`; who a request acts for is decided in `api/edge/`.
"""

"""Sessions, the browsers that have them, and new passwords for people who forgot theirs.

Passwords are stored and verified in `accounts/passwords.py`; waits after failed attempts are in `usage/sign_in.py`.
"""

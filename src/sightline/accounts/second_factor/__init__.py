"""The second factor of a sign-in: authenticator apps, passkeys and recovery codes, and the way back after losing them.

Passwords are in `accounts/passwords.py`; sign-ins that wait for a factor are in `accounts/sign_in/`.
"""

"""Getting started: the first owner by bootstrap token, and the demonstration world.

Signing in and members are in `accounts/`.
"""

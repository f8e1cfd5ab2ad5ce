"""Getting started: the first owner by bootstrap token, the setup of a tracked domain, and the demonstration.

Signing in and members are in `accounts/`.
"""

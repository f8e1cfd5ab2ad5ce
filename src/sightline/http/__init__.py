"""Outgoing HTTP: the session of a process, and the guard for addresses that other people provide.

The requests themselves are in the features that send them, such as `platforms/` and `webhooks/`.
"""

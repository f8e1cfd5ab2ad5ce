"""HTTP to the outside: one session for the process, and the guard for addresses that others give us.

What is said over it, to platforms or to webhooks, is in those rooms.
"""

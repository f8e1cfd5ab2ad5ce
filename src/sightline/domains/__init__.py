"""Domains: Console domains that a key registers, and tracked domains of the dashboard, in one table but never mixed.

Checks of a domain are in `scans/`; prompts and competitors of a tracked domain have rooms of their own.
"""

"""Domains: Console domains, which API keys register, and tracked domains. They share a table and never mix.

Scans of a domain are in `scans/`; prompts and competitors of a tracked domain have packages of their own.
"""

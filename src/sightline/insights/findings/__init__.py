"""Findings: what is worth saying about a domain, in one ordered list, for pages, reports, e-mails, APIs and assistants.

The tests are in `metrics/` and `scoreboard/check_changes/`; alerts and effects of actions have packages of their own.
"""

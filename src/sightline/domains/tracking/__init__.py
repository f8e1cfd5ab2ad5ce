"""Tracked domains: adding, reading, changing and removing them.

Their setup is in `onboarding/`, their schedule in `scans/scheduling/`; Console domains are in the package above.
"""

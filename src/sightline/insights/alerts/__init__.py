"""Alerts: drops of a brand between Daily Checks, watched, confirmed by the next Daily Check, notified, resolved.

The tests and the steps are pure rules of `metrics/`; sending letters is in `mail/`, webhooks read the event.
"""

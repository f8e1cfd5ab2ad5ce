"""Alerts: drops of a brand between Daily Checks, watched, confirmed by the next Daily Check, notified, resolved.

The tests and the steps are pure rules of `metrics/`; sending e-mail is in `mail/`, and webhooks read the event.
"""

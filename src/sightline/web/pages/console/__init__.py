"""The Console: paid scans, credits, keys and webhooks, live and in test mode.

Its pages call the same feature functions as the Console API; dashboard pages are in `pages/dashboard/`.
"""

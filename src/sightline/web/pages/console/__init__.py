"""The Console for people: paid checks, credits, keys and webhooks, live and in test mode.

Each page calls the same feature functions as the Console API, so the two cannot disagree.
"""

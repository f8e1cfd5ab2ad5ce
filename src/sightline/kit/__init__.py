"""Small tools that know nothing about the product: clock, ids, rounding, backoff, logging.

Anything that knows a business term belongs to its feature.
"""

"""Small tools that know nothing of the product: clock, ids, rounding, logging.

Anything that knows a business word belongs to its own room.
"""

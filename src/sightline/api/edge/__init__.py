"""What both APIs share at their edge: the order of refusals, envelope, problems, limits, idempotency, saved copies.

Nothing here knows what an operation does; each says what it needs in its `Operation`.
"""

"""What both APIs share: the order of refusals, the envelope, problem documents, limits, idempotency and saved copies.

Nothing here knows what an operation does: each declares what it needs in its `Operation`. What an application is made
of is in `api/app_context.py`; handlers are in `api/console/` and `api/data/`.
"""

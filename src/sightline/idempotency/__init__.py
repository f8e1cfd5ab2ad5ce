"""Idempotency keys: claiming one for a request, storing the response with its effect, and replaying it.

Reading the key from a request and building the HTTP response belong to `api/edge/`; forms in `web/` use the same keys.
"""

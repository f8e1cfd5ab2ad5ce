"""Handlers of the Console API, one module per resource: each reads the request, calls a feature and returns its schema.

Product rules are in the features, schemas are in their `schemas.py`, and refusals that all operations share are in
`api/edge/`.
"""

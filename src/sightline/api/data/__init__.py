"""Handlers of the Data API, one module per resource.

Product rules are in the features, schemas are in their `schemas.py`, and refusals that all operations share are in
`api/edge/`.
"""

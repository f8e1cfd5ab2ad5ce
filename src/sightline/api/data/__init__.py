"""Handlers of the Data API, one module per resource.

Rules of the product live in the features; refusals common to all operations live in `api/edge/`.
"""

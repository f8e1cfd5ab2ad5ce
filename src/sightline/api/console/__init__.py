"""Handlers of the Console API, one module per resource: read the request, call one feature function, shape the answer.

Rules of the product live in the features; refusals common to all operations live in `api/edge/`.
"""

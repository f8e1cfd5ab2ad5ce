"""The OpenAPI document: made from the operations, their types and the catalogue of problems, and nothing by hand twice.

The reference page that people read is rendered from it in `web/`.
"""

"""The OpenAPI document, built from the operations, their schemas and the catalog of problems.

What a field means is described where the field is declared, in `schemas.py` of its feature. The reference page that
people read is rendered from the document in `web/`.
"""

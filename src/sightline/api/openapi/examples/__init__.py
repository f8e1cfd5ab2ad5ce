"""Examples of requests and responses in the OpenAPI document, one module per resource; `table.py` gathers them.

What a field means is described where the field is declared: in `schemas.py` of the feature.
"""

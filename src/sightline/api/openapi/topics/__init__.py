"""Examples, meanings and tags of the OpenAPI document, one module per group of resources.

What all operations share is in the modules above.
"""

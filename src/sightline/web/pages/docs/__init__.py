"""The documentation at `/docs`: the pages of the repository's `docs/`, the API reference, the errors, and search.

`web/documents` is a link to `docs/`, so an installed package serves the same Markdown.
"""

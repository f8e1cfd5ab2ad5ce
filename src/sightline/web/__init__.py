"""Pages for people, rendered on the server: templates, styles, small scripts, and the handlers that serve them.

Rules of the product live in the features; the JSON APIs and their description live in `api/`.
"""

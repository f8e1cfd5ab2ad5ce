"""The web app: pages rendered on the server, with their templates, styles, scripts and request handlers.

Business rules live in the features; the JSON APIs and their description live in `api/`.
"""

"""The two HTTP APIs: the middleware that every request passes, and one handler module per resource.

Rules of the product live in the features below; pages for people live in `web/`.
"""

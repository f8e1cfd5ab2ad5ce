"""Installation operators: users who may connect platforms for everybody. The role is independent of any workspace.

What operators do is in the features themselves, such as `platforms/`; their pages are in `web/pages/operator/`.
"""

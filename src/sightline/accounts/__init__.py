"""Users, workspaces, members, invitations, sessions and passwords, and the actor of a request.

API keys are in `api_keys/`; what a plan allows is in `plans/`.
"""

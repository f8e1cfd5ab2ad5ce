"""People, workspaces, memberships, sessions and passwords; and the actor that every request becomes.

Keys are in `api_keys/`, what a plan allows is in `plans/`.
"""

"""Invitations to a workspace by link: making, revoking and accepting them.

The link joins whoever opens it, once, with the role that the invitation grants. Members are in `accounts/members.py`.
"""

"""Invitations to a workspace by link: making, revoking and accepting them.

A link works once and grants the role of its invitation to the person who opens it. Members are in `members.py`.
"""

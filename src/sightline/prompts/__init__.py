"""Prompts of a tracked domain: identity, adding, pinning, removing, volumes and suggestions.

Asking them is in `scans/`; what answers say about a prompt is written by `scoreboard/`.
"""

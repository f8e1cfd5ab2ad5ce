"""What is asked for a tracked domain: identity of a prompt, adding, pinning, removing, volumes, suggestions.

Asking is in `scans/`; what answers say of a prompt is written by `scoreboard/`.
"""

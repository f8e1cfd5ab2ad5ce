"""Counting requests: recognising a key with its limits in one statement, rate windows, usage figures.

What the limits are is in `plans/` and the settings; how a refusal looks is in `api/edge/`.
"""

"""Counting requests: recognizing a key and its limits in one statement, rate limits, and usage figures.

The limits themselves are in `plans/` and the settings; how a refusal is sent is in `api/edge/`.
"""

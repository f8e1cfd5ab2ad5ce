"""Suggested prompts for a domain that is being set up: requested by pages, answered by a worker, saved and limited.

How a platform is asked for prompts, and the questions that need none, are in `scans/suggest.py`.
"""

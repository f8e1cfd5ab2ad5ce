"""Suggested prompts for a domain that is being set up: requested by pages, answered by a worker, saved and limited.

How the editor is asked is in `insights/editor/setup.py`, and the questions that need none in `scans/suggest.py`.
"""

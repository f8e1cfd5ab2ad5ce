"""The words of suggested prompts: questions of a platform, and questions from templates. Pure.

Code belongs here if it reads a platform's list of questions or a site's own words, or writes questions from templates.
Asking a platform and fetching a page belong to `scans/suggest.py`.
"""

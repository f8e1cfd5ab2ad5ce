"""The words of suggested prompts: questions of a platform, and questions from templates. Pure.

Code belongs here if it chooses among proposed questions, reads a site's own words, or writes questions from templates.
Asking a platform and fetching a page belong to `insights/editor/setup.py`.
"""

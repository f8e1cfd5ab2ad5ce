"""Leaving: the export of a workspace as one file, and its deletion everywhere it lives.

Both read from the schema which tables belong to a workspace, so that a new table cannot be forgotten.
"""

"""Flat tables of a tracked domain for analysts: what they hold, what changed, and their rows in several formats.

Rows are read from what other features have stored (ADR 49). Nothing is measured here.
"""

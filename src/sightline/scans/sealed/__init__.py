"""Sealed months: answers that left the database for open Parquet files in the store of payloads (ADR 56).

A file is never written a second time. Every path begins with the workspace, so a read cannot reach another one.
"""

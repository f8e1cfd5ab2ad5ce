"""Importing many prompts at once, from pasted text or a CSV file: reading, preview, and saving all or nothing."""

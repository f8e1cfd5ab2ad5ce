"""Editing the text of a prompt, and which prompt took the place of which."""

"""Questions that may become prompts: where they come from, and how they are worded.

Templates exist in English only. In other languages a question is taken over whole, or not at all.
"""

"""The AI platforms: which exist, and (later) how each is asked.

What a plan may use of them is in `plans/`.
"""

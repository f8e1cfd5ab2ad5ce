"""The editor: a connected language model names, sorts and words what code has found, counted and ranked.

Code chooses what is asked (`requests`), cuts it into parts, and verifies each reply: whatever does not stand in the
answers, or does not have the requested form, is dropped and counted. The editor changes no mention, rank, citation,
sentiment or headline figure.
"""

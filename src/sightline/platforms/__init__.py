"""The AI platforms: which exist, how each is asked, and the sandbox that answers in their place.

Which of them a plan includes is in `plans/`; what an answer says about a brand is analyzed in `answers/`.
"""

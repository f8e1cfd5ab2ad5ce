"""What changed between two Full Checks: established changes, prompts with another winner, new and lost sources.

They are found when a Full Check is applied, from the answers that the comparison of the headline reads anyway, and
stored with its board. What of them is worth saying, and in which words, is decided in `insights/findings/`.
"""

"""What changed between two Full Checks: established changes, prompts with another winner, new and lost sources.

They are found when a Full Check is applied, from the answers that the comparison of the headline reads anyway, and
stored with its board. The sentences that people read are made from them in one place, `sentences.py`.
"""

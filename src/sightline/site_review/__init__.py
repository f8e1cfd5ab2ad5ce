"""The review of a brand's own site: whether the pages that answers cite are there, and whether AI agents can read them.

Pages are fetched politely and stored one by one; findings follow from what was stored, and never from a guess.
"""

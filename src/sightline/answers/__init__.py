"""What an answer says: preparing the text, finding names, stance, rank, citations, sentiment. Pure but for `store`.

How answers are obtained is in `platforms/`; what they amount to is in `metrics/`.
"""

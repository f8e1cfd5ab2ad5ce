"""The sentiment model: from public data and clauses of our own to the files in `answers/data/sentiment`.

What reads the model in the product is `sightline.answers.sentiment_model`; what both build alike is its input.
"""

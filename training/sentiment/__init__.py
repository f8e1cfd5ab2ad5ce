"""The sentiment model: from public data and clauses of our own to the files in `answers/data/sentiment`.

The product uses the model in `sightline.answers.sentiment_model`; both build its input with the same code.
"""

"""Payment providers: taking money and telling the truth about it. Each has the same four verbs.

What a payment is worth in credits, and whether it is the right one, is decided in `credits/checkout/settle.py`.
"""

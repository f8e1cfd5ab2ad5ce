"""Payment providers: Stripe and the local test provider, with the same four operations.

Whether a payment is the right one, and what it credits, is decided in `credits/checkout/settle.py`.
"""

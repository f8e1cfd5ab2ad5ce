"""Messages that other services send to us. Each proves its sender by a signature, not by a key of ours.

What we send to customers is in `webhooks/`.
"""

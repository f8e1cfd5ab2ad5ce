"""Messages that other services send to us. A signature, not an API key, proves their sender.

Webhooks that we send to customers are in `webhooks/`.
"""

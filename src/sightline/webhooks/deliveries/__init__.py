"""Deliveries of events to webhook endpoints: fan-out, signing, sending, retries and history.

The endpoints themselves, and their secrets, are in the package above.
"""

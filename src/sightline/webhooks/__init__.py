"""Webhooks: endpoints of customers, signatures, deliveries and their history. Reads the outbox (`events.py`).

What happened, and when, is written by the feature that caused it; the guard for foreign addresses is in `http/`.
"""

"""Webhooks: endpoints of customers, their secrets, and deliveries of events from the outbox (`events.py`).

Events are recorded by the features that cause them; the guard for external addresses is in `http/`.
"""

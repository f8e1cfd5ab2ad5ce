"""Slack channels: endpoints whose address is an incoming webhook of Slack, and what events look like there.

They are stored, sent and retried like every other webhook (`webhooks/deliveries/`).
"""

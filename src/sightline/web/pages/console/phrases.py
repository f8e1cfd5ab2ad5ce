"""Phrases of the Console: what was done, and what states and reasons mean."""

from sightline.webhooks.deliveries.models import Delivery

DONE = {
    "submitted": "The scan is accepted and its credits are taken.",
    "cancelled": "The scan is cancelled. If it had not started, its credits are back.",
    "domain_registered": "The domain is registered. It can be checked now.",
    "domain_changed": "The domain is changed. Scans that were accepted before stay as they were.",
    "domain_removed": "The domain is removed. Its scans stay in the list.",
    "payment_checked": "The payment provider was asked; the list below shows what it says.",
    "key_revoked": "The key is revoked. It is refused from now on.",
    "keys_revoked": "All keys are revoked. They are refused from now on.",
    "key_rotated_before": "This key was rotated already. Its new secret was shown once; rotate it again for another.",
    "key_minted_before": "This key was minted already. Its full text was shown once and cannot be shown again.",
    "webhook_made_before": "This webhook was registered already. Its secret was shown once; rotate it for a new one.",
    "webhook_rotated_before": "The secret was rotated already and shown once. Rotate it again for a new one.",
    "webhook_changed": "The webhook is changed.",
    "webhook_enabled": "The webhook is enabled and starts with a clean record.",
    "webhook_disabled": "The webhook is disabled. Deliveries that waited have ended.",
    "webhook_removed": "The webhook is removed. Nothing is sent to it any more.",
    "test_sent": "A test event is on its way; the newest delivery below shows how it goes.",
    "redelivered": "The event is sent again, with the same id.",
}

SCOPES = {
    "read": "read everything",
    "scans": "preview, start and cancel scans",
    "domains": "register, change and remove domains",
    "billing": "change the profile of the workspace",
    "webhooks": "manage webhooks",
    "keys": "mint, rotate and revoke keys",
}

STATUSES = {
    "pending": "Waiting to start",
    "running": "Running",
    "completed": "Completed",
    "failed": "Failed",
    "cancelled": "Cancelled",
}

REASONS = {
    "purchase": "Purchase",
    "scan_consumption": "Scan",
    "refund": "Refund",
    "action_consumption": "Action",
    "manual_adjustment": "Correction",
    "promotional_grant": "Gift",
}

ATTEMPTS = {
    "unpaid": "Not paid",
    "pending": "Payment on its way",
    "credited": "Credited",
    "reconciliation": "Differs from the order: support looks at it",
    "refund_required": "A surplus payment will be returned",
    "expired": "Ended without a payment",
    "refunded": "Returned",
}

_DELIVERIES = {"pending": "On its way", "succeeded": "Delivered", "failed": "Failed"}


def describe_delivery(delivery: Delivery) -> str:
    """Return the state of a delivery in words. An attempt of this round that failed is said, although more follow."""
    if delivery.status == "pending" and delivery.attempts > delivery.attempts_before:
        return "Failed, will be tried again"
    return _DELIVERIES[delivery.status]


FAILURES = {
    "attempts_exhausted": "every attempt failed",
    "gone": "the endpoint answered 410 Gone",
    "webhook_disabled": "the webhook was disabled",
    "webhook_removed": "the webhook was removed",
}

DISABLED = {
    "manual": "by a member",
    "gone": "because it answered 410 Gone",
    "failing": "because it failed for too long",
}

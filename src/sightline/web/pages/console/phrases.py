"""Phrases of the Console: what was done, and what states and reasons mean."""

from collections.abc import Mapping

from sightline.credits.models import Pack
from sightline.presentation.language import gettext, ngettext, translatable
from sightline.presentation.numbers import format_number
from sightline.webhooks.deliveries.models import Delivery
from sightline.webhooks.models import Endpoint, EndpointKind

DONE: Mapping[str, str] = {
    "submitted": translatable("Scan submitted. Its credits have been charged."),
    "cancelled": translatable("Scan canceled before it started. Its credits were refunded."),
    "cancelled_running": translatable("Scan canceled while it ran. Its answers are kept, and nothing was refunded."),
    "domain_registered": translatable("Domain added. You can scan it now."),
    "domain_changed": translatable("Domain saved. The changes apply to new scans."),
    "domain_removed": translatable("Domain removed. Its scans stay in the list."),
    "payment_unpaid": translatable("Payment checked: nothing has been paid yet."),
    "payment_pending": translatable("Payment checked: it is in progress. You get the credits when it arrives."),
    "payment_credited": translatable("Payment checked: it has arrived, and its credits are in your balance."),
    "payment_reconciliation": translatable("Payment checked: it differs from the order, so the operator reviews it."),
    "payment_refund_required": translatable("Payment checked: it was not credited and will be refunded."),
    "payment_expired": translatable("Payment checked: the purchase ended without a payment."),
    "payment_refunded": translatable("Payment checked: it was refunded."),
    "key_revoked": translatable("Key revoked. It no longer works."),
    "keys_revoked": translatable("All keys revoked. They no longer work."),
    "key_rotated_before": translatable(
        "You have already rotated this key, and the new key was shown once. Rotate it again to get another one."
    ),
    "key_minted_before": translatable(
        "You have already created this key, and it was shown once. If you lost it, revoke it and create a new one."
    ),
    "webhook_made_before": translatable(
        "You have already added this webhook, and its secret was shown once. Rotate the secret to get a new one."
    ),
    "webhook_rotated_before": translatable(
        "You have already rotated the secret, and it was shown once. Rotate it again to get a new one."
    ),
    "webhook_changed": translatable("Webhook saved."),
    "webhook_enabled": translatable("Webhook enabled. Earlier failures no longer count."),
    "webhook_disabled": translatable("Webhook disabled. Pending deliveries were canceled."),
    "webhook_removed": translatable("Webhook removed. Nothing is sent to it anymore."),
    "test_sent": translatable("Test event sent. The newest delivery below shows the result."),
    "redelivered": translatable("Event sent again with the same ID."),
}

SCOPES: Mapping[str, str] = {
    "read": translatable("read everything"),
    "scans": translatable("preview, start and cancel scans"),
    "domains": translatable("add, change and remove domains"),
    "billing": translatable(
        "change the workspace profile (name, company, billing e-mail, website, time zone), but not buy credits"
    ),
    "webhooks": translatable("manage webhooks"),
    "keys": translatable("create, rotate and revoke keys"),
}

REASONS: Mapping[str, str] = {
    "purchase": translatable("Purchase"),
    "scan_consumption": translatable("Scan"),
    "refund": translatable("Refund"),
    "action_consumption": translatable("Other charge"),
    "manual_adjustment": translatable("Adjustment"),
    "promotional_grant": translatable("Gift"),
}

# The packs that an installation starts with. An operator can replace them, in any language.
_PACK_TEXTS = {
    translatable("Popular"),
    translatable("Ten scans on one platform, or one scan on ten platforms."),
    translatable("Ten scans on five platforms."),
    translatable("One scan a week for four weeks, for each of ten domains, on five platforms."),
    translatable("One scan a week for four weeks, for each of 50 domains, on five platforms."),
}

ATTEMPTS: Mapping[str, str] = {
    "unpaid": translatable("Not paid"),
    "pending": translatable("Payment in progress"),
    "credited": translatable("Credited"),
    "reconciliation": translatable("In review: differs from the order"),
    "refund_required": translatable("Refund in progress"),
    "expired": translatable("Ended without payment"),
    "refunded": translatable("Refunded"),
}

_DELIVERIES: Mapping[str, str] = {
    "pending": translatable("Pending"),
    "succeeded": translatable("Delivered"),
    "failed": translatable("Failed"),
}
_FAILURES: Mapping[str, str] = {
    "attempts_exhausted": translatable("Failed: no attempt succeeded"),
    "gone": translatable("Failed: the endpoint answered 410 Gone"),
    "rejected": translatable("Failed: the endpoint refused the message"),
    "sandbox": translatable("Not sent: a sandbox posts nothing to Slack"),
    "webhook_disabled": translatable("Not sent: the webhook was disabled"),
    "webhook_removed": translatable("Not sent: the webhook was removed"),
}
_SLACK_FAILURES: Mapping[str, str] = {
    **_FAILURES,
    "gone": translatable("Failed: the webhook or its channel no longer exists in Slack"),
    "rejected": translatable("Failed: Slack refused the message"),
    "webhook_disabled": translatable("Not sent: the channel was disabled"),
}
_DISABLED: Mapping[str, str] = {
    "manual": translatable("Disabled by a member"),
    "gone": translatable("Disabled because the endpoint answered 410 Gone"),
    "failing": translatable("Disabled because deliveries failed for too long"),
}
_SLACK_DISABLED: Mapping[str, str] = {
    **_DISABLED,
    "gone": translatable("Disabled because the webhook or its channel no longer exists in Slack"),
    "failing": translatable("Disabled because messages failed for too long"),
}


def name_pack(pack: Pack) -> str:
    """Return the name of a pack. A name that only states the number of credits is translated."""
    if pack.name != f"{pack.credits:,} credits":
        return pack.name
    return ngettext("%(number)s credit", "%(number)s credits", pack.credits, number=format_number(pack.credits))


def translate_pack_text(text: str) -> str:
    return gettext(text) if text in _PACK_TEXTS else text


def describe_delivery(delivery: Delivery, kind: EndpointKind = "webhook") -> str:
    """Return the state of a delivery in words, with the reason of a failure and whether more attempts follow."""
    if delivery.failure_reason:
        reasons = _FAILURES if kind == "webhook" else _SLACK_FAILURES
        return gettext(reasons[delivery.failure_reason])
    if delivery.status == "pending" and delivery.attempts > delivery.attempts_before:
        return gettext("Failed, will be retried")
    return gettext(_DELIVERIES[delivery.status])


def describe_endpoint(endpoint: Endpoint) -> str:
    """Return whether a webhook is enabled or, if it is not, why."""
    if endpoint.disabled_reason:
        reasons = _DISABLED if endpoint.kind == "webhook" else _SLACK_DISABLED
        return gettext(reasons[endpoint.disabled_reason])
    return gettext("Enabled") if endpoint.status == "enabled" else gettext("Disabled")

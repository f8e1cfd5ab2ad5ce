"""The e-mail about a webhook that was disabled. Pure."""

import uuid
from collections.abc import Iterable

from yarl import URL

from sightline.mail.emails import EmailText, OutgoingEmail, Recipient, build_emails, join_paragraphs
from sightline.presentation.language import gettext
from sightline.presentation.phrases import to_one_line
from sightline.webhooks.deliveries.retry import DISABLE_AFTER
from sightline.webhooks.models import DisabledReason, EndpointHealth
from sightline.webhooks.slack.messages import REFUSALS


def build_disabled_emails(
    owners: Iterable[Recipient],
    endpoint_id: uuid.UUID,
    endpoint: EndpointHealth,
    reason: DisabledReason,
    error: str | None,
) -> list[OutgoingEmail]:
    """Build one e-mail per owner. It names only the host, because a path may hold secrets.

    `error` is the English sentence about the last refusal of Slack.
    """
    if endpoint.kind == "slack":
        return build_emails(owners, lambda: _write_disabled_channel(endpoint.description, reason, error))
    host = URL(endpoint.url).host or ""
    return build_emails(owners, lambda: _write_disabled(endpoint_id, host, livemode=endpoint.livemode))


def _write_disabled_channel(name: str, reason: DisabledReason, error: str | None) -> EmailText:
    if reason == "gone":
        why = gettext("Slack no longer accepts messages for “%(name)s”, so we have disabled it.", name=name)
    else:
        why = gettext(
            "We have disabled the Slack channel “%(name)s” because no message to it has succeeded for %(days)s days.",
            name=name,
            days=DISABLE_AFTER.days,
        )
    text = join_paragraphs(
        gettext("Hello,"),
        why,
        _explain(error),
        gettext("Enter a new address and enable the channel again under Members → Slack."),
    )
    return EmailText(gettext("Messages to Slack have stopped: %(name)s", name=to_one_line(name)), text)


def _explain(error: str | None) -> str:
    """Return why the last message was refused, in the language of the reader where it is one of Slack's reasons."""
    return "" if error is None else gettext(error) if error in REFUSALS.values() else error


def _write_disabled(endpoint_id: uuid.UUID, host: str, *, livemode: bool) -> EmailText:
    mode = gettext("Mode: live") if livemode else gettext("Mode: test")
    text = join_paragraphs(
        gettext("Hello,"),
        gettext(
            "We have disabled a webhook in your workspace because no delivery to it has succeeded for %(days)s days.",
            days=DISABLE_AFTER.days,
        ),
        "\n".join(
            [
                "  " + gettext("Endpoint: %(host)s", host=host),
                "  " + gettext("Webhook: %(id)s", id=endpoint_id),
                "  " + mode,
            ]
        ),
        gettext(
            "The webhook no longer receives events. Once the endpoint works again, enable the webhook in the Console, "
            "under Webhooks. Its history keeps undelivered events for 30 days. You can send them again from there."
        ),
    )
    return EmailText(gettext("Your webhook to %(host)s was disabled", host=host), text)

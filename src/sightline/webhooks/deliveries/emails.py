"""The e-mail about a webhook that was disabled. Pure."""

import uuid
from collections.abc import Iterable

from yarl import URL

from sightline.mail.emails import EmailText, OutgoingEmail, Recipient, build_emails, join_paragraphs
from sightline.presentation.language import gettext
from sightline.webhooks.deliveries.retry import DISABLE_AFTER


def build_disabled_emails(
    owners: Iterable[Recipient], endpoint_id: uuid.UUID, url: str, *, livemode: bool
) -> list[OutgoingEmail]:
    """Build one e-mail per owner. It names only the host, because a path may hold secrets."""
    host = URL(url).host or ""
    return build_emails(owners, lambda: _write_disabled(endpoint_id, host, livemode=livemode))


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

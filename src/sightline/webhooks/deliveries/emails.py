"""The e-mail about a webhook that was switched off. Pure."""

import uuid
from collections.abc import Iterable

from yarl import URL

from sightline.mail.emails import OutgoingEmail, build_emails
from sightline.webhooks.deliveries.retry import DISABLE_AFTER

_TEXT = """\
Hello,

we have switched off a webhook of your workspace, because none of our deliveries to it has succeeded for {days} days.

  Receiver: {host}
  Webhook:  {id}
  Mode:     {mode}

No events are sent to it any more. When the receiver works again, enable it: in the Console, under Webhooks. What was
not delivered is in its history for 30 days, and can be sent again from there.
"""


def build_disabled_emails(
    owners: Iterable[str], endpoint_id: uuid.UUID, url: str, *, livemode: bool
) -> list[OutgoingEmail]:
    """Build one e-mail per owner. It names only the host, because a path may hold secrets."""
    host = URL(url).host or ""
    text = _TEXT.format(days=DISABLE_AFTER.days, host=host, id=endpoint_id, mode="live" if livemode else "test")
    return build_emails(owners, f"Your webhook to {host} was switched off", text)

"""E-mails that tell a person about their own account: a changed password, and a browser that is new to the account.

They are sent only where a mail server is set, and hold nothing that the browser says about itself: its name for itself
may be any text, and would look like ours.
"""

from datetime import datetime

from sightline.accounts.models import User
from sightline.db.engine import Transaction
from sightline.mail.emails import build_emails, enqueue_emails
from sightline.presentation.dates import DEFAULT_ZONE, format_datetime, in_time_zone
from sightline.settings import Settings

_CHANGE_TEXT = """\
Hello,

the password of your Sightline account was changed on {time}. All other browsers were signed out.

If it was not you, choose a new password now:

  {url}/forgot-password
"""

_BROWSER_TEXT = """\
Hello,

somebody signed in to your Sightline account with your password on {time}, in a browser that had not signed in to it \
since the password was set.

If it was you, there is nothing to do. If it was not you, change your password now, which signs out all other browsers:

  {url}/account
"""


async def enqueue_password_changed(tx: Transaction, settings: Settings, user: User, *, now: datetime) -> None:
    """Let the worker tell the person that their password was changed."""
    await _enqueue(tx, settings, user, "Your password was changed", _CHANGE_TEXT, now=now)


async def enqueue_new_browser(tx: Transaction, settings: Settings, user: User, *, now: datetime) -> None:
    """Let the worker tell the person that a browser signed in that is not known to the account."""
    await _enqueue(tx, settings, user, "A new browser signed in to your account", _BROWSER_TEXT, now=now)


async def _enqueue(tx: Transaction, settings: Settings, user: User, subject: str, text: str, *, now: datetime) -> None:
    if settings.smtp_url is not None:
        with in_time_zone(user.timezone or DEFAULT_ZONE):
            text = text.format(time=format_datetime(now), url=settings.public_url)
        await enqueue_emails(tx, *build_emails([user.email], subject, text))

"""E-mails to people about their own account: a changed password, and a browser that is new to the account.

They are sent only where a mail server is configured. They never quote the browser's `User-Agent`, which may be any text
and would look like ours.
"""

from collections.abc import Callable
from datetime import datetime

from sightline.accounts.models import User
from sightline.db.engine import Transaction
from sightline.mail.emails import EmailText, Recipient, build_emails, enqueue_emails, join_paragraphs
from sightline.presentation.dates import DEFAULT_ZONE, format_datetime, in_time_zone
from sightline.presentation.language import gettext
from sightline.settings import Settings


async def enqueue_password_changed(tx: Transaction, settings: Settings, user: User, *, now: datetime) -> None:
    """Enqueue an e-mail that tells the person that their password was changed."""
    await _enqueue(tx, settings, user, lambda: _write_password_changed(settings, now))


async def enqueue_new_browser(tx: Transaction, settings: Settings, user: User, *, now: datetime) -> None:
    """Enqueue an e-mail about a sign-in from a browser that is new to the account."""
    await _enqueue(tx, settings, user, lambda: _write_new_browser(settings, now))


async def _enqueue(tx: Transaction, settings: Settings, user: User, write: Callable[[], EmailText]) -> None:
    if settings.smtp_url is not None:
        with in_time_zone(user.timezone or DEFAULT_ZONE):
            emails = build_emails([Recipient(user.email, user.language)], write)
        await enqueue_emails(tx, *emails)


def _write_password_changed(settings: Settings, now: datetime) -> EmailText:
    changed = gettext(
        "The password of your Sightline account was changed on %(time)s. All other browsers were signed out.",
        time=format_datetime(now),
    )
    text = join_paragraphs(
        gettext("Hello,"),
        changed,
        gettext("If this was not you, choose a new password now:"),
        f"  {settings.public_url}/forgot-password",
    )
    return EmailText(gettext("Your password was changed"), text)


def _write_new_browser(settings: Settings, now: datetime) -> EmailText:
    signed_in = gettext(
        "Someone signed in to your Sightline account with your password on %(time)s, in a new browser. A browser is "
        "new if you have not signed in there with this password in the last 180 days.",
        time=format_datetime(now),
    )
    text = join_paragraphs(
        gettext("Hello,"),
        signed_in,
        gettext(
            "If this was you, you do not need to do anything. If this was not you, change your password now. "
            "This signs out all other browsers. Change it here:"
        ),
        f"  {settings.public_url}/account",
    )
    return EmailText(gettext("A new browser signed in to your account"), text)

"""E-mails to people about their own account: a changed password or second factor, and a browser that is new to it.

They are sent only where a mail server is configured. They never quote the browser's `User-Agent`, which may be any text
and would look like ours.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Literal

from sightline.accounts.models import User
from sightline.db.engine import Transaction
from sightline.mail.emails import EmailText, Recipient, build_emails, enqueue_emails, join_paragraphs
from sightline.presentation.dates import DEFAULT_ZONE, format_datetime, in_time_zone
from sightline.presentation.language import gettext, translatable
from sightline.settings import Settings


async def enqueue_password_changed(tx: Transaction, settings: Settings, user: User, *, now: datetime) -> None:
    """Enqueue an e-mail that tells the person that their password was changed."""
    await _enqueue(tx, settings, user, lambda: _write_password_changed(settings, now))


async def enqueue_email_changed(tx: Transaction, settings: Settings, before: User, *, now: datetime) -> None:
    """Enqueue an e-mail to the old address that tells the person that their address was changed."""
    await _enqueue(tx, settings, before, lambda: _write_email_changed(now))


async def enqueue_new_browser(tx: Transaction, settings: Settings, user: User, *, now: datetime) -> None:
    """Enqueue an e-mail about a sign-in from a browser that is new to the account."""
    await _enqueue(tx, settings, user, lambda: _write_new_browser(settings, now))


async def enqueue_identity_linked(
    tx: Transaction, settings: Settings, user: User, *, keeps_password: bool, now: datetime
) -> None:
    """Enqueue an e-mail about the first single sign-on to an account, and about what has become of its password."""
    await _enqueue(tx, settings, user, lambda: _write_identity_linked(settings, keeps_password, now))


FactorChange = Literal["added", "removed", "codes", "code_used", "reset"]


async def enqueue_factor_changed(
    tx: Transaction, settings: Settings, user: User, change: FactorChange, *, now: datetime
) -> None:
    """Enqueue an e-mail about a change of the second factors, or about the use of a recovery code."""
    await _enqueue(tx, settings, user, lambda: _write_factor_changed(settings, change, now))


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


def _write_email_changed(now: datetime) -> EmailText:
    text = join_paragraphs(
        gettext("Hello,"),
        gettext(
            "The e-mail address of your Sightline account was changed on %(time)s. This address no longer signs you "
            "in, and all other browsers were signed out.",
            time=format_datetime(now),
        ),
        gettext("If this was not you, tell an owner of your workspace or the operator of the installation now."),
    )
    return EmailText(gettext("Your e-mail address was changed"), text)


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


def _write_identity_linked(settings: Settings, keeps_password: bool, now: datetime) -> EmailText:
    ended = gettext(
        "Your password no longer works, and all other browsers were signed out. If you need a password, choose a new "
        "one:"
    )
    kept = gettext("Your password still works. If this was not you, choose a new one now:")
    text = join_paragraphs(
        gettext("Hello,"),
        gettext(
            "Someone signed in to your Sightline account through single sign-on for the first time, on %(time)s.",
            time=format_datetime(now),
        ),
        kept if keeps_password else ended,
        f"  {settings.public_url}/forgot-password",
    )
    return EmailText(gettext("Your account now uses single sign-on"), text)


_FACTOR_CHANGES: Mapping[FactorChange, str] = {
    "added": translatable("A second factor was added to your Sightline account."),
    "removed": translatable("A second factor was removed from your Sightline account."),
    "codes": translatable("New recovery codes were made for your Sightline account. The earlier ones no longer work."),
    "code_used": translatable("Someone signed in to your Sightline account with your password and a recovery code."),
    "reset": translatable(
        "The second factors of your Sightline account were removed by an owner of your workspace or by the operator, "
        "and you were signed out everywhere."
    ),
}


def _write_factor_changed(settings: Settings, change: FactorChange, now: datetime) -> EmailText:
    text = join_paragraphs(
        gettext("Hello,"),
        gettext(_FACTOR_CHANGES[change]),
        gettext("This happened on %(time)s.", time=format_datetime(now)),
        gettext("If this was not you, change your password now, and tell an owner of your workspace:"),
        f"  {settings.public_url}/account",
    )
    return EmailText(gettext("Your second factor changed"), text)

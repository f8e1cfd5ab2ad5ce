"""Creating users, finding them by e-mail, and renaming them."""

import uuid
from datetime import datetime
from functools import cache
from zoneinfo import available_timezones

from sightline.accounts import queries
from sightline.accounts.models import User
from sightline.db.engine import Reader, Transaction
from sightline.errors import invalid_field
from sightline.kit.email_addresses import is_email_address
from sightline.kit.ids import new_id
from sightline.kit.security_log import record_security_event
from sightline.presentation.language import LANGUAGES


def normalize_email(text: str) -> str:
    """Return the address in the form in which accounts are looked up, whether or not it follows today's rule."""
    return text.strip().lower()


def clean_email(text: str, field: str = "email") -> str:
    """Return the address as it is stored. Refused: one that no e-mail can be sent to (422)."""
    email = normalize_email(text)
    if not is_email_address(email):
        raise invalid_field(field, "must be one e-mail address, such as name@example.com", "email")
    return email


def clean_name(text: str, field: str = "name") -> str:
    name = " ".join(text.split())
    if not 1 <= len(name) <= 200 or not name.isprintable():
        raise invalid_field(field, "must have 1 to 200 characters", "length")
    return name


async def rename_user(tx: Transaction, user_id: uuid.UUID, name: str) -> None:
    await queries.set_user_name(tx, user_id, clean_name(name))


async def choose_time_zone(tx: Transaction, user_id: uuid.UUID, text: str) -> None:
    """Choose the time zone in which the person reads times; an empty text chooses that of each workspace."""
    await queries.set_user_timezone(tx, user_id, clean_time_zone(text) if text.strip() else None)


def clean_time_zone(text: str) -> str:
    """Return the name of a time zone. Refused: one that is not in the IANA database (422)."""
    name = text.strip()
    if name not in available_timezones():
        fault = "must be a name of the IANA time zone database, such as Europe/Berlin"
        raise invalid_field("timezone", fault, "unsupported")
    return name


async def choose_language(tx: Transaction, user_id: uuid.UUID, text: str) -> None:
    """Choose the language of pages and e-mails; an empty text chooses what the browser prefers."""
    language = text.strip() or None
    if language is not None and language not in LANGUAGES:
        raise invalid_field("language", f"must be one of {', '.join(LANGUAGES)}")
    await queries.set_user_language(tx, user_id, language)


@cache
def list_time_zones() -> tuple[str, ...]:
    """Return the names of time zones that people are offered: those of regions, and UTC."""
    skipped = ("Etc/", "SystemV/", "US/", "posix/", "right/")
    return ("UTC", *sorted(name for name in available_timezones() if "/" in name and not name.startswith(skipped)))


async def create_user(tx: Transaction, email: str, name: str, password_hash: str, *, now: datetime) -> User | None:
    """Create a user; return None when the e-mail is taken."""
    user = User(id=new_id(), email=email, name=name.strip() or email.split("@", maxsplit=1)[0], created_at=now)
    if not await queries.insert_user(tx, user, password_hash):
        return None
    record_security_event("account_created", user_id=user.id)
    return user


async def forget_user(tx: Transaction, user_id: uuid.UUID) -> None:
    """Delete a person's account for good: name, address, password, sessions and memberships.

    The id stays, with a pseudonym in place of the name, because audit logs and corrections of workspaces refer to it.
    """
    await queries.delete_rows_of_user(tx, user_id)
    await queries.pseudonymize_user(tx, user_id, name=f"Former user {user_id.hex[-6:]}")
    record_security_event("account_deleted", user_id=user_id)


async def find_user(db: Reader, email: str) -> User | None:
    """Find a user by e-mail, which may be written in any case."""
    return await queries.find_user_by_email(db, normalize_email(email))

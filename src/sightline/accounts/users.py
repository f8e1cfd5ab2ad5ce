"""Creating users, finding them by e-mail, and renaming them."""

import re
import uuid
from datetime import datetime

from sightline.accounts import queries
from sightline.accounts.models import User
from sightline.db.engine import Reader, Transaction
from sightline.errors import invalid_field
from sightline.kit.ids import new_id

# One @, no white space, a dot in the host. Only the mail server knows whether the address exists.
_EMAIL = re.compile(r"[^@\s]{1,64}@[^@\s.]+(\.[^@\s.]+)+")


def clean_email(text: str, field: str = "email") -> str:
    email = text.strip().lower()
    if len(email) > 254 or not _EMAIL.fullmatch(email):
        raise invalid_field(field, "must be an e-mail address", "email")
    return email


def clean_name(text: str, field: str = "name") -> str:
    name = " ".join(text.split())
    if not 1 <= len(name) <= 200 or not name.isprintable():
        raise invalid_field(field, "must have 1 to 200 characters", "length")
    return name


async def rename_user(tx: Transaction, user_id: uuid.UUID, name: str) -> None:
    await queries.set_user_name(tx, user_id, clean_name(name))


async def create_user(tx: Transaction, email: str, name: str, password_hash: str, *, now: datetime) -> User | None:
    """Create a user; return None when the e-mail is taken."""
    user = User(id=new_id(), email=email, name=name.strip() or email.split("@", maxsplit=1)[0], created_at=now)
    return user if await queries.insert_user(tx, user, password_hash) else None


async def find_user(db: Reader, email: str) -> User | None:
    """Find a user by e-mail, which may be written in any case."""
    return await queries.find_user_by_email(db, clean_email(email))


async def list_users_any_workspace(db: Reader) -> list[tuple[User, list[str]]]:
    """Return every user with lines of the form "role of workspace", for the operator."""
    return await queries.list_users_any_workspace(db)

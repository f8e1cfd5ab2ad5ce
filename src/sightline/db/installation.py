"""Facts about the whole installation. They are columns of one row, and this module alone writes it."""

from typing import Any, Literal

from sightline.db.engine import Reader, Transaction

Fact = Literal[
    "console_enabled",
    "purchases_enabled",
    "demo",
    "has_default_retention",
    "sandbox_ended_at",
    "first_operator_at",
    "payloads_removed_to",
    "payloads_checked_to",
    "payloads_checked_at",
]


async def read_fact(db: Reader, fact: Fact, *, lock: Literal["", "FOR SHARE", "FOR UPDATE"] = "") -> Any:
    """Return a fact. A lock holds all facts until the transaction ends."""
    return await db.fetchval(f"SELECT {fact} FROM installation {lock}")


async def store_fact(tx: Transaction, fact: Fact, value: object) -> None:
    await tx.execute(f"UPDATE installation SET {fact} = $1", value)

"""The operator's switch for the Console API of the whole installation."""

from sightline.db.engine import Transaction
from sightline.db.installation import store_fact
from sightline.kit.security_log import record_security_event


async def set_console_enabled(tx: Transaction, *, enabled: bool) -> None:
    await store_fact(tx, "console_enabled", enabled)
    record_security_event("console_switched", enabled=enabled)

"""The operator's switch for the Console API of the whole installation."""

from sightline.db.engine import Transaction
from sightline.kit.security_log import record_security_event
from sightline.usage import queries


async def set_console_enabled(tx: Transaction, *, enabled: bool) -> None:
    await queries.set_console_enabled(tx, enabled=enabled)
    record_security_event("console_switched", enabled=enabled)

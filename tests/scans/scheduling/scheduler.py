"""A scheduler in a separate process: `python -m tests.scans.scheduling.scheduler URL NOW`. It ticks until killed."""

import asyncio
import sys
from datetime import datetime

from sightline.db.engine import Database
from sightline.scans.scheduling.tick import tick
from sightline.settings import Settings


async def run(url: str, now: datetime) -> None:
    db = Database(url, pool_size=2)
    await db.open()
    while True:
        await tick(db, Settings(), now=now)


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1], datetime.fromisoformat(sys.argv[2])))

"""One workspace with some hundred Console domains as customers have them, and keys to read them with."""

import asyncio
import random
from datetime import datetime, timedelta

from bench.comparison import Question
from bench.environment import BenchEnvironment
from bench.plan import Plan
from sightline.accounts.users import create_user
from sightline.accounts.workspaces import create_workspace
from sightline.api_keys.issue import NewKey, mint_key
from sightline.db.engine import Database, Transaction
from sightline.domains.models import BrandDetails, Competitor
from sightline.domains.queries import insert_console_domain
from sightline.kit.clock import utc_now
from sightline.kit.ids import new_id
from sightline.plans.table import Plan as CustomerPlan

PATH = "/api/v1/console/domains"
_DOMAINS = 300
_WORDS = (
    "north",
    "harbour",
    "lumen",
    "alder",
    "quartz",
    "vela",
    "cobalt",
    "meadow",
    "tandem",
    "orbit",
    "fjord",
    "maple",
)
_TRADES = ("software", "coffee", "travel", "health", "energy", "studio", "bank", "foods")
_ENDINGS = ("com", "io", "de", "co.uk", "fr", "org")


def prepare(environment: BenchEnvironment, plan: Plan) -> Question:
    keys = asyncio.run(_fill(environment.database_url, plan.connections))
    return Question(PATH, [{"X-API-Key": key, "Accept": "application/json"} for key in keys])


async def _fill(database_url: str, keys: int) -> list[str]:
    db = Database(database_url, pool_size=1)
    await db.open()
    try:
        now = utc_now()
        async with db.transaction() as tx:
            owner = await create_user(tx, "owner@acme.com", "Owner", "no password opens this", now=now)
            assert owner is not None
            workspace = await create_workspace(tx, owner, "Acme", CustomerPlan.AGENCY, now=now)
            for number in range(_DOMAINS):
                await _add_domain(tx, workspace.id, number, now - timedelta(hours=_DOMAINS - number))
            made = [
                await mint_key(
                    tx, workspace.id, owner.id, NewKey(name=f"Key {n}", kind="console", livemode=True), now=now
                )
                for n in range(keys)
            ]
        await db.execute("ANALYZE")  # now, instead of when autovacuum sees fit
        return [secret for _, secret in made]
    finally:
        await db.close()


async def _add_domain(tx: Transaction, workspace_id, number: int, created_at: datetime) -> None:
    chance = random.Random(number)  # the same domains in every run
    brand = f"{chance.choice(_WORDS).title()} {chance.choice(_TRADES).title()}"
    slug = f"{brand.lower().replace(' ', '-')}-{number}"
    details = BrandDetails(
        brand,
        aliases=[brand.replace(" ", ""), f"{brand} {chance.choice(('GmbH', 'Inc.', 'Ltd', 'Société'))}"],
        owned_domains=[f"{slug}.{ending}" for ending in chance.sample(_ENDINGS[1:], chance.randint(0, 2))],
        competitors=[
            Competitor(f"{word}-{chance.choice(_TRADES)}.com", word.title())
            for word in chance.sample(_WORDS, chance.randint(0, 5))
        ],
    )
    domain_id = new_id()
    await insert_console_domain(tx, workspace_id, domain_id, f"{slug}.com", details, livemode=True, now=created_at)
    if number % 5:  # one in five was never checked
        await _add_figures(tx, workspace_id, domain_id, created_at, chance)


async def _add_figures(tx: Transaction, workspace_id, domain_id, created_at, chance: random.Random) -> None:
    await tx.execute(
        """UPDATE domains SET latest_visibility_score = $3, latest_brand_coverage_pct = $4,
                  latest_market_position = $5, last_scan_at = $6, scan_count = $7
           WHERE workspace_id = $1 AND id = $2""",
        workspace_id,
        domain_id,
        chance.uniform(0, 100),
        chance.uniform(0, 100),
        chance.randint(1, 6),
        created_at + timedelta(minutes=chance.randint(5, 50)),
        chance.randint(1, 40),
    )

"""A copy of all tables of a domain, kept up to date by cursors as an analyst would, and a domain that changes."""

import json

import msgspec

from sightline.accounts.models import build_operator_actor
from sightline.competitors.review import add_competitor, hide_competitor
from sightline.domains.recomputations.request import RecomputeJob
from sightline.domains.tracking.change import BrandChanges, change_tracked_domain
from sightline.insights.recommendations.tasks import mark_done, mark_open, read_tasks
from sightline.prompts.tags.change import change_tags
from sightline.scans.corrections.record import correct_answer
from sightline.scans.corrections.schemas import CorrectionInput
from sightline.scans.running.analyzers import InProcessAnalyzer
from sightline.scoreboard.recompute.run import recompute_domain
from sightline.tables.catalog import TABLES
from sightline.tables.models import Extent, TableRead, TableSource
from sightline.tables.read import open_position, stream_lines
from tests.scan_history import UNCITED, ScanHistory, ScriptedAnswer

TEXTS = (
    "1. Acme is a great anvil.\n2. Globex is noisy.\n3. Initech is cheap.",
    "Globex makes a good anvil. Akme is a steady one, too.",
    "Take any anvil that is heavy enough for you.",
    "Initech is fine; Acme is overpriced and fragile.",
)
SOURCES = ("https://acme.com/anvils", "https://shop.globex.com/x", "https://www.g2.com/anvils", "https://akme.io/")


class TableReader:
    """Holds the rows of every table by id, and the cursor of each."""

    def __init__(self, history: ScanHistory) -> None:
        self.history = history
        self.rows: dict[str, dict[str, dict]] = {name: {} for name in TABLES}
        self.cursors: dict[str, tuple[str, ...] | None] = dict.fromkeys(TABLES)
        self.sent = 0

    async def read(self, *names: str) -> None:
        """Read what changed since the last time, in these tables or in all."""
        db = self.history.installation.db
        for name in names or TABLES:
            position = await open_position(db, self.cursors[name])
            async for lines in stream_lines(db, self._read(name, position.since), "jsonl"):
                for row in map(json.loads, lines.splitlines()):
                    self.sent += 1
                    if row["removed_at"] is None:
                        self.rows[name][row["row_id"]] = row
                    else:
                        self.rows[name].pop(row["row_id"], None)
            self.cursors[name] = position.to_next_key()

    async def reads_nothing(self) -> bool:
        """Read and return whether nothing was sent.

        A change is sent again as long as an older transaction runs in any database of the cluster, and other tests have
        such transactions: wait for this, do not assert it.
        """
        before = self.sent
        await self.read()
        return self.sent == before

    def find_differences(self, other: "TableReader") -> list[tuple]:
        """Return table, id and both rows where two copies differ."""
        return [
            (name, row_id, rows.get(row_id), other.rows[name].get(row_id))
            for name, rows in self.rows.items()
            for row_id in sorted({*rows, *other.rows[name]})
            if rows.get(row_id) != other.rows[name].get(row_id)
        ]

    def _read(self, name: str, since) -> TableRead:
        source = TableSource(workspace_id=self.history.workspace_id, domain_id=self.history.domain_id)
        return TableRead(table=TABLES[name], source=source, extent=Extent(text=True), since=since)


class ChangingDomain:
    """A tracked domain whose history changes by the real functions; recomputations run at once."""

    def __init__(self, history: ScanHistory) -> None:
        self.history, self.installation = history, history.installation
        self.workspace_id, self.domain_id = history.workspace_id, history.domain_id
        self.actor = build_operator_actor(self.workspace_id, user_id=history.tenant.owner.id)

    @classmethod
    async def open(cls, installation) -> "ChangingDomain":
        history = await ScanHistory.open(installation, "which anvil is good", "is Akme a good anvil")
        history.competitors = ()
        history.platforms = ("chatgpt", "gemini")
        return cls(history)

    async def check(self, choices, scope: str = "full_check"):
        """Run a check in which the answers have the chosen texts and sources."""
        drawn = iter(choices)

        def say(*_):
            choice = next(drawn)
            return None if choice == 4 else ScriptedAnswer(TEXTS[choice], SOURCES[choice:])

        self.installation.clock.advance(days=1)
        scan_id = await self.history.run_scan(scope, say)
        await self._recompute()
        return scan_id

    async def rename(self, aliases) -> None:
        key, changes = (self.workspace_id, self.domain_id), BrandChanges(aliases=list(aliases))
        await self._write(lambda tx, now: change_tracked_domain(tx, *key, changes, now=now))
        await self._recompute()

    async def compete(self, domain: str, *, hide: bool) -> None:
        async def change(tx, now):
            row = await add_competitor(tx, self.workspace_id, self.domain_id, domain, now=now)
            if hide:
                await hide_competitor(tx, self.workspace_id, self.domain_id, row.id, now=now)

        await self._write(change)
        await self._recompute()

    async def correct(self) -> None:
        """Say of the first "Acme" in the oldest answer that has one that it is not the brand."""
        row = await self.installation.db.fetchrow(
            """SELECT a.scan_id, a.id, a.text FROM answers a
               WHERE a.workspace_id = $1 AND position('Acme' IN a.text) > 0
                 AND NOT EXISTS (SELECT FROM corrections c WHERE c.workspace_id = $1 AND c.answer_id = a.id)
               ORDER BY a.scan_id, a.id LIMIT 1""",
            self.workspace_id,
        )
        if row is None:
            return
        start = row["text"].index("Acme")
        payload = CorrectionInput(
            str(row["scan_id"]), str(row["id"]), "not_this_brand", start, start + len("Acme"), "Acme"
        )
        await self._write(lambda tx, now: correct_answer(tx, self.actor, self.domain_id, payload, now=now))
        await self._recompute()

    async def tag(self, tx, tags) -> None:
        """Give the first prompt these tags and no others."""
        prompt = await tx.fetchrow(
            "SELECT id, tags FROM prompts WHERE workspace_id = $1 ORDER BY id LIMIT 1", self.workspace_id
        )
        lost = set(prompt["tags"]) - set(tags)
        await change_tags(tx, self.workspace_id, self.domain_id, [prompt["id"]], add=list(tags), remove=list(lost))

    async def mark(self) -> None:
        """Mark the first open recommendation as done, or reopen the done ones."""

        async def change(tx, now):
            tasks = await read_tasks(tx, self.workspace_id, self.domain_id)
            if tasks.open and tasks.open[0].found.kind != "nothing_significant":
                await mark_done(tx, self.actor, self.domain_id, tasks.open[0].key, now=now)
            for task in tasks.done:
                await mark_open(tx, self.actor, self.domain_id, task.key)

        await self._write(change)

    async def _write(self, change) -> None:
        async with self.installation.db.transaction() as tx:
            await change(tx, self.installation.clock())

    async def _recompute(self) -> None:
        job = await self.installation.db.fetchrow("SELECT id, payload FROM jobs WHERE kind = 'domain.recompute'")
        if job is not None:
            await recompute_domain(
                self.installation.db,
                msgspec.json.decode(job["payload"], type=RecomputeJob),
                job_id=job["id"],
                analyzer=InProcessAnalyzer("model"),
                uncited=UNCITED,
                clock=self.installation.clock,
            )

"""A history of scans of acme.com with scripted answers; everything else is the real code.

A test says what each platform answers. The answers are analyzed, stored and processed as a worker does it, at the time
of the test clock.
"""

import json
import uuid
from collections.abc import Callable

import msgspec

from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.db.jsonb import to_jsonb
from sightline.insights.editor.service import OpenEditor
from sightline.insights.generate import generate_insights
from sightline.insights.recommendations.robots import FetchRobots
from sightline.kit.ids import new_id
from sightline.metrics.observation import Surface
from sightline.plans.table import Plan as WorkspacePlan
from sightline.platforms.models import Fault, Source
from sightline.prompts.identity import CleanPrompt
from sightline.prompts.queries import insert_prompt, list_tracked_prompts
from sightline.scans.analyze_answer import analyze_answer
from sightline.scans.brands import MeasuredBrands
from sightline.scans.jobs import ScanJob
from sightline.scans.models import Provenance, ScanAnswer, ScanPlan, ScanPrompt
from sightline.scans.outcome.queries import insert_results
from sightline.scans.queries import insert_scan, move_scan
from sightline.scans.record import summarize_scan
from sightline.scans.states import ScanStatus
from sightline.scans.stored import NewScan, ScanMetrics, to_record
from sightline.scans.table_rows import build_table_rows
from sightline.scoreboard.apply_scan import handle_completed_scan
from sightline.tables.stored_rows import store_scan_rows

ACME = Brand("Acme", (), ("acme.com",))
GLOBEX = Brand("Globex", (), ("globex.com",))
INITECH = Brand("Initech", (), ("initech.com",))
PLATFORMS = ("chatgpt", "gemini", "perplexity")
UNCITED = {"live": frozenset(), "sandbox": frozenset()}
_PROVENANCE = Provenance(surface="sandbox", vendor="sandbox", model_asked="m-1", model_served="m-1", latency_ms=900)
_NO_METRICS = ScanMetrics(
    visibility_score=None, brand_coverage_pct=None, ai_mentions=None, citation_count=None, market_position=None
)


class ScriptedAnswer(msgspec.Struct, frozen=True):
    """An answer with sources or searches."""

    text: str
    cited: tuple[str | Source, ...] = ()
    retrieved: tuple[str | Source, ...] = ()
    queries: tuple[str, ...] = ()


AnswerScript = Callable[[ScanPrompt, str], ScriptedAnswer | str | None]
"""Returns what a platform answers to a prompt, or None for a failure."""


class ScanHistory:
    def __init__(self, installation, tenant, domain_id: str) -> None:
        self.installation, self.tenant = installation, tenant
        self.workspace_id, self.domain_id = tenant.workspace.id, uuid.UUID(domain_id)
        self.platforms = PLATFORMS
        self.competitors = (GLOBEX, INITECH)
        self.cost_usd: float | None = None
        """What each answer costs."""
        self.surfaces: dict[str, Surface] = {}
        """The surfaces of platforms that are not asked on the sandbox."""

    @classmethod
    async def open(cls, installation, *prompts: str, plan: WorkspacePlan = WorkspacePlan.AGENCY):
        tenant = await installation.tenant(plan)
        history = cls(installation, tenant, await installation.tracked_domain(tenant))
        for text in prompts:
            await history.add_prompt(text)
        return history

    async def add_prompt(self, text: str, *, language: str | None = "en", country: str | None = None) -> uuid.UUID:
        clean = CleanPrompt(text, country, language)
        async with self.installation.db.transaction() as tx:
            row = await insert_prompt(
                tx,
                self.workspace_id,
                self.domain_id,
                new_id(),
                clean,
                "added_by_you",
                pinned=False,
                now=self.installation.clock(),
            )
        return row.id

    async def run_daily_check(self, say: AnswerScript) -> uuid.UUID:
        """Run a Daily Check one day later."""
        self.installation.clock.advance(days=1)
        return await self.run_scan("daily_check", say)

    async def run_full_check(self, say: AnswerScript) -> uuid.UUID:
        self.installation.clock.advance(days=1)
        return await self.run_scan("full_check", say)

    async def run_scan(self, scope: str, say: AnswerScript, *, insights: bool = True) -> uuid.UUID:
        """Complete a scan now, process it and, unless told otherwise, generate its insights."""
        scan_id = await self.store_scan(scope, say)
        job = ScanJob(self.workspace_id, scan_id)
        plans, clock = self.installation.app_context.plans, self.installation.clock
        await handle_completed_scan(self.installation.db, job, uncited=UNCITED, plans=plans, clock=clock)
        if insights:
            await self.generate_insights(scan_id)
        return scan_id

    async def generate_insights(
        self, scan_id: uuid.UUID, *, fetch_robots: FetchRobots | None = None, open_editor: OpenEditor | None = None
    ) -> None:
        job = ScanJob(self.workspace_id, scan_id)
        await generate_insights(
            self.installation.db,
            job,
            uncited=UNCITED,
            clock=self.installation.clock,
            base_url="https://sightline.example",
            fetch_robots=fetch_robots,
            open_editor=open_editor,
        )

    async def store_scan(self, scope: str, say: AnswerScript) -> uuid.UUID:
        """Store a completed scan with its answers and results, as a worker does."""
        now, tracked = (
            self.installation.clock(),
            await list_tracked_prompts(self.installation.db, self.workspace_id, self.domain_id),
        )
        prompts = tuple(
            ScanPrompt(id=str(each.id), text=each.prompt, language=each.language_code, country=each.country_iso_2)
            for each in tracked
        )
        plan = ScanPlan(
            domain="acme.com", brand=ACME, competitors=self.competitors, prompts=prompts, platforms=self.platforms
        )
        scored = scope == "full_check"
        made = [
            _to_scan_answer(
                prompt, platform, say(prompt, platform), self.cost_usd, self.surfaces.get(platform, "sandbox")
            )
            for prompt in prompts
            for platform in self.platforms
        ]
        lexicon = Lexicon(plan.tracked)
        scorer = "model" if scored else None
        read = [analyze_answer(each, lexicon, sentiment=scorer) if each.status == "ok" else each for each in made]
        whole = summarize_scan(
            plan,
            read,
            answers_source="sandbox",
            prompts_source="given",
            started_at=now,
            stopped=False,
            sentiment=scored,
        )
        scan = NewScan(
            id=new_id(),
            domain_id=self.domain_id,
            domain="acme.com",
            livemode=True,
            measurement_scope=scope,
            priority=20,
            answers_source="sandbox",
            measured=MeasuredBrands(ACME, self.competitors),
            selected_platforms=self.platforms,
            prompts=prompts,
            credits_charged=0,
            answers_total=plan.size,
        )
        places = {prompt.id: place for place, prompt in enumerate(prompts)}
        async with self.installation.db.transaction() as tx:
            assert await insert_scan(tx, self.workspace_id, scan, now=now)
            await tx.executemany(
                "INSERT INTO answers VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
                [
                    (self.workspace_id, scan.id, uuid.UUID(each.id), places[each.prompt.id], each.platform,
                     each.prompt.country, each.status, each.text, to_record(each), now)
                    for each in whole.answers
                ],
            )  # fmt: skip
            way = {"from_": ScanStatus.PENDING, "to": ScanStatus.RUNNING}
            await move_scan(tx, self.workspace_id, scan.id, **way, now=now)
            results = msgspec.json.encode(whole.results)
            await insert_results(tx, self.workspace_id, scan.id, results)
            rows = build_table_rows(scan.id, scope, plan, whole.results, ((each, now) for each in whole.answers))
            await store_scan_rows(
                tx, self.workspace_id, self.domain_id, scan.id, {name: to_jsonb(found) for name, found in rows.items()}
            )
            way = {"from_": ScanStatus.RUNNING, "to": ScanStatus.COMPLETED}
            assert await move_scan(tx, self.workspace_id, scan.id, **way, now=now, metrics=_NO_METRICS)
        return scan.id

    async def rows(self, table: str) -> list[dict]:
        """Return the rows of the domain in a table, oldest first."""
        query = f"SELECT * FROM {table} WHERE workspace_id = $1 AND domain_id = $2 ORDER BY id"
        return [dict(row) for row in await self.installation.db.fetch(query, self.workspace_id, self.domain_id)]

    async def jobs(self, kind: str) -> list[dict]:
        query = "SELECT payload FROM jobs WHERE kind = $1 ORDER BY id"
        return [json.loads(row[0]) for row in await self.installation.db.fetch(query, kind)]


def _to_scan_answer(
    prompt: ScanPrompt, platform: str, said: ScriptedAnswer | str | None, cost_usd: float | None, surface: Surface
) -> ScanAnswer:
    whole = ScriptedAnswer(said) if isinstance(said, str) else said or ScriptedAnswer("")
    return ScanAnswer(
        id=str(new_id()),
        prompt=prompt,
        platform=platform,
        status="failed" if said is None else "ok",
        text=whole.text,
        cited=tuple(each if isinstance(each, Source) else Source(each) for each in whole.cited),
        retrieved=tuple(each if isinstance(each, Source) else Source(each) for each in whole.retrieved),
        queries=whole.queries,
        fault=Fault("timeout", "It took too long.") if said is None else None,
        provenance=msgspec.structs.replace(_PROVENANCE, cost_usd=cost_usd, surface=surface),
    )

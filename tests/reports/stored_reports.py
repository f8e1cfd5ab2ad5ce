"""A tracked domain with completed scans of known answers, analyzed and stored as the worker does it."""

import uuid
from datetime import timedelta

import msgspec

from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.insights.alerts.models import Evidence, Share
from sightline.insights.models import (
    AskedPrompt,
    NamedShare,
    ProvingAnswer,
    RecommendedPage,
    StoredOpportunity,
    StoredRecommendation,
    StoredTheme,
)
from sightline.kit.ids import new_id
from sightline.metrics.recommendations import ExpectedEffect
from sightline.platforms.models import Fault, Source
from sightline.reports.weekly.models import ReportDocument, ReportRow
from sightline.reports.weekly.queries import insert_report
from sightline.reports.weekly.write import write_report
from sightline.scans.analyze_answer import analyze_answer
from sightline.scans.brands import MeasuredBrands
from sightline.scans.jobs import ScanJob
from sightline.scans.models import Provenance, ScanAnswer, ScanPrompt
from sightline.scans.queries import find_scan, insert_scan, move_scan
from sightline.scans.running.analysis import ScanContext, summarize_answers
from sightline.scans.running.running_scans import build_plan
from sightline.scans.states import Priority, ScanStatus
from sightline.scans.stored import AnswerRow, NewScan, to_record
from sightline.scoreboard.apply_scan import record_scan
from sightline.scoreboard.queries import find_scan_board
from sightline.scoreboard.schemas import Board

BRAND = Brand("Acme", (), ("acme.com",))
RIVALS = (Brand("Globex", (), ("globex.com",)), Brand("Initech", (), ("initech.com",)))
PLATFORMS = ("chatgpt", "gemini", "perplexity")
PROMPTS = tuple(
    f"best anvil for {use}"
    for use in ("a small forge", "beginners", "jewellers", "farriers", "schools", "knives", "armour", "artists")
)
BASE_URL = "https://sightline.acme.com"
UNCITED = {"live": frozenset(), "sandbox": frozenset()}

FIRST = ("1. **Acme** is a solid and excellent choice.\n2. Globex is fine.\n3. Initech", "https://acme.com/anvils")
SECOND = ("1. Globex leads.\n2. Acme is good, too.\n3. Initech", "https://reviews.com/anvils")
ABSENT = ("1. Globex\n2. Initech\n\nBoth are sold everywhere.", "https://reviews.com/anvils", "https://globex.com/a")
CITED = ("Most smiths ask their neighbours first, and rightly so.", "https://acme.com/guide")


def mixed_answers(prompt: int, platform: int):
    """Return an answer that names the brand first, second, only cites it, or leaves it out."""
    return (FIRST, ABSENT, SECOND, ABSENT, CITED)[(prompt * 2 + platform) % 5]


_DROP = Evidence(
    against_scan_id=uuid.UUID(int=1),
    scan_id=uuid.UUID(int=2),
    rules=("previous_daily",),
    before=Share(7, 8),
    low=0.5,
    high=0.98,
    now=Share(1, 8),
    matched_cells=8,
    lost=6,
    gained=0,
    delta=-75.0,
    p=0.0313,
    verdict="down",
    proofs=(),
)


class ReportedDomain:
    """One domain of one tenant, scanned at the time of the installation's clock."""

    def __init__(self, installation, tenant, *, brand=BRAND, rivals=RIVALS, prompts=PROMPTS, countries=(None,)) -> None:
        self.installation, self.tenant, self.measured = installation, tenant, MeasuredBrands(brand, tuple(rivals))
        self.domain_id = uuid.UUID(int=0)
        self.prompts = [
            ScanPrompt(id=str(new_id()), text=text, language="en", country=country)
            for country in countries
            for text in prompts
        ]

    @property
    def workspace_id(self) -> uuid.UUID:
        return self.tenant.workspace.id

    @classmethod
    async def open(cls, installation, tenant=None, *, name="acme.com", **details):
        tracked = cls(installation, tenant or await installation.tenant(), **details)
        tracked.domain_id = uuid.UUID(await installation.tracked_domain(tracked.tenant, name))
        await installation.db.execute("UPDATE domains SET status = 'active' WHERE id = $1", tracked.domain_id)
        for prompt in tracked.prompts:
            await installation.db.execute(
                """INSERT INTO prompts (workspace_id, id, domain_id, prompt, identity, language_code, country_iso_2,
                                        source, status, created_at)
                   VALUES ($1, $2, $3, $4, $4, 'en', $5, 'added_by_you', 'active', $6)""",
                tracked.workspace_id,
                uuid.UUID(prompt.id),
                tracked.domain_id,
                prompt.text,
                prompt.country,
                installation.clock(),
            )
        return tracked

    async def complete_scan(
        self, answers=mixed_answers, *, scope="full_check", days=0, source="sandbox", prompts=None
    ) -> ScanJob:
        """Store a completed scan, `days` after the previous one.

        `answers(prompt, platform)` returns a text and the pages it cites, or None for a failed answer.
        """
        self.installation.clock.advance(days=days)
        asked, db, now = tuple(prompts or self.prompts), self.installation.db, self.installation.clock()
        new_scan = NewScan(
            id=new_id(),
            domain_id=self.domain_id,
            domain="acme.com",
            livemode=True,
            measurement_scope=scope,
            priority=Priority.FIRST,
            answers_source=source,
            measured=self.measured,
            selected_platforms=PLATFORMS,
            prompts=asked,
            credits_charged=0,
            answers_total=len(asked) * len(PLATFORMS),
        )
        async with db.transaction() as tx:
            scan = await insert_scan(tx, self.workspace_id, new_scan, now=now)
            await move_scan(tx, self.workspace_id, scan.id, from_=ScanStatus.PENDING, to=ScanStatus.RUNNING, now=now)
        rows = [
            self._row(scan.id, place, platform, answers(place, number))
            for place in range(len(asked))
            for number, platform in enumerate(PLATFORMS)
        ]
        scan = await find_scan(db, self.workspace_id, scan.id)
        summary = summarize_answers(build_plan(scan, frozenset()), rows, ScanContext.from_row(scan))
        async with db.transaction() as tx:
            for row in rows:
                values = msgspec.structs.asdict(row) | {"record": summary.updated_records.get(row.id, row.record)}
                await tx.execute(
                    "INSERT INTO answers VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
                    self.workspace_id,
                    *values.values(),
                )
            await tx.execute(
                "INSERT INTO scan_results VALUES ($1, $2, $3, '1', '2')", self.workspace_id, scan.id, summary.results
            )
            await move_scan(
                tx,
                self.workspace_id,
                scan.id,
                from_=ScanStatus.RUNNING,
                to=ScanStatus.COMPLETED,
                now=now + timedelta(minutes=2),
                metrics=summary.metrics,
            )
        await record_scan(
            db,
            await find_scan(db, self.workspace_id, scan.id),
            uncited=UNCITED,
            plans=self.installation.app_context.plans,
        )
        self.installation.clock.advance(minutes=3)
        return ScanJob(self.workspace_id, scan.id)

    def _row(self, scan_id, place, platform, content) -> AnswerRow:
        prompt = self.prompts[place]
        text, *cited = content or ("",)
        answer = ScanAnswer(
            id=str(new_id()),
            prompt=prompt,
            platform=platform,
            status="ok" if content else "failed",
            text=text,
            cited=tuple(Source(url) for url in cited),
            fault=None if content else Fault("timeout", "why"),
            provenance=Provenance(surface="api", vendor="sandbox", model_served="m-1"),
        )
        if content:
            brands = Lexicon((self.measured.brand, *self.measured.competitors))
            answer = analyze_answer(answer, brands, sentiment="model")
        return AnswerRow(
            scan_id,
            uuid.UUID(answer.id),
            place,
            platform,
            prompt.country,
            answer.status,
            text,
            to_record(answer),
            self.installation.clock(),
        )

    async def store_insights(self, job: ScanJob, *, listings: int = 1) -> None:
        """Store insights of the scan: a theme, recommendations, an opportunity and an alert."""
        rows = await self.installation.db.fetch(
            "SELECT id FROM answers WHERE scan_id = $1 ORDER BY prompt_index, platform", job.scan_id
        )
        ids = [row[0] for row in rows]
        theme = StoredTheme(
            descriptor="solid choice", kind="distinctive", answers=9, share=37.5, log_odds=1.9, z=3.1, polarity=80.0,
            polarity_label="positive", quote="a solid and excellent choice", answer_ids=tuple(ids[:3]),
        )  # fmt: skip
        asked = self.prompts[1]
        tasks = [
            *(
                StoredRecommendation(
                    kind="get_listed", subject=f"reviews{number}.com/anvils", site=f"reviews{number}.com",
                    site_type="editorial", pages=(RecommendedPage(url=f"reviews{number}.com/anvils", answers=5),),
                    prompts=(AskedPrompt(asked.id, asked.text),), platforms=("chatgpt", "gemini"), rivals=("Globex",),
                    expected=ExpectedEffect(3.0, 1.2, 4.4),
                    proofs=tuple(ProvingAnswer(job.scan_id, one) for one in ids[3:8]),
                )
                for number in range(listings)
            ),
            StoredRecommendation(
                kind="open_door", subject="perplexity", platforms=("perplexity",), share=NamedShare(1, 8),
                other_share=NamedShare(12, 16), expected=ExpectedEffect(1.0, 0.4, 2.0),
                proofs=(ProvingAnswer(job.scan_id, ids[2]), ProvingAnswer(new_id(), new_id())),
            ),
        ]  # fmt: skip
        chance = StoredOpportunity(
            prompt_id=uuid.UUID(asked.id), prompt=asked.text, language_code="en", country_iso_2=asked.country,
            score=66.5234, demand=0.5, gap=0.6, winnability=0.7, demand_unknown=True, low_evidence=False,
            competitors=(), sources=(), answer_ids=tuple(ids[3:5]),
        )  # fmt: skip
        place, execute, now = (
            (self.workspace_id, self.domain_id, job.scan_id),
            self.installation.db.execute,
            self.installation.clock(),
        )
        encode = msgspec.json.encode
        await execute("INSERT INTO themes VALUES ($1, $4, $2, $3, 0, $5)", *place, new_id(), encode(theme))
        for number, task in enumerate(tasks):
            query = "INSERT INTO recommendations VALUES ($1, $4, $2, $3, $5, $6)"
            await execute(query, *place, new_id(), number, encode(task))
        await execute(
            "INSERT INTO opportunities VALUES ($1, $4, $2, $3, $5, 66.5234, false, $6, $7)",
            *place, new_id(), chance.prompt_id, encode(chance), now,
        )  # fmt: skip
        seen = now - timedelta(days=2)
        await execute(
            """INSERT INTO alerts (workspace_id, id, domain_id, type, scope, state, evidence, scan_id, watched_at,
                                   confirmed_at, updated_at)
               VALUES ($1, $4, $2, 'coverage_drop', 'platform:gemini', 'confirmed', $6, $3, $5, $5, $5)""",
            *place, new_id(), seen, encode(_DROP),
        )  # fmt: skip

    async def write(self, job: ScanJob) -> None:
        await write_report(self.installation.db, job, clock=self.installation.clock, base_url=BASE_URL)

    async def report(self, job: ScanJob) -> dict:
        """Return the stored row with its document decoded."""
        row = await self.installation.db.fetchrow("SELECT * FROM reports WHERE scan_id = $1", job.scan_id)
        return dict(row) | {"document": msgspec.json.decode(row["document"], type=ReportDocument)}

    async def board(self, job: ScanJob) -> Board:
        stored = await find_scan_board(self.installation.db, self.workspace_id, job.scan_id)
        return msgspec.json.decode(stored, type=Board)


async def store_report(installation, workspace_id, domain_id, *, html="<!doctype html>", pdf=b"%PDF-1.7") -> uuid.UUID:
    """Store a report as an early release stored it: with its forms, and without the facts that they are made from."""
    now = installation.clock()
    row = ReportRow(workspace_id, new_id(), domain_id, new_id(), "Acme in AI answers", "All is well.", now, now, now)
    async with installation.db.transaction() as tx:
        assert await insert_report(tx, row, b"{}")
        query = "UPDATE reports SET html = $2, appendix_html = $2, pdf = $3, appendix_pdf = $3 WHERE id = $1"
        await tx.execute(query, row.id, html, pdf)
    return row.id


def to_report_row(row) -> ReportRow:
    return ReportRow(*(row[name] for name in ReportRow.__struct_fields__))

"""Stores a raw history as completed scans and lets the real code process them."""

import uuid
from datetime import datetime, timedelta

import msgspec

from sightline.answers.analyze import EXTRACTOR_VERSION
from sightline.answers.models import AnswerAnalysis, Brand, BrandAnalysis, Citation, Occurrence, Sentiment
from sightline.domains.models import BrandDetails
from sightline.domains.tracking.queries import insert_tracked_domain
from sightline.kit.ids import new_id
from sightline.metrics.registry import METRICS_VERSION
from sightline.plans.table import Plan as Tier
from sightline.plans.table import build_plan_table
from sightline.scans.brands import MeasuredBrands
from sightline.scans.jobs import ScanJob
from sightline.scans.models import Provenance, ScanAnswer, ScanPlan, ScanPrompt
from sightline.scans.results import build_results
from sightline.scans.stored import encode_measured, encode_prompts, to_record
from sightline.scoreboard.apply_scan import handle_completed_scan
from sightline.scoreboard.refresh import rebuild_scoreboard
from tests.scoreboard.oracle.raw_history import (
    NEVER_CITES,
    OWN,
    AskedPrompt,
    BrandMention,
    RawAnswer,
    RawHistory,
    RawScan,
)

UNCITED = {"sandbox": NEVER_CITES, "live": NEVER_CITES}


def _label(score: int) -> str:
    return "positive" if score >= 60 else "negative" if score <= 40 else "neutral"


def _build_brand_analysis(name: str, each: BrandMention) -> BrandAnalysis:
    return BrandAnalysis(
        name=name,
        mentioned=each.mentioned,
        occurrences=(Occurrence(0, 4, name, each.stance or "neutral"),) if each.mentioned else (),
        stance=each.stance,
        rank=each.rank,
        cited_urls=each.urls,
        sentiment=None if each.sentiment is None else Sentiment(float(each.sentiment), _label(each.sentiment)),
    )


def _build_analysis(scan: RawScan, answer: RawAnswer) -> AnswerAnalysis:
    names = [OWN.name, *(competitor.name for competitor in scan.competitors)]
    return AnswerAnalysis(
        brands=tuple(_build_brand_analysis(name, each) for name, each in zip(names, answer.brands, strict=True)),
        citations=tuple(Citation(url, url.split("/")[2], domain) for url, domain in answer.pages),
        unresolved=0,
        n_brands=sum(each.rank is not None for each in answer.brands),
        rank_source=None,
        language="en",
    )


def _build_prompt(asked: AskedPrompt) -> ScanPrompt:
    return ScanPrompt(id=asked.id, text=asked.text, language="en", country=asked.country)


def _build_plan(scan: RawScan) -> ScanPlan:
    return ScanPlan(
        domain=OWN.domain,
        brand=Brand(OWN.name, (), (OWN.domain,)),
        competitors=tuple(Brand(competitor.name, (), (competitor.domain,)) for competitor in scan.competitors),
        prompts=tuple(_build_prompt(asked) for asked in scan.prompts),
        platforms=scan.platforms,
        uncited=NEVER_CITES & frozenset(scan.platforms),
        scored=scan.scope == "full_check",
    )


def _build_answers(scan: RawScan) -> list[ScanAnswer]:
    found = []
    for asked in scan.prompts:
        for platform in scan.platforms:
            answer = scan.answers[asked.id, platform]
            served = answer.model if answer.status == "ok" else None
            found.append(
                ScanAnswer(
                    id=answer.id,
                    prompt=_build_prompt(asked),
                    platform=platform,
                    status=answer.status,
                    text="",
                    analysis=_build_analysis(scan, answer) if answer.status == "ok" else None,
                    provenance=Provenance(surface="sandbox", vendor="sandbox", model_served=served),
                )
            )
    return found


class StoredHistory:
    """A tracked domain of a tenant whose scans are those of a raw history."""

    def __init__(self, installation, tenant, domain_id: uuid.UUID, history: RawHistory) -> None:
        self.installation = installation
        self.tenant = tenant
        self.domain_id = domain_id
        self.history = history
        self.client = installation.client(X_API_Key=tenant.data_write)

    @classmethod
    async def open(cls, installation, history: RawHistory, tenant=None) -> "StoredHistory":
        tenant = tenant or await installation.tenant(Tier.AGENCY)
        stored = cls(installation, tenant, new_id(), history)
        details = BrandDetails(OWN.name, aliases=[], owned_domains=[], competitors=[])
        async with installation.db.transaction() as tx:
            await insert_tracked_domain(
                tx,
                stored.workspace_id,
                stored.domain_id,
                OWN.domain,
                details,
                [],
                now=installation.clock() - timedelta(days=90),
            )
            await tx.execute("UPDATE domains SET status = 'active' WHERE id = $1", stored.domain_id)
            for number, prompt in enumerate(history.prompts.values()):
                await tx.execute(
                    """INSERT INTO prompts (workspace_id, id, domain_id, prompt, identity, language_code, country_iso_2,
                                            source, status, daily, created_at)
                       VALUES ($1, $2, $3, $4, $4, 'en', $5, 'added_by_you', 'active', true, $6)""",
                    stored.workspace_id,
                    uuid.UUID(prompt.id),
                    stored.domain_id,
                    prompt.text,
                    prompt.country,
                    installation.clock() - timedelta(days=80, minutes=-number),
                )
            for scan in history.scans:
                await stored._store(tx, scan)
        return stored

    async def close(self) -> None:
        await self.client.aclose()

    @property
    def workspace_id(self) -> uuid.UUID:
        return self.tenant.workspace.id

    async def _store(self, tx, scan: RawScan) -> None:
        plan, answers = _build_plan(scan), _build_answers(scan)
        failed = sum(answer.status == "failed" for answer in answers)
        await tx.execute(
            """INSERT INTO scans (workspace_id, id, domain_id, domain, livemode, measurement_scope, status, priority,
                                  answers_source, brand, selected_platforms, customer_keywords, prompts,
                                  credits_charged, answers_total, answers_completed, answers_failed, created_at,
                                  started_at, completed_at)
               VALUES ($1, $2, $3, $4, true, $5, 'completed', 0, $14, $6, $7, '{}', $8, 0, $9, $10, $11, $12,
                       $12, $13)""",
            self.workspace_id,
            uuid.UUID(scan.id),
            self.domain_id,
            OWN.domain,
            scan.scope,
            encode_measured(MeasuredBrands(plan.brand, plan.competitors)),
            list(plan.platforms),
            encode_prompts(plan.prompts),
            len(answers),
            len(answers) - failed,
            failed,
            scan.completed_at - timedelta(minutes=5),
            scan.completed_at,
            scan.source,
        )
        places = {prompt.id: place for place, prompt in enumerate(plan.prompts)}
        await tx.executemany(
            """INSERT INTO answers (workspace_id, scan_id, id, prompt_index, platform, country, status, text, record,
                                    answered_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)""",
            [
                (
                    self.workspace_id,
                    uuid.UUID(scan.id),
                    uuid.UUID(answer.id),
                    places[answer.prompt.id],
                    answer.platform,
                    answer.prompt.country,
                    answer.status,
                    answer.text,
                    to_record(answer),
                    scan.completed_at,
                )
                for answer in answers
            ],
        )
        results = build_results(plan, answers, sentiment=scan.scope == "full_check")
        await tx.execute(
            """INSERT INTO scan_results (workspace_id, scan_id, results, metrics_version, extractor_version)
               VALUES ($1, $2, $3, $4, $5)""",
            self.workspace_id,
            uuid.UUID(scan.id),
            msgspec.json.encode(results),
            METRICS_VERSION,
            EXTRACTOR_VERSION,
        )

    async def set_removed(self, removed: frozenset[str]) -> None:
        async with self.installation.db.transaction() as tx:
            await tx.execute(
                """UPDATE prompts SET status = CASE WHEN id = ANY($2::uuid[]) THEN 'removed' ELSE 'active' END,
                          removed_at = CASE WHEN id = ANY($2::uuid[]) THEN $3::timestamptz END
                   WHERE domain_id = $1""",
                self.domain_id,
                [uuid.UUID(each) for each in removed],
                self.installation.clock(),
            )

    async def process(self, scan: RawScan) -> None:
        job = ScanJob(self.workspace_id, uuid.UUID(scan.id))
        plans = build_plan_table(self.installation.app_context.settings.plans)
        await handle_completed_scan(
            self.installation.db, job, uncited=UNCITED, plans=plans, clock=self.installation.clock
        )

    async def rebuild(self) -> None:
        """Rebuild the scoreboard, as after a prompt was removed or restored."""
        await rebuild_scoreboard(self.installation.db, self.workspace_id, self.domain_id, job_id=0, uncited=UNCITED)

    async def process_in_order(self) -> None:
        for scan, removed in zip(self.history.scans, self.history.removed, strict=True):
            await self.set_removed(removed)
            await self.process(scan)

    async def read(self, path: str = "", **params: str):
        answer = await self.client.get(f"/api/v1/ext/domains/{self.domain_id}{path}", params=params)
        assert answer.status_code == 200, answer.text
        return answer.json()["data"]

    async def read_prompts(self) -> dict[str, dict]:
        async with self.installation.db.transaction() as tx:
            rows = await tx.fetch("SELECT * FROM prompts WHERE domain_id = $1", self.domain_id)
        return {str(row["id"]): dict(row) for row in rows}


def to_time(text: str) -> datetime:
    return datetime.fromisoformat(text)

"""`python -m bench.rename`: how long a rename takes with a million stored answers, and how much memory.

It fills a separate database with Full Checks of 2,000 answers and adds an alias to the brand: one that no answer has,
and one that some have. The last line is the same rename without the index of words, for a tenth of the answers.
"""

import argparse
import asyncio
import random
import resource
import time
import uuid
import zlib
from datetime import UTC, datetime, timedelta
from hashlib import md5
from typing import Any

import msgspec

from bench.environment import open_environment
from sightline.answers.analyze import EXTRACTOR_VERSION
from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.db.engine import Database
from sightline.domains.recomputations.request import JOB, RecomputeJob
from sightline.domains.tracking.change import BrandChanges, change_tracked_domain
from sightline.kit.clock import utc_now
from sightline.kit.ids import new_id
from sightline.metrics.registry import METRICS_VERSION
from sightline.plans.table import build_plan_table
from sightline.scans.analyze_answer import analyze_answer
from sightline.scans.brands import MeasuredBrands
from sightline.scans.models import Provenance, ScanAnswer, ScanPlan, ScanPrompt
from sightline.scans.partitions import first_id_at
from sightline.scans.queries import find_scan
from sightline.scans.running.analysis import ScanContext, summarize_answers
from sightline.scans.running.analyzers import InProcessAnalyzer
from sightline.scans.stored import AnswerRow, encode_measured, encode_prompts, to_record
from sightline.scoreboard.apply_scan import record_scan
from sightline.scoreboard.recompute.run import recompute_domain

_PLATFORMS = ("chatgpt", "gemini", "perplexity", "claude")
_PROMPTS = 500
_SIZE = _PROMPTS * len(_PLATFORMS)
_NOW = datetime(2026, 11, 16, tzinfo=UTC)
_UNCITED: Any = {"live": frozenset(), "sandbox": frozenset()}
_BRAND = Brand("Acme", (), ("acme.com",))
_SHARE = 0.01
"""Of the answers that have the alias which some have."""


def _write_texts() -> list[str]:
    """Return texts of 250 words, 40% of which name the brand, and a few the later alias."""
    chance = random.Random(20_261_116)
    vocabulary = [f"word{number}" for number in range(20_000)]
    weights = [1 / (number + 3) for number in range(20_000)]
    texts = []
    for _ in range(_SIZE):
        words = chance.choices(vocabulary, weights, k=250)
        words[7:7] = ["Acme"] * (chance.random() < 0.4) + ["Quxquux"] * (chance.random() < _SHARE)
        texts.append(" ".join(words) + ".")
    return texts


def _analyze(plan: ScanPlan, scan_id: uuid.UUID) -> list[AnswerRow]:
    lexicon, texts = Lexicon(plan.tracked), iter(_write_texts())
    rows = []
    for place, prompt in enumerate(plan.prompts):
        for platform in plan.platforms:
            answer = analyze_answer(
                ScanAnswer(
                    id=str(new_id()),
                    prompt=prompt,
                    platform=platform,
                    status="ok",
                    text=next(texts),
                    provenance=Provenance(surface="api", vendor="bench"),
                ),
                lexicon,
            )
            record = to_record(answer)
            rows.append(
                AnswerRow(scan_id, uuid.UUID(answer.id), place, platform, None, "ok", answer.text, record, _NOW)
            )
    return rows


def _rename_ids(index: bytes, suffix: str) -> bytes:
    """Return the index of a copy of the scan, whose answers have other ids."""
    stored = msgspec.msgpack.decode(zlib.decompress(index))
    stored["answers"] = [str(uuid.UUID(md5(f"{each}{suffix}".encode()).hexdigest())) for each in stored["answers"]]
    return zlib.compress(msgspec.msgpack.encode(stored), 1)


async def _fill(db: Database, answers: int) -> tuple[uuid.UUID, uuid.UUID]:
    """Store two checks as a worker does, and copies of the second, whose facts compare it with the one before."""
    workspace_id, domain_id = new_id(), new_id()
    prompts = tuple(ScanPrompt(id=str(new_id()), text=f"Question {n}", language="en") for n in range(_PROMPTS))
    plan = ScanPlan(domain="acme.com", brand=_BRAND, prompts=prompts, platforms=_PLATFORMS)
    await db.execute(
        "INSERT INTO workspaces (id, name, plan, created_at) VALUES ($1, 'Bench', 'agency', now())", workspace_id
    )
    await db.execute(
        """INSERT INTO domains (workspace_id, id, kind, livemode, domain, status, brand_name, created_at)
           VALUES ($1, $2, 'tracked', true, 'acme.com', 'active', 'Acme', now())""",
        workspace_id,
        domain_id,
    )
    await db.execute(
        """INSERT INTO prompts (workspace_id, id, domain_id, prompt, identity, language_code, source, status,
                                created_at)
           SELECT $1, id, $2, 'Question ' || n, 'question ' || n, 'en', 'added_by_you', 'active', now()
           FROM unnest($3::uuid[]) WITH ORDINALITY AS t (id, n)""",
        workspace_id,
        domain_id,
        [uuid.UUID(prompt.id) for prompt in prompts],
    )
    source, source_index = None, b""
    for number in range(answers // _SIZE):
        at = _NOW - timedelta(hours=4 * (answers // _SIZE - number))
        scan_id = uuid.UUID(int=first_id_at(at).int | (7 << 76) | (2 << 62) | number)
        await db.execute(
            """INSERT INTO scans (workspace_id, id, domain_id, domain, livemode, measurement_scope, status, priority,
                                  answers_source, brand, prompts, selected_platforms, customer_keywords,
                                  credits_charged, answers_total, answers_completed, created_at, started_at,
                                  completed_at)
               VALUES ($1, $2, $3, 'acme.com', true, 'daily_check', 'completed', 20, 'live', $4, $5, $6, '{}', 0, $7,
                       $7, $8, $8, $8)""",
            *(workspace_id, scan_id, domain_id, encode_measured(MeasuredBrands(_BRAND)), encode_prompts(prompts)),
            *(list(_PLATFORMS), _SIZE, at),
        )
        if source is None:
            rows = _analyze(plan, scan_id)
            context = ScanContext("live", suggested=False, started_at=0.0, scan_id=scan_id, scope="full_check")
            summary = summarize_answers(plan, rows, context)
            assert summary.name_index is not None
            results, index = summary.results, summary.name_index
            async with db.transaction() as tx:
                await tx.executemany(
                    "INSERT INTO answers VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
                    [
                        (workspace_id, *(getattr(row, name) for name in AnswerRow.__struct_fields__))
                        for row in (
                            msgspec.structs.replace(row, record=summary.updated_records.get(row.id, row.record))
                            for row in rows
                        )
                    ],
                )
        else:
            await _copy(db, workspace_id, source, scan_id, str(number), with_facts=number > 1)
            index = _rename_ids(source_index, str(number))
        await db.execute(
            """INSERT INTO scan_results (workspace_id, scan_id, results, metrics_version, extractor_version, name_index)
               VALUES ($1, $2, $3, $4, $5, $6)""",
            *(workspace_id, scan_id, results, METRICS_VERSION, EXTRACTOR_VERSION, index),
        )
        if number < 2:
            source, source_index = scan_id, index
            scan = await find_scan(db, workspace_id, scan_id)
            assert scan is not None
            await record_scan(db, scan, uncited=_UNCITED, plans=build_plan_table({}))
    return workspace_id, domain_id


async def _copy(
    db: Database, workspace_id: uuid.UUID, source: uuid.UUID, scan_id: uuid.UUID, suffix: str, *, with_facts: bool
) -> None:
    await db.execute(
        """INSERT INTO answers
           SELECT workspace_id, $3, md5(id::text || $4)::uuid, prompt_index, platform, country, status, text, record,
                  answered_at
           FROM answers WHERE workspace_id = $1 AND scan_id = $2""",
        *(workspace_id, source, scan_id, suffix),
    )
    if not with_facts:
        return
    await db.execute(
        """INSERT INTO answer_facts (workspace_id, domain_id, scan_id, answer_id, prompt_id, platform, labels, words,
                                     latency_ms)
           SELECT workspace_id, domain_id, $3, md5(answer_id::text || $4)::uuid, prompt_id, platform, labels, words,
                  latency_ms FROM answer_facts WHERE workspace_id = $1 AND scan_id = $2""",
        *(workspace_id, source, scan_id, suffix),
    )


async def _rename(db: Database, workspace_id: uuid.UUID, domain_id: uuid.UUID, aliases: list[str]) -> float:
    async with db.transaction() as tx:
        await change_tracked_domain(tx, workspace_id, domain_id, BrandChanges(aliases=aliases), now=utc_now())
    began = time.monotonic()
    await recompute_domain(
        db,
        RecomputeJob(workspace_id, domain_id, "brand_changed"),
        job_id=await db.fetchval("SELECT id FROM jobs WHERE kind = $1", JOB),
        analyzer=InProcessAnalyzer("model"),
        uncited=_UNCITED,
        clock=utc_now,
    )
    return time.monotonic() - began


def _peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def _run(url: str, answers: int) -> None:
    db = Database(url, pool_size=4, statement_timeout=600)
    await db.open()
    try:
        began = time.monotonic()
        workspace_id, domain_id = await _fill(db, answers)
        print(
            f"{answers:,} answers in {answers // _SIZE} checks, stored in {time.monotonic() - began:.0f} s", flush=True
        )
        filled = _peak_megabytes()
        for words, aliases in (
            ("an alias that no answer has", ["Zorvex"]),
            (f"an alias that {_SHARE:.0%} of the answers have", ["Zorvex", "Quxquux"]),
        ):
            seconds = await _rename(db, workspace_id, domain_id, aliases)
            print(
                f"{words}: {seconds:.1f} s, {1e6 * seconds / answers:.0f} µs per answer; "
                f"peak memory {_peak_megabytes():.0f} MB, {filled:.0f} MB before",
                flush=True,
            )
        kept = answers // 10 // _SIZE or 1
        await db.execute(
            """UPDATE scan_results SET name_index = NULL WHERE scan_id IN (
                   SELECT id FROM scans ORDER BY id LIMIT $1)""",
            kept,
        )
        await db.execute(
            """UPDATE scans SET status = 'failed' WHERE id NOT IN (SELECT id FROM scans ORDER BY id LIMIT $1)""", kept
        )
        seconds = await _rename(db, workspace_id, domain_id, ["Quxquux"])
        print(f"without the index: {1e6 * seconds / kept / _SIZE:.0f} µs per answer")
    finally:
        await db.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, default=1_000_000)
    with open_environment() as environment:
        asyncio.run(_run(environment.database_url, parser.parse_args().answers))


if __name__ == "__main__":
    main()

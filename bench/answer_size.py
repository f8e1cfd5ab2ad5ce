"""`python -m bench.answer_size FILE`: how many bytes an answer takes in each table, measured on real answers.

Each line of the file is an object with `prompt`, `platform`, `run`, `text` and `sources`. The answers of each run are
one Full Check, analyzed and stored as a worker does it. Payloads are what a platform would send for them: the text and
the sources as JSON, without the rest of its envelope.
"""

import argparse
import asyncio
import json
import uuid
import zlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bench.environment import open_environment
from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.db.engine import Database
from sightline.kit.clock import utc_now
from sightline.kit.ids import new_id
from sightline.plans.table import build_plan_table
from sightline.platforms.models import Source, Usage
from sightline.scans.analyze_answer import analyze_answer
from sightline.scans.brands import MeasuredBrands
from sightline.scans.models import Provenance, ScanAnswer, ScanPlan, ScanPrompt
from sightline.scans.partitions import make_partitions
from sightline.scans.queries import find_scan, insert_scan
from sightline.scans.running.analysis import ScanContext, summarize_answers
from sightline.scans.running.finish import complete_scan
from sightline.scans.running.queries import read_answers
from sightline.scans.stored import NewScan, to_record
from sightline.scoreboard.apply_scan import record_scan

_BRANDS = tuple(Brand(name, (), (f"{name.lower()}.com",)) for name in ("Samsung", "Apple", "Sony", "Lenovo", "Dyson"))
_PROVENANCE = Provenance(
    surface="api", vendor="bench", model_asked="m-1", model_served="m-1", latency_ms=9_000, usage=Usage(900, 700)
)
_UNCITED: dict[Any, frozenset[str]] = {"live": frozenset(), "sandbox": frozenset()}
_TABLES = {
    "answers": "answers: text and analysis",
    "answer_payloads": "answer_payloads: what the platform sent",
    "answer_facts": "answer_facts: filters and search",
    "prompt_checks": "prompt_checks: figures of each prompt",
    "scan_results": "scan_results: results and boards",
}


async def _store_check(
    db: Database, workspace_id: uuid.UUID, domain_id: uuid.UUID, plan: ScanPlan, rows: Sequence[Any], at: datetime
) -> None:
    """Store a Full Check with its answers, and apply it."""
    lexicon, prompts = Lexicon(plan.tracked), {prompt.text: place for place, prompt in enumerate(plan.prompts)}
    scan = NewScan(
        id=new_id(),
        domain_id=domain_id,
        domain=plan.domain,
        livemode=True,
        measurement_scope="full_check",
        priority=20,
        answers_source="live",
        measured=MeasuredBrands(plan.brand, plan.competitors),
        selected_platforms=plan.platforms,
        prompts=plan.prompts,
        credits_charged=0,
        answers_total=len(rows),
    )
    async with db.transaction() as tx:
        await insert_scan(tx, workspace_id, scan, now=at)
        await tx.execute("UPDATE scans SET status = 'running', started_at = $2 WHERE id = $1", scan.id, at)
        for row in rows:
            place = prompts[row["prompt"]]
            answer = analyze_answer(
                ScanAnswer(
                    id=str(new_id()),
                    prompt=plan.prompts[place],
                    platform=row["platform"],
                    status="ok",
                    text=row["text"],
                    cited=tuple(Source(each["url"], each.get("title")) for each in row["sources"]),
                    provenance=_PROVENANCE,
                ),
                lexicon,
                sentiment="model",
            )
            await tx.execute(
                "INSERT INTO answers VALUES ($1, $2, $3, $4, $5, NULL, $6, $7, $8, $9)",
                *(workspace_id, scan.id, uuid.UUID(answer.id), place, answer.platform, answer.status, answer.text),
                *(to_record(answer), at),
            )
            sent = json.dumps({"text": row["text"], "sources": row["sources"]}).encode()
            await tx.execute(
                "INSERT INTO answer_payloads VALUES ($1, $2, $3, $4)",
                *(workspace_id, scan.id, uuid.UUID(answer.id), zlib.compress(sent)),
            )
    running = await find_scan(db, workspace_id, scan.id)
    assert running is not None
    stored = await read_answers(db, workspace_id, scan.id)
    async with db.transaction() as tx:
        summary = summarize_answers(plan, stored, ScanContext.from_row(running))
        completed = await complete_scan(tx, running, summary, now=at)
    assert completed is not None
    await record_scan(db, completed, uncited=_UNCITED, plans=build_plan_table({}))


async def _fill(db: Database, rows: Sequence[Any], repeats: int) -> int:
    workspace_id, domain_id, now = new_id(), new_id(), utc_now()
    texts = sorted({row["prompt"] for row in rows})
    prompts = tuple(ScanPrompt(id=str(new_id()), text=text, language="en") for text in texts)
    async with db.transaction() as tx:
        await make_partitions(tx, now=now)
        await tx.execute(
            "INSERT INTO workspaces (id, name, plan, created_at) VALUES ($1, 'Bench', 'agency', now())", workspace_id
        )
        await tx.execute(
            """INSERT INTO domains (workspace_id, id, kind, livemode, domain, status, brand_name, created_at)
               VALUES ($1, $2, 'tracked', true, 'samsung.com', 'active', 'Samsung', now())""",
            workspace_id,
            domain_id,
        )
        for prompt in prompts:
            await tx.execute(
                """INSERT INTO prompts (workspace_id, id, domain_id, prompt, identity, language_code, source, status,
                                        created_at)
                   VALUES ($1, $2, $3, $4, $4, 'en', 'added_by_you', 'active', now())""",
                *(workspace_id, uuid.UUID(prompt.id), domain_id, prompt.text),
            )
    plan = ScanPlan(
        domain="samsung.com",
        brand=_BRANDS[0],
        competitors=_BRANDS[1:],
        prompts=prompts,
        platforms=tuple(sorted({row["platform"] for row in rows})),
        scored=True,
    )
    runs = sorted({row["run"] for row in rows})
    for number in range(repeats * len(runs)):
        of_run = [row for row in rows if row["run"] == runs[number % len(runs)]]
        await _store_check(db, workspace_id, domain_id, plan, of_run, now - timedelta(hours=100 - number))
    return repeats * len(rows)


async def _measure(url: str, rows: Sequence[Any], repeats: int) -> None:
    db = Database(url, pool_size=4, statement_timeout=600)
    await db.open()
    try:
        answers = await _fill(db, rows, repeats)
        print(f"{answers:,} answers, {sum(len(row['text']) for row in rows) / len(rows):,.0f} characters each\n")
        print("| Table | Rows with TOAST | Indexes | Bytes per answer |\n|---|---|---|---|")
        whole = 0.0
        for table, name in _TABLES.items():
            await db.execute(f"VACUUM FULL {table}")
            data, indexes = await db.fetchrow(
                """SELECT sum(pg_table_size(oid)), sum(pg_indexes_size(oid)) FROM pg_class
                   WHERE relkind = 'r' AND (relname = $1 OR relname ~ ('^' || $1 || '_(default|[0-9_]+)$'))""",
                table,
            )
            data, indexes = int(data), int(indexes)
            whole += data + indexes
            print(f"| {name} | {data / answers:,.0f} | {indexes / answers:,.0f} | {(data + indexes) / answers:,.0f} |")
        print(f"| together | | | {whole / answers:,.0f} |")
    finally:
        await db.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--repeats", type=int, default=10, help="How often each answer is stored.")
    chosen = parser.parse_args()
    rows = [json.loads(line) for line in chosen.file.read_text().splitlines()]
    with open_environment() as environment:
        asyncio.run(_measure(environment.database_url, rows, chosen.repeats))


if __name__ == "__main__":
    main()

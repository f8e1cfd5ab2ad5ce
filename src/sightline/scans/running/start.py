"""Starting a pending scan: its prompts are settled and its cells are put into lanes."""

import msgspec

from sightline.db.engine import Database
from sightline.jobs.queue import wake_workers
from sightline.kit.clock import Clock
from sightline.kit.crash import crash_point
from sightline.platforms.models import Question
from sightline.scans.jobs import ScanJob
from sightline.scans.queries import find_scan, move_scan
from sightline.scans.running import queries
from sightline.scans.running.client_pool import ClientPool
from sightline.scans.states import ScanStatus
from sightline.scans.stored import (
    ScanRow,
    build_lane_key,
    decode_measured,
    decode_prompts,
    encode_prompts,
    number_prompts,
)
from sightline.scans.suggest import SuggestedPrompts, suggest_live


async def start_scan(db: Database, clients: ClientPool, job: ScanJob, *, clock: Clock) -> bool:
    """Start the scan, and return whether it runs now.

    A scan that is no longer pending is left alone, so a second run of the job does nothing. A live scan without
    keywords asks a platform for them first, outside any transaction; if it is cancelled or started elsewhere
    meanwhile, the suggestions are discarded.
    """
    scan = await find_scan(db, job.workspace_id, job.scan_id)
    if scan is None or scan.status is not ScanStatus.PENDING:
        return False
    suggested = None if scan.prompts is not None else await _suggest(clients, scan)
    async with db.transaction() as tx:
        now = clock()
        started = await move_scan(
            tx, scan.workspace_id, scan.id, from_=ScanStatus.PENDING, to=ScanStatus.RUNNING, now=now
        )
        if started is None:
            return False
        if suggested is not None:
            prompts = number_prompts(suggested.prompts)
            total = len(prompts) * len(scan.selected_platforms)
            await queries.set_prompts(tx, scan.workspace_id, scan.id, encode_prompts(prompts), total, suggested.note)
        else:
            prompts = decode_prompts(scan.prompts or "[]")
        lanes = {platform: build_lane_key(scan.answers_source, platform) for platform in scan.selected_platforms}
        await queries.insert_lanes(
            tx, scan.workspace_id, scan.id, lanes, priority=scan.priority, cells=len(prompts), now=now
        )
        await wake_workers(tx)
        crash_point("before_start_commit")
    crash_point("after_start_commit")
    return True


async def _suggest(clients: ClientPool, scan: ScanRow) -> SuggestedPrompts:
    measured = decode_measured(scan.brand)
    platforms = clients.open(scan)
    own = {key: platforms.connectors[key] for key in platforms.gates if key in platforms.connectors}
    reachable = msgspec.structs.replace(platforms, connectors=own)
    advisor = reachable.find_advisor(scan.selected_platforms)

    async def ask(question: str) -> tuple[str, str | None]:
        if advisor is None:
            return "", "no chosen platform can be asked for them"
        outcome = await platforms.ask(advisor, Question(question))
        return outcome.answer.text, None if outcome.fault is None else outcome.fault.message

    return await suggest_live(
        scan.domain,
        measured.brand,
        measured.competitors,
        language=None,
        country=None,
        ask=ask,
        fetch_page=platforms.fetch_page,
    )

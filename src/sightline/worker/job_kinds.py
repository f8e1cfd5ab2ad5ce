"""Every kind of job that a worker runs: its payload, handler, priority, concurrency and retry rule."""

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import partial
from typing import Any, Literal

import msgspec

from sightline import events
from sightline.accounts.sign_in import email_change, password_reset
from sightline.competitors import site_job
from sightline.domains import scoreboard_refresh as refresh
from sightline.domains.recomputations import request as recompute
from sightline.jobs.concurrency import ConcurrencyLimit
from sightline.jobs.queue import Job
from sightline.jobs.retry import DEFAULT_RETRY, RetryRule
from sightline.jobs.worker import JobHandler
from sightline.mail import emails
from sightline.offboarding import models as offboarding
from sightline.onboarding.demo import load
from sightline.onboarding.suggestions import models as suggestions
from sightline.prompts.volumes import lookup as volumes
from sightline.reports.mailings import models as mailings
from sightline.reports.weekly import write as weekly_report
from sightline.scans.jobs import FINISH_JOB, FOLLOW_JOB, START_JOB, ScanJob
from sightline.scans.running.cells import CELL_JOB, CellJob, cell_job_kind
from sightline.scans.second_opinions import models as opinions
from sightline.scoreboard.apply_scan import INSIGHTS_JOB
from sightline.site_review import request as site_review
from sightline.webhooks.deliveries import models as webhooks
from sightline.worker import handlers
from sightline.worker.context import WorkerContext


class ConcurrencyGroup(msgspec.Struct, frozen=True):
    """Kinds of jobs that share a limit: a worker runs at most `limit` of them at the same time."""

    name: str
    limit: int


# Each job of these decodes and computes for about a second in a thread: more of them would only slow each other down.
COMPUTING = ConcurrencyGroup("computing", 2)
VOLUME_LOOKUPS = ConcurrencyGroup("volume lookups", 2)
SITE_VISITS = ConcurrencyGroup("site visits", 2)
SITE_REVIEWS = ConcurrencyGroup("site reviews", 4)  # each waits most of the time, between two requests
DEMO_DATA = ConcurrencyGroup("demonstration data", 1)
EXPORTS = ConcurrencyGroup("exports and deletions", 1)
OPINIONS = ConcurrencyGroup("second opinions", 1)
REPORT_EMAILS = ConcurrencyGroup("report e-mails", 8)
DELIVERIES = ConcurrencyGroup("deliveries", 200)

PriorityRule = Literal["of the scan", "none"]
"""Jobs of a scan have its priority (`scans.states.Priority`). All others have 0, the lowest."""


class JobKind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of job: one row of `JOB_KINDS`."""

    kind: str
    payload: type[msgspec.Struct]
    handler: Callable[[WorkerContext, Job, Any], Awaitable[None]]
    priority: PriorityRule = "none"
    """Set where the job is enqueued; a test compares it with this table."""
    concurrency: ConcurrencyGroup | Literal["platform slots"] | None = None
    """None starts every claimed job at once, "platform slots" as many as the worker has leased of each platform."""
    retry: RetryRule = DEFAULT_RETRY
    """For unexpected errors. A handler that raises `Retry` chooses the delay itself, as `read_site` does; webhooks keep
    their own schedule (`webhooks/deliveries/retry.py`) and platforms theirs (`platforms/policy.py`)."""
    shared: bool = False
    """The worker's places are shared evenly by workspace and endpoint (`jobs/shares.py`)."""
    settles: bool = False
    """The handler removes the job from the queue in the transaction of its effect."""
    when_dropped: str
    """What an operator who drops a held job of this kind has to know."""


JOB_KINDS = (
    # Scans
    JobKind(
        kind=START_JOB,
        payload=ScanJob,
        handler=handlers.start_scan,
        priority="of the scan",
        when_dropped="The scan still starts: the sweeper queues this job again within seconds.",
    ),
    JobKind(
        kind=CELL_JOB,  # followed by the lane, such as `cell.live.chatgpt`
        payload=CellJob,
        handler=handlers.answer_cell,
        concurrency="platform slots",
        settles=True,
        when_dropped="The question is still asked: the sweeper queues this job again within seconds.",
    ),
    JobKind(
        kind=FINISH_JOB,
        payload=ScanJob,
        handler=handlers.finish_scan,
        priority="of the scan",
        when_dropped="The scan still ends: the sweeper queues this job again within seconds.",
    ),
    JobKind(
        kind=FOLLOW_JOB,
        payload=ScanJob,
        handler=handlers.follow_scan,
        priority="of the scan",
        concurrency=COMPUTING,
        when_dropped="The scan stays as it is, but its scoreboard, insights and report are not made.",
    ),
    # Tracked domains
    JobKind(
        kind=refresh.JOB,
        payload=refresh.RefreshJob,
        handler=handlers.refresh_scoreboard,
        concurrency=COMPUTING,
        settles=True,
        when_dropped="The scoreboard stays as it is until the next check or change.",
    ),
    JobKind(
        kind=recompute.JOB,
        payload=recompute.RecomputeJob,
        handler=handlers.recompute_history,
        concurrency=COMPUTING,
        settles=True,
        when_dropped="Earlier checks keep the results of the former names until the next change of names.",
    ),
    JobKind(
        kind=INSIGHTS_JOB,
        payload=ScanJob,
        handler=handlers.generate_insights,
        priority="of the scan",
        concurrency=COMPUTING,
        when_dropped="The check stays without alerts, themes and recommendations.",
    ),
    JobKind(
        kind=weekly_report.JOB,
        payload=ScanJob,
        handler=handlers.write_report,
        priority="of the scan",
        concurrency=COMPUTING,
        when_dropped="The check stays without a report, and nobody gets an e-mail about it.",
    ),
    JobKind(
        kind=volumes.JOB,
        payload=volumes.VolumesJob,
        handler=handlers.look_up_volumes,
        concurrency=VOLUME_LOOKUPS,
        when_dropped="The prompts stay without search volumes until they are looked up again.",
    ),
    JobKind(
        kind=site_job.JOB,
        payload=site_job.SiteJob,
        handler=handlers.read_site,
        concurrency=SITE_VISITS,
        when_dropped="The competitor keeps the name that it has.",
    ),
    JobKind(
        kind=site_review.JOB,
        payload=site_review.ReviewJob,
        handler=handlers.review_own_site,
        concurrency=SITE_REVIEWS,
        when_dropped="The site is not reviewed before the next Full Check.",
    ),
    JobKind(
        kind=suggestions.JOB,
        payload=suggestions.SuggestionJob,
        handler=handlers.suggest_prompts,
        when_dropped="The set-up stays without these suggestions; they can be requested again.",
    ),
    JobKind(
        kind=load.JOB,
        payload=load.DemoJob,
        handler=handlers.load_demo,
        concurrency=DEMO_DATA,
        when_dropped="The demonstration data is not created.",
    ),
    JobKind(
        kind=opinions.JOB,
        payload=opinions.OpinionJob,
        handler=handlers.form_second_opinion,
        concurrency=OPINIONS,
        when_dropped="The uploaded file is not measured. It is deleted after a day.",
    ),
    # Offboarding
    JobKind(
        kind=offboarding.EXPORT_JOB,
        payload=offboarding.ExportJob,
        handler=handlers.export_workspace,
        concurrency=EXPORTS,
        when_dropped="The export is not made. A new one can be requested after a day.",
    ),
    JobKind(
        kind=offboarding.ERASE_JOB,
        payload=offboarding.EraseJob,
        handler=handlers.delete_workspace,
        concurrency=EXPORTS,
        when_dropped="The workspace is still deleted: housekeeping queues this job again within minutes.",
    ),
    # Notifications
    JobKind(
        kind=events.JOB,
        payload=events.EventJob,
        handler=handlers.fan_out_event,
        when_dropped="Webhooks are not sent for this event.",
    ),
    JobKind(
        kind=webhooks.JOB,
        payload=webhooks.DeliverJob,
        handler=handlers.deliver_webhook,
        concurrency=DELIVERIES,
        shared=True,
        when_dropped="The webhook is still sent: housekeeping queues this job again within minutes.",
    ),
    JobKind(
        kind=emails.JOB,
        payload=emails.OutgoingEmail,
        handler=handlers.send_outgoing_email,
        when_dropped="The e-mail is never sent.",
    ),
    JobKind(
        kind=mailings.MAILING_JOB,
        payload=mailings.MailingJob,
        handler=handlers.send_mailing,
        concurrency=COMPUTING,
        when_dropped="The client's recipients get no reports at this time of its schedule.",
    ),
    JobKind(
        kind=mailings.EMAIL_JOB,
        payload=mailings.ReportEmailJob,
        handler=handlers.send_mailed_report,
        concurrency=REPORT_EMAILS,
        when_dropped="This recipient does not get the reports.",
    ),
    JobKind(
        kind=password_reset.JOB,
        payload=password_reset.ResetRequest,
        handler=handlers.send_reset_link,
        when_dropped="The link to reset the password is never sent.",
    ),
    JobKind(
        kind=email_change.JOB,
        payload=email_change.ChangeLink,
        handler=handlers.send_change_link,
        when_dropped="The link to confirm the e-mail address is never sent. The person can request the change again.",
    ),
)


def explain_drop(kind: str) -> str:
    """Return what dropping a held job of this kind means."""
    name = CELL_JOB if kind.startswith(f"{CELL_JOB}.") else kind
    rows = {row.kind: row for row in JOB_KINDS}
    return rows[name].when_dropped if name in rows else "This version has no such kind of job."


def build_job_handlers(context: WorkerContext) -> Mapping[str, JobHandler]:
    """Return the handlers of all kinds, ready for a `Worker`."""
    limits: dict[str, ConcurrencyLimit] = {}
    found: dict[str, JobHandler] = {}
    for row in JOB_KINDS:
        if row.concurrency == "platform slots":
            found.update(_build_lane_handlers(context, row))
        elif row.concurrency is None:
            found[row.kind] = JobHandler(handle=_build_run(context, row), settles=row.settles, retry=row.retry)
        else:
            limit = limits.setdefault(row.concurrency.name, ConcurrencyLimit(row.concurrency.limit))
            found[row.kind] = _build_limited_handler(context, row, limit)
    return found


def _build_run(context: WorkerContext, row: JobKind) -> Callable[[Job], Coroutine[Any, Any, None]]:
    decode = msgspec.json.Decoder(row.payload).decode

    async def run(job: Job) -> None:
        await row.handler(context, job, decode(job.payload))

    return run


def _build_limited_handler(context: WorkerContext, row: JobKind, limit: ConcurrencyLimit) -> JobHandler:
    run = _build_run(context, row)
    return JobHandler(
        handle=lambda job: limit.run(run(job)),
        capacity=limit.free,
        shared=row.shared,
        settles=row.settles,
        retry=row.retry,
    )


def _build_lane_handlers(context: WorkerContext, row: JobKind) -> dict[str, JobHandler]:
    """Return one handler per lane: a platform that is slow delays no other."""
    run, engine = _build_run(context, row), context.engine
    return {
        cell_job_kind(lane): JobHandler(
            handle=run, capacity=partial(engine.free_slots, lane), settles=row.settles, retry=row.retry
        )
        for lane in engine.lanes
    }

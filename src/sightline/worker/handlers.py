"""The handlers: for each kind of job, the call of its feature. `job_kinds` lists which kind uses which handler."""

from functools import partial

from sightline.accounts.sign_in import email_change
from sightline.accounts.sign_in.password_reset import ResetRequest
from sightline.accounts.sign_in.password_reset import send_reset_link as send_link
from sightline.competitors.read_site import read_competitor_site
from sightline.competitors.site_job import SiteJob
from sightline.domains.recomputations.request import RecomputeJob
from sightline.domains.scoreboard_refresh import RefreshJob
from sightline.events import EventJob
from sightline.insights import generate
from sightline.insights.editor.setup import suggest_domain_prompts
from sightline.insights.reviewed_site import list_reviewed_themes, refresh_site_actions
from sightline.jobs.queue import Job
from sightline.jobs.retry import Retry
from sightline.mail.emails import OutgoingEmail
from sightline.mail.send import send_email
from sightline.offboarding.delete import erase_workspace
from sightline.offboarding.export import make_export
from sightline.offboarding.models import EraseJob, ExportJob
from sightline.onboarding.demo.load import DemoJob, build_requested_demo
from sightline.onboarding.demo.replay import DemoReplay
from sightline.onboarding.suggestions.answer import answer_request
from sightline.onboarding.suggestions.models import SuggestionJob
from sightline.platforms.gate import GateClosed
from sightline.prompts.volumes.lookup import VolumesJob, refresh_volumes
from sightline.reports.mailings.models import MailingJob, ReportEmailJob
from sightline.reports.mailings.send import send_due_reports, send_report_email
from sightline.reports.weekly.write import write_report as write_weekly_report
from sightline.scans.jobs import ScanJob
from sightline.scans.running.cells import CellJob, parse_lane
from sightline.scans.second_opinions.form import form_opinion
from sightline.scans.second_opinions.models import OpinionJob
from sightline.scans.stored import ScanRow
from sightline.scans.suggest import SuggestedPrompts, SuggestionInput
from sightline.scoreboard.apply_scan import handle_completed_scan
from sightline.scoreboard.recompute.run import recompute_domain, request_recompute_if_renamed
from sightline.scoreboard.refresh import rebuild_scoreboard
from sightline.site_review.request import ReviewJob
from sightline.site_review.review import review_site
from sightline.webhooks.deliveries.deliver import deliver
from sightline.webhooks.deliveries.fan_out import fan_out
from sightline.webhooks.deliveries.models import DeliverJob
from sightline.worker.context import WorkerContext
from sightline.worker.follow_up import follow_up_in_process


async def start_scan(context: WorkerContext, _: Job, payload: ScanJob) -> None:
    clients = context.engine.clients

    async def suggest(scan: ScanRow, wanted: SuggestionInput) -> SuggestedPrompts:
        domain = (scan.workspace_id, scan.domain_id)
        editor, fetch_page = clients.open_domain_editor(*domain), clients.open(scan).fetch_page
        return await suggest_domain_prompts(context.db, editor, fetch_page, *domain, wanted, clock=context.clock)

    await context.engine.start(payload, suggest)


async def answer_cell(context: WorkerContext, job: Job, payload: CellJob) -> None:
    await context.engine.answer(parse_lane(job.kind), job, payload)


async def finish_scan(context: WorkerContext, _: Job, payload: ScanJob) -> None:
    await context.engine.finish(payload)


async def follow_scan(context: WorkerContext, _: Job, payload: ScanJob) -> None:
    """Update the tracked domain of a completed check; analyze it again if the domain was renamed meanwhile."""
    db, clock = context.db, context.clock
    scan = await handle_completed_scan(db, payload, uncited=context.uncited, plans=context.plans, clock=clock)
    if scan is not None:
        await request_recompute_if_renamed(db, scan, now=clock())


async def refresh_scoreboard(context: WorkerContext, job: Job, payload: RefreshJob) -> None:
    await rebuild_scoreboard(
        context.db, payload.workspace_id, payload.domain_id, job_id=job.id, uncited=context.uncited
    )


async def recompute_history(context: WorkerContext, job: Job, payload: RecomputeJob) -> None:
    await recompute_domain(
        context.db,
        payload,
        job_id=job.id,
        analyzer=context.engine.analyzer,
        uncited=context.uncited,
        clock=context.clock,
    )


async def generate_insights(context: WorkerContext, _: Job, payload: ScanJob) -> None:
    await generate.generate_insights(
        context.db,
        payload,
        uncited=context.uncited,
        clock=context.clock,
        base_url=context.base_url,
        fetch_robots=context.fetch_robots,
        open_editor=context.engine.clients.open_editor,
    )


async def write_report(context: WorkerContext, _: Job, payload: ScanJob) -> None:
    await write_weekly_report(context.db, payload, clock=context.clock, base_url=context.base_url)


async def send_mailing(context: WorkerContext, _: Job, payload: MailingJob) -> None:
    await send_due_reports(context.db, context.settings, payload, clock=context.clock)


async def send_mailed_report(context: WorkerContext, job: Job, payload: ReportEmailJob) -> None:
    await send_report_email(context.db, context.settings, payload, job.attempts, clock=context.clock)


async def look_up_volumes(context: WorkerContext, _: Job, payload: VolumesJob) -> None:
    await refresh_volumes(context.db, context.volume_source, payload, clock=context.clock)


async def read_site(context: WorkerContext, job: Job, payload: SiteJob) -> None:
    await read_competitor_site(context.db, context.fetch_site_name, payload, job.attempts, clock=context.clock)


async def review_own_site(context: WorkerContext, _: Job, payload: ReviewJob) -> None:
    await review_site(
        context.db,
        payload,
        open_fetcher=context.open_site_fetcher,
        read_themes=partial(list_reviewed_themes, context.db),
        act=refresh_site_actions,
        clock=context.clock,
    )


async def suggest_prompts(context: WorkerContext, _: Job, payload: SuggestionJob) -> None:
    editor = context.engine.clients.open_domain_editor(payload.workspace_id, payload.domain_id)
    try:
        await answer_request(context.db, editor, payload, clock=context.clock)
    except GateClosed:
        raise Retry from None  # this worker is stopping; another one will ask


async def load_demo(context: WorkerContext, _: Job, payload: DemoJob) -> None:
    follow_up = partial(follow_up_in_process, context.db, context.settings)
    replay = DemoReplay.from_settings(context.settings, follow_up, now=context.clock())
    await build_requested_demo(context.db, replay, payload, clock=context.clock)


async def form_second_opinion(context: WorkerContext, _: Job, payload: OpinionJob) -> None:
    processes = context.settings.analyzer_processes
    await form_opinion(context.db, payload, processes=processes, clock=context.clock)


async def export_workspace(context: WorkerContext, _: Job, payload: ExportJob) -> None:
    await make_export(context.db, context.settings, context.payloads, context.sealed, payload, now=context.clock())


async def delete_workspace(context: WorkerContext, _: Job, payload: EraseJob) -> None:
    await erase_workspace(context.db, context.settings, context.payloads, context.sealed, payload, now=context.clock())


async def fan_out_event(context: WorkerContext, _: Job, payload: EventJob) -> None:
    await fan_out(context.db, payload, now=context.clock())


async def deliver_webhook(context: WorkerContext, _: Job, payload: DeliverJob) -> None:
    await deliver(context.db, context.webhooks, payload, clock=context.clock)


async def send_outgoing_email(context: WorkerContext, _: Job, payload: OutgoingEmail) -> None:
    await send_email(context.settings, payload, now=context.clock())


async def send_change_link(context: WorkerContext, _: Job, payload: email_change.ChangeLink) -> None:
    await email_change.send_change_link(context.db, context.settings, payload, now=context.clock())


async def send_reset_link(context: WorkerContext, _: Job, payload: ResetRequest) -> None:
    await send_link(context.db, context.settings, payload, now=context.clock())

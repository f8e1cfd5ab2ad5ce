"""What a worker does: the one place that brings the queue and the features' handlers together."""

import asyncio
from collections.abc import Coroutine, Mapping
from functools import partial
from typing import Any

import msgspec
import structlog

from sightline import events
from sightline.cli.following import open_following
from sightline.cli.housekeeping import keep_house
from sightline.credits.checkout.reconcile import reconcile_attempts_any_workspace
from sightline.credits.ledger import build_credit_rules
from sightline.credits.providers.payments import Payments, open_payments
from sightline.db.engine import Database, DatabaseUnavailable
from sightline.jobs.queue import Job
from sightline.jobs.room import Room
from sightline.jobs.worker import Work, Worker
from sightline.kit.clock import Clock, utc_now
from sightline.mail import emails
from sightline.mail.send import send_email
from sightline.platforms import access
from sightline.scans.running.engine import open_engine
from sightline.scans.scheduling.tick import tick
from sightline.scoreboard.refresh import sweep_boards_any_workspace
from sightline.settings import Settings
from sightline.webhooks import models as webhooks
from sightline.webhooks.deliveries.deliver import deliver
from sightline.webhooks.deliveries.fan_out import fan_out
from sightline.webhooks.deliveries.sender import WebhookSender, open_webhook_sender

log = structlog.get_logger()

_HOUSEKEEPING_SECONDS = 60
_TICK_SECONDS = 5
_DELIVERIES_AT_ONCE = 200


async def work(
    settings: Settings, db: Database, database_url: str, stopping: asyncio.Event, *, clock: Clock = utc_now
) -> None:
    """Works until `stopping` is set. What is under way then is finished or given back to the queue."""
    payments = open_payments(settings, db, sandbox=access.is_sandbox(settings))
    try:
        async with (
            open_engine(settings, db, clock=clock) as engine,
            open_webhook_sender(settings) as courier,
            open_following(settings, db, engine.reader, clock=clock) as following,
        ):
            works = {**engine.works(), **following, **_other_works(settings, db, courier, clock)}
            worker = Worker(
                db,
                database_url,
                works,
                heartbeat=settings.job_heartbeat,
                grace=settings.worker_grace,
                on_stopping=engine.stop,
            )
            beside = [
                *engine.tasks(worker.id),
                _keep_house_forever(settings, db, payments, clock),
                _keep_time_forever(settings, db, clock),
            ]
            tasks = [asyncio.create_task(_guarded(task)) for task in beside]
            try:
                await worker.run(stopping)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
    finally:
        await payments.close()


async def _guarded(task: Coroutine[Any, Any, None]) -> None:
    """None of these ends by itself. One that breaks takes the process with it: half a worker is worse than none."""
    try:
        await task
    except asyncio.CancelledError:
        raise
    except BaseException:
        log.exception("worker_broken")
        raise SystemExit(1) from None


def _other_works(settings: Settings, db: Database, courier: WebhookSender, clock: Clock) -> Mapping[str, Work]:
    deliveries = Room(_DELIVERIES_AT_ONCE)

    async def tell(job: Job) -> None:
        await fan_out(db, msgspec.json.decode(job.payload, type=events.EventJob), now=clock())

    async def send(job: Job) -> None:
        given = msgspec.json.decode(job.payload, type=webhooks.DeliverJob)
        await deliveries.run(deliver(db, courier, given, clock=clock))

    async def write(job: Job) -> None:
        await send_email(settings, msgspec.json.decode(job.payload, type=emails.OutgoingEmail), now=clock())

    return {
        events.JOB: Work(handle=tell),
        webhooks.JOB: Work(handle=send, room=deliveries.left),
        emails.JOB: Work(handle=write),
    }


async def _keep_time_forever(settings: Settings, db: Database, clock: Clock) -> None:
    """Starts the checks that are due. Every worker does, and each check is started once."""
    while True:
        try:
            await tick(db, settings, now=clock())
        except DatabaseUnavailable:
            pass
        except Exception:
            log.exception("schedule_failed")
        await asyncio.sleep(_TICK_SECONDS)


async def _keep_house_forever(settings: Settings, db: Database, payments: Payments, clock: Clock) -> None:
    steps = (
        partial(keep_house, db, settings),
        partial(reconcile_attempts_any_workspace, db, payments, rules=build_credit_rules(settings)),
        partial(sweep_boards_any_workspace, db),
    )
    while True:
        for step in steps:
            try:
                await step(now=clock())
            except DatabaseUnavailable as error:
                log.warning("housekeeping_waits", reason=str(error))
            except Exception:
                log.exception("housekeeping_failed")
        await asyncio.sleep(_HOUSEKEEPING_SECONDS)

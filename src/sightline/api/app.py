"""The application: the operations of both APIs behind their middleware, and the framework that serves the rest."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

from litestar import Litestar, Response
from litestar.connection import Request
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler

from sightline.api import system
from sightline.api.app_context import AppContext
from sightline.api.console import (
    account,
    checkout,
    domains,
    keys,
    platforms,
    scan_answers,
    scans,
    session,
    usage,
    webhooks,
)
from sightline.api.console import credits as console_credits
from sightline.api.data import analytics, checks, insights, prompt_imports, prompt_tags
from sightline.api.data import answers as data_answers
from sightline.api.data import competitors as data_competitors
from sightline.api.data import corrections as data_corrections
from sightline.api.data import domains as data_domains
from sightline.api.data import prompts as data_prompts
from sightline.api.data import reports as data_reports
from sightline.api.data import searches as data_searches
from sightline.api.data import tables as data_tables
from sightline.api.edge.middleware import ApiMiddleware, Mount
from sightline.api.edge.operations import Operation
from sightline.api.hooks.stripe import receive_stripe
from sightline.db.engine import DatabaseUnavailable
from sightline.monitoring.event_loop import watch_event_loop
from sightline.monitoring.exposition import Monitor

PageHandler = Callable[[Request[Any, Any, State], Exception], Response[Any]]
MountBuilder = Callable[[ApiMiddleware], Mount]

OPERATIONS: tuple[Operation, ...] = (
    session.create_session,
    session.read_session,
    session.delete_session,
    account.read_account,
    account.update_account,
    account.bootstrap_account,
    keys.list_keys,
    keys.mint_key,
    keys.rotate_key,
    keys.revoke_key,
    keys.revoke_all_keys,
    usage.read_usage,
    usage.list_platform_costs,
    platforms.list_platforms,
    domains.list_domains,
    domains.register_domain,
    domains.read_domain,
    domains.change_domain,
    domains.remove_domain,
    scans.list_scans,
    scans.submit_scan,
    scans.preview_scan,
    scans.read_scan,
    scans.read_scan_results,
    scans.cancel_scan,
    scans.follow_scan_events,
    scan_answers.list_scan_answers,
    scan_answers.read_scan_answer,
    checkout.start_checkout,
    checkout.recover_checkout,
    checkout.list_checkouts,
    console_credits.read_balance,
    console_credits.list_ledger,
    console_credits.export_ledger,
    console_credits.list_packs,
    webhooks.list_webhooks,
    webhooks.register_webhook,
    webhooks.read_webhook,
    webhooks.change_webhook,
    webhooks.remove_webhook,
    webhooks.rotate_webhook_secret,
    webhooks.send_test_webhook,
    webhooks.list_webhook_deliveries,
    webhooks.redeliver_webhook,
    data_domains.list_tracked_domains,
    data_domains.read_tracked_domain,
    data_competitors.list_competitors,
    data_competitors.read_competitor,
    data_prompts.list_prompts,
    data_prompts.read_prompt_spot_checks,
    data_prompts.read_prompt_source_changes,
    data_prompts.list_prompt_suggestions,
    data_prompts.add_prompt,
    data_prompts.unpin_prompt,
    data_prompts.remove_prompt,
    prompt_imports.import_prompts,
    prompt_tags.read_prompt_tags,
    prompt_tags.change_prompt_tags,
    data_reports.list_reports,
    data_reports.read_report,
    data_reports.read_report_html,
    data_reports.read_report_pdf,
    data_reports.read_report_appendix_html,
    data_reports.read_report_appendix_pdf,
    checks.list_checks,
    checks.read_check,
    checks.list_check_answers,
    checks.read_check_answer,
    data_answers.list_answers,
    data_searches.list_searches,
    data_tables.list_domain_tables,
    data_tables.read_table,
    data_tables.stream_table_csv,
    data_tables.stream_table_jsonl,
    data_tables.stream_table_parquet,
    data_corrections.list_corrections,
    data_corrections.correct_answer,
    data_corrections.undo_correction,
    analytics.read_analytics,
    insights.list_alerts,
    insights.list_themes,
    insights.list_recommendations,
    insights.list_done_recommendations,
    insights.mark_recommendation_done,
    insights.reopen_recommendation,
    insights.list_opportunities,
    insights.read_changes,
)


def create_app(
    app_context: AppContext,
    pages: Iterable[HTTPRouteHandler] = (),
    on_missing_page: PageHandler | None = None,
    mounts: Iterable[MountBuilder] = (),
) -> ApiMiddleware:
    """Build the ASGI application.

    `pages` and the page for an unknown path come from `web/`. A mount answers some paths itself, and runs with the
    application; `mcp/` has one.
    """

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        app_context.copies.open(now=app_context.clock())
        app_context.ended_callers.open(now=app_context.clock())
        loops = [
            asyncio.create_task(loop)
            for loop in (
                watch_event_loop(),
                app_context.usage.run(),
                app_context.running_claims.run(),
                app_context.ended_callers.run(app_context.db),
            )
        ]
        try:
            async with AsyncExitStack() as running:
                for mount in application.mounts:
                    await running.enter_async_context(mount.run())
                yield
        finally:
            for loop in loops:
                loop.cancel()
            await asyncio.gather(*loops, return_exceptions=True)
            with suppress(DatabaseUnavailable):
                await app_context.usage.flush()
            await app_context.copies.close()
            await app_context.payments.close()

    framework = Litestar(
        [system.health, system.readiness, system.version, system.metrics, receive_stripe, *pages],
        exception_handlers={NotFoundException: on_missing_page} if on_missing_page else {},
        lifespan=[lifespan],
        # Otherwise the environment could turn both on, and callers would see tracebacks.
        debug=False,
        pdb_on_exception=False,
        state=State({"app_context": app_context, "monitor": Monitor(app_context.db, app_context.settings.data_dir)}),
        openapi_config=None,
        logging_config=None,
    )
    application = ApiMiddleware(framework, OPERATIONS, app_context)
    application.mounts = tuple(build(application) for build in mounts)
    return application

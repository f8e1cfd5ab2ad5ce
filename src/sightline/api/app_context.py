"""What an application is made of: built once per process and passed to every request."""

import asyncio
from collections.abc import Mapping
from functools import partial

import msgspec

from sightline.api.edge.anonymous_limit import AnonymousLimit
from sightline.api.edge.ended_callers import EndedCallers
from sightline.api.edge.event_streams import STREAM_LIMITS, RefusedCallers, StreamPlaces
from sightline.api.edge.saved_copies import SavedCopies
from sightline.credits.providers.payments import Payments, open_payments
from sightline.db.engine import Database
from sightline.idempotency.running_claims import RunningClaims
from sightline.kit.clock import Clock
from sightline.plans.table import PlanTable, build_plan_table
from sightline.platforms.access import find_enabled_platforms, is_sandbox
from sightline.scans.payloads.object_store import PayloadStores, open_payload_stores
from sightline.scans.progress import ScanFeeds
from sightline.scans.sealed.store import SealedMonths, open_sealed_months
from sightline.settings import Settings
from sightline.usage.counters import UsageCounters
from sightline.usage.models import RateLimits
from sightline.usage.rate_limit import LocalRateWindows, build_rate_limits


class AppContext(msgspec.Struct, frozen=True):
    """The settings, the database and the shared state of one process."""

    settings: Settings
    db: Database
    clock: Clock
    plans: PlanTable
    limits: Mapping[str, RateLimits]
    windows: LocalRateWindows
    anonymous: AnonymousLimit
    usage: UsageCounters
    running_claims: RunningClaims
    large_writes: asyncio.Semaphore
    """Taken by a write whose body is above the usual limit: many of them wait for each other, and nobody for them."""
    copies: SavedCopies
    ended_callers: EndedCallers
    feeds: ScanFeeds
    stream_places: StreamPlaces
    refused_callers: RefusedCallers
    payments: Payments
    payloads: PayloadStores
    sealed: SealedMonths

    @property
    def platforms(self) -> Mapping[bool, frozenset[str]]:
        """Return the platforms that are connected now, by live mode. Those paused in the database are included."""
        return {livemode: find_enabled_platforms(self.settings, livemode=livemode) for livemode in (True, False)}


def build_app_context(settings: Settings, db: Database, clock: Clock) -> AppContext:
    plans = build_plan_table(settings.plans)
    payloads = open_payload_stores(settings)
    return AppContext(
        settings=settings,
        db=db,
        clock=clock,
        plans=plans,
        limits=build_rate_limits(settings, plans),
        windows=LocalRateWindows(),
        anonymous=AnonymousLimit(settings.anonymous_rate_per_minute),
        usage=UsageCounters(db),
        running_claims=RunningClaims(db),
        large_writes=asyncio.Semaphore(1),
        copies=SavedCopies(settings.data_dir / "copies", actor_age=settings.degraded_auth_age),
        ended_callers=EndedCallers(settings.data_dir / "ended_callers", actor_age=settings.degraded_auth_age),
        feeds=ScanFeeds(db),
        stream_places=StreamPlaces(STREAM_LIMITS),
        refused_callers=RefusedCallers(),
        payments=open_payments(settings, db, is_sandbox=partial(is_sandbox, settings)),
        payloads=payloads,
        sealed=open_sealed_months(settings, payloads),
    )

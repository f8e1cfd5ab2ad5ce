"""The editor of a Full Check: who edits it, what it builds on, and what is stored of it.

An edition that a crash or a stopping worker interrupts starts again and finds the replies that it already had. While
the platform is down, the job is tried again; after some hours the rules work alone.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from datetime import date, timedelta

import msgspec
import structlog
from prometheus_client import Counter as CounterMetric

from sightline.accounts.queries import find_common_language
from sightline.competitors.queries import list_all_competitors
from sightline.db.engine import Database, Transaction
from sightline.facts.queries import list_facts, store_claims
from sightline.insights.editor import queries
from sightline.insights.editor.caller import Budget, PlatformEditor
from sightline.insights.editor.edition import Edition, EditionMemory, sort_passages
from sightline.insights.editor.models import EditionAccount, EditionRow, RulesReason, StoredMemory
from sightline.insights.editor.read import find_rules_reason, read_edition
from sightline.insights.editor.requests import UNREADABLE
from sightline.insights.editor.sorting import AnswerPassages, count_sorted, list_sortable, read_passages
from sightline.insights.inputs import InsightInputs
from sightline.insights.models import ThemeTrace
from sightline.jobs.retry import Retry
from sightline.kit.clock import Clock
from sightline.scans.editor_platform import EditorPlatform
from sightline.scans.models import ScanAnswer
from sightline.scans.stored import ScanRow

log = structlog.get_logger()
_DROPPED = CounterMetric("sightline_editor_dropped", "Statements of the editor that did not verify.", ["kind"])

OpenEditor = Callable[[ScanRow], EditorPlatform | None]
ReadBefore = Callable[[], Awaitable[InsightInputs | None]]
PATIENCE = timedelta(hours=3)
"""How long after a Full Check its insights wait for a platform that is down."""
RETRY_SECONDS = 300.0
RUN_SECONDS = 240.0
"""How long one run of the job asks: other jobs wait for it. The next run continues."""


class CheckEditor:
    """The editor of one Full Check; without a platform, `reason` says why."""

    def __init__(
        self,
        db: Database,
        scan: ScanRow,
        stored: EditionRow,
        caller: PlatformEditor | None,
        memory: EditionMemory,
        reason: RulesReason | None,
        *,
        clock: Clock,
    ) -> None:
        self._db, self._scan, self._stored, self._clock = db, scan, stored, clock
        self.caller, self.memory, self.reason = caller, memory, reason

    @classmethod
    async def open(
        cls, db: Database, scan: ScanRow, open_editor: OpenEditor | None, answers: Sequence[ScanAnswer], *, clock: Clock
    ) -> "CheckEditor":
        domain_key = (scan.workspace_id, scan.domain_id)
        stored = await read_edition(db, *domain_key)
        platform = open_editor(scan) if open_editor else None
        reason = await find_rules_reason(db, scan.workspace_id, platform, is_live=scan.answers_source == "live")
        if platform is None or reason is not None:
            return cls(db, scan, stored, None, EditionMemory(), reason, clock=clock)
        replies = queries.DomainReplies(db, *domain_key, platform.name, scan_id=scan.id, clock=clock)
        budget = Budget.of_check(platform, [answer.provenance.cost_usd for answer in answers])
        budget.count(*await replies.sum_of_check())
        dismissed = [row for row in await list_all_competitors(db, *domain_key) if row.status == "dismissed"]
        same = stored.editor == platform.name
        memory = EditionMemory(
            market=stored.market if stored.market and stored.market.audience else None,
            codebook=stored.codebook,
            version=stored.version,
            names=stored.memory.names if same else {},
            sorted=stored.memory.sorted if same and stored.memory.version == stored.version else {},
            language=await find_common_language(db, scan.workspace_id),
            facts=tuple(row for row in await list_facts(db, *domain_key) if row.status == "confirmed"),
            asked_on=scan.completed_at.date() if scan.completed_at else date.max,
            not_rivals=tuple(name for row in dismissed for name in (row.found_as, *row.all_names) if name),
        )
        return cls(
            db, scan, stored, PlatformEditor(platform, replies, budget, seconds=RUN_SECONDS), memory, None, clock=clock
        )

    @property
    def category(self) -> str | None:
        """Return what is sold, as people or an earlier edition said; None if nobody has."""
        return self._stored.market.plural if self._stored.market else None

    def require_replies(self) -> None:
        """Raise `Retry` if requests may have a reply later, and it is not too late to wait for them."""
        assert self._scan.completed_at is not None
        if self.caller is None or self._clock() >= self._scan.completed_at + PATIENCE:
            return
        if self.caller.has_left("outage"):
            raise Retry(RETRY_SECONDS)
        if self.caller.has_left("later"):
            raise Retry

    async def find_previous(
        self, edition: Edition | None, trace: ThemeTrace | None, read_before: ReadBefore
    ) -> ThemeTrace | None:
        """Return the themes of the Full Check before as the same editor sorts them; None if that is not possible.

        After a change of the editor or its model, the answers of that check are sorted again.
        """
        sorted_by = self.caller.name if self.caller and edition and edition.counts else None
        if trace is None or trace.editor == sorted_by:
            return trace
        if self.caller is None or edition is None or sorted_by is None:
            return None
        before = await read_before()
        passages = await asyncio.to_thread(_read_own_passages, before) if before else []
        placed = await sort_passages(
            passages, edition.codebook, edition.market, self.caller, known={}, dropped=Counter()
        )
        if placed is None or before is None:
            return None
        counts = count_sorted(before, passages, edition.codebook, placed)
        return self.sign(counts.to_trace(), edition)

    def sign(self, trace: ThemeTrace, edition: Edition | None) -> ThemeTrace:
        """Return a trace with who made it, so that only like is compared with like."""
        if self.caller is None or edition is None or edition.counts is None:
            return trace
        themes = tuple(theme.id for theme in list_sortable(edition.codebook))
        return msgspec.structs.replace(trace, editor=self.caller.name, themes=themes)

    async def store(self, tx: Transaction, edition: Edition | None) -> None:
        """Store the edition, in the transaction that stores the insights.

        Another edition may have extended the codebook meanwhile: then this one starts again.
        """
        domain_key = (self._scan.workspace_id, self._scan.domain_id)
        current = await read_edition(tx, *domain_key)
        if current.version != self._stored.version:
            raise Retry
        account = EditionAccount(reason=self.reason)
        if edition is not None and self.caller is not None:
            left = self.caller.left
            is_down = self.caller.has_left("outage") or self.caller.has_left("later")
            account = EditionAccount(
                reason="unavailable" if is_down else None,
                former_editor=self._stored.editor if self._stored.editor != self.caller.name else None,
                themes_edited=edition.counts is not None,
                dropped=dict(+edition.dropped),
                over_budget={kind: number for (reason, kind), number in left.items() if reason == "budget"},
                failed={kind: number for (reason, kind), number in left.items() if reason != "budget"},
                fault=self.caller.fault,
                cost_usd=self.caller.budget.cost_usd,
            )
            for key, number in account.dropped.items():
                _DROPPED.labels(key.removesuffix(UNREADABLE)).inc(number)
            await queries.add_themes(tx, *domain_key, edition.codebook)
            if edition.claims is not None and self._scan.completed_at is not None:
                await store_claims(tx, *domain_key, self._scan.id, edition.claims, completed_at=self._scan.completed_at)
        row = EditionRow(
            scan_id=self._scan.id,
            editor=self.caller.name if self.caller and edition and edition.is_edited else None,
            version=edition.version if edition else self._stored.version,
            market=edition.market if edition else None,
            memory=StoredMemory(edition.names, edition.version, edition.sorted) if edition else StoredMemory(),
            account=account,
        )
        await queries.store_edition(tx, *domain_key, row)
        log.info("edition_stored", scan_id=str(self._scan.id), editor=row.editor, **msgspec.structs.asdict(account))


def _read_own_passages(inputs: InsightInputs) -> list[AnswerPassages]:
    own = inputs.brand.name
    return [
        AnswerPassages(one.answer, {own: one.by_brand.get(own, ())}, has_rivals=False) for one in read_passages(inputs)
    ]

"""Recomputing the statistics of a domain's prompts from the scans of the last thirty days."""

import asyncio
import uuid
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta

from sightline.db.engine import Database
from sightline.kit.clock import Clock
from sightline.metrics.citations import rank_co_mentioned
from sightline.metrics.observation import Observation
from sightline.metrics.sentiment import summarize_sentiment
from sightline.prompts import queries
from sightline.prompts.models import PromptStatistics, StoredSentiment
from sightline.scans.stored import decode_measured
from sightline.scoreboard import queries as scoreboard_queries
from sightline.scoreboard.cells import TRACKED_SCOPES
from sightline.scoreboard.models import PromptScanRow, decode_comparable_facts


async def refresh_statistics(db: Database, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, clock: Clock) -> None:
    """Recompute the statistics of all tracked prompts for the period that ends now."""
    source = await scoreboard_queries.find_latest_source(db, workspace_id, domain_id)
    if source is None:
        return
    period_end = clock()
    latest = await scoreboard_queries.find_latest_scan(db, workspace_id, domain_id, source, scopes=TRACKED_SCOPES)
    assert latest is not None
    owned = decode_measured(latest.brand).brand.domains
    prompts = await queries.list_active_prompt_ids(db, workspace_id, domain_id)
    prompt_scans = await scoreboard_queries.list_prompt_scans_between(
        db, latest, since=period_start(period_end), until=period_end
    )
    found = await asyncio.to_thread(summarize_prompts, prompt_scans, prompt_ids=prompts, owned=owned)
    async with db.transaction() as tx:
        await queries.store_statistics(tx, workspace_id, found, period_end=period_end)


_PERIOD = timedelta(days=30)
# Search engines and link shorteners: being cited with them says nothing about the brand.
_SEARCH_SITES = frozenset(
    {"google.com", "bing.com", "duckduckgo.com", "yahoo.com", "yandex.com", "yandex.ru", "baidu.com", "ecosia.org",
     "brave.com", "qwant.com", "startpage.com", "t.co", "bit.ly", "lnkd.in", "tinyurl.com", "goo.gl",
     "slack-redir.net", "outlook.com"}
)  # fmt: skip


def summarize_prompts(
    prompt_scans: Sequence[PromptScanRow], *, prompt_ids: Collection[uuid.UUID], owned: Collection[str]
) -> list[PromptStatistics]:
    """Summarize each prompt over the scans of a period; without a scan its figures are empty."""
    by_prompt: Mapping[uuid.UUID, list[PromptScanRow]] = {prompt_id: [] for prompt_id in prompt_ids}
    for prompt_scan in prompt_scans:
        if prompt_scan.prompt_id in by_prompt:
            by_prompt[prompt_scan.prompt_id].append(prompt_scan)
    excluded = _SEARCH_SITES | frozenset(owned)
    return [_summarize(prompt_id, rows, excluded) for prompt_id, rows in by_prompt.items()]


def _summarize(
    prompt_id: uuid.UUID, prompt_scans: Sequence[PromptScanRow], excluded: frozenset[str]
) -> PromptStatistics:
    checks = decode_comparable_facts([prompt_scan.cells for prompt_scan in prompt_scans])
    observations = [cell.to_observation(str(prompt_id), None) for cells in checks for cell in cells]
    found = summarize_sentiment(observations)
    valid = [observation for observation in observations if observation.is_valid]
    return PromptStatistics(
        prompt_id=prompt_id,
        sentiment=StoredSentiment(
            score=found.score,
            label=found.label,
            responses_analyzed=found.scored,
            low_data=found.low_data,
            mixed=found.mixed,
        ),
        co_mentioned_brands=tuple(row.domain for row in rank_co_mentioned(observations, excluded)),
        named_share=_measure_named_share(valid),
    )


def _measure_named_share(valid: Sequence[Observation]) -> float | None:
    return sum(observation.mentioned for observation in valid) / len(valid) if valid else None


def period_start(period_end: datetime) -> datetime:
    return period_end - _PERIOD

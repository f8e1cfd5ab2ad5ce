"""Summarizing a prompt over the last thirty days (spec: `sentiment`, `co_mentioned_brands`). Pure."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta

from sightline.metrics.citations import rank_co_mentioned
from sightline.metrics.observation import Observation
from sightline.metrics.sentiment import summarize_sentiment
from sightline.prompts.models import PromptStatistics, StoredSentiment
from sightline.scoreboard.models import PromptScanRow, decode_facts

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
    observations = [
        cell.to_observation(str(prompt_id), None)
        for prompt_scan in prompt_scans
        for cell in decode_facts(prompt_scan.cells)
    ]
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

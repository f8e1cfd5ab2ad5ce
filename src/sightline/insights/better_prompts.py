"""Better wordings for the prompts of a domain whose answers name nobody."""

import asyncio
import uuid
from collections.abc import Mapping, Sequence

from sightline.db.engine import Reader
from sightline.insights.questions.better_prompts import word_better_prompts
from sightline.insights.questions.market_nouns import NounPrompt
from sightline.prompts.measures_nothing import measures_nothing
from sightline.prompts.models import PromptRow
from sightline.prompts.read import list_tracked_prompts

_ENGLISH = "en"


async def read_better_prompts(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, rows: Sequence[PromptRow]
) -> Mapping[uuid.UUID, str]:
    """Return a better wording for each of these prompts that measures nothing, where there is one."""
    nothing = [NounPrompt(str(row.id), row.prompt) for row in rows if measures_nothing(row) and _is_english(row)]
    if not nothing:
        return {}
    tracked = [
        NounPrompt(str(prompt.id), prompt.prompt)
        for prompt in await list_tracked_prompts(db, workspace_id, domain_id)
        if prompt.language_code == _ENGLISH
    ]
    found = await asyncio.to_thread(word_better_prompts, nothing, tracked)
    return {uuid.UUID(prompt_id): text for prompt_id, text in found.items()}


def _is_english(row: PromptRow) -> bool:
    return row.language_code == _ENGLISH

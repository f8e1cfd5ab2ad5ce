"""The prompts of Daily Checks: pinned ones first, then the most informative ones.

They are chosen at each Full Check and stay until the next, so that Daily Checks can be compared with each other. In
between only pins, additions and removals change them.
"""

import uuid
from collections.abc import Collection, Mapping, Sequence
from math import log1p
from statistics import median

import msgspec

from sightline.db.engine import Transaction
from sightline.prompts.queries import set_daily_prompts
from sightline.scans.scheduling import queries
from sightline.scans.scheduling.models import PromptHistoryRow, ScheduledPrompt

_HISTORY = 15  # past checks of a prompt that count: two weeks, and their first Full Check
_DEMAND_UNKNOWN = 1.0  # where no volume is known for any prompt


class PastCell(msgspec.Struct, frozen=True):
    """The part of an entry of `prompt_checks.cells` that is used here."""

    platform: str
    status: str
    mentioned: bool = False


Answers = Mapping[str, bool]  # of one check: whether each platform named the brand

_decode_cells = msgspec.json.Decoder(tuple[PastCell, ...]).decode


def measure_volatility(checks: Sequence[Answers]) -> float:
    """Return how likely the next answer is to differ from the last one, from 0 to 1. `checks` are in order of time.

    It is the share of flips among all steps from one answer of a platform to its next, with Laplace's rule: one step
    with a flip and one without are added. So an unknown prompt has one half, and one steady answer does not make a
    prompt steady.
    """
    last: dict[str, bool] = {}
    steps = flips = 0
    for answers in checks:
        for platform, mentioned in answers.items():
            if platform in last:
                steps += 1
                flips += last[platform] is not mentioned
            last[platform] = mentioned
    return (flips + 1) / (steps + 2)


def measure_demand(volumes: Sequence[int | None]) -> list[float]:
    """Return ln(1 + volume) of each prompt; where the volume is unknown, the median of the known ones."""
    known = [log1p(volume) for volume in volumes if volume is not None]
    unknown = median(known) if known else _DEMAND_UNKNOWN
    return [unknown if volume is None else log1p(volume) for volume in volumes]


def rank_prompts(
    prompts: Sequence[ScheduledPrompt], histories: Mapping[uuid.UUID, Sequence[Answers]]
) -> list[ScheduledPrompt]:
    """Sort prompts: pinned ones first, then by volatility times demand; ties keep their order."""
    demand = measure_demand([prompt.volume for prompt in prompts])
    worth = {
        prompt.id: measure_volatility(histories.get(prompt.id, ())) * each
        for prompt, each in zip(prompts, demand, strict=True)
    }
    return sorted(prompts, key=lambda prompt: (prompt.pinned_at is None, -worth[prompt.id]))


async def choose_daily_prompts(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    *,
    limit: int,
    among: Collection[uuid.UUID] | None = None,
) -> list[uuid.UUID]:
    """Choose and store the daily prompts until the next Full Check. The same history gives the same choice.

    `among` are the prompts that the Full Check asked. Prompts pinned since then may be chosen as well.
    """
    prompts = [
        prompt
        for prompt in await queries.list_active_prompts(tx, workspace_id, domain_id)
        if among is None or prompt.id in among or prompt.pinned_at is not None
    ]
    seen = await queries.list_prompt_histories(tx, workspace_id, domain_id, checks=_HISTORY)
    chosen = [prompt.id for prompt in rank_prompts(prompts, _histories(seen))[:limit]]
    await set_daily_prompts(tx, workspace_id, domain_id, chosen)
    return chosen


def _histories(seen: Sequence[PromptHistoryRow]) -> Mapping[uuid.UUID, Sequence[Answers]]:
    """Return the history of each prompt. Only answers of the latest source count: sandbox and live never mix."""
    found: dict[uuid.UUID, list[Answers]] = {}
    for check in seen:
        if check.answers_source == seen[-1].answers_source:
            answers = {cell.platform: cell.mentioned for cell in _decode_cells(check.cells) if cell.status == "ok"}
            found.setdefault(check.prompt_id, []).append(answers)
    return found

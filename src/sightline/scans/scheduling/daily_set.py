"""Which prompts a Daily Check asks: pinned ones first, then those from which most is to be learned.

The set is chosen at each Full Check and kept until the next, so that Daily Checks can be compared with each other. In
between it changes by pins, adds and removals alone.
"""

import uuid
from collections.abc import Collection, Mapping, Sequence
from math import log1p
from statistics import median

import msgspec

from sightline.db.engine import Transaction
from sightline.prompts.queries import set_daily_prompts
from sightline.scans.scheduling import queries
from sightline.scans.scheduling.models import AskedPrompt, SeenPrompt

_HISTORY = 15  # checks of a prompt that are looked at: two weeks, and their first Full Check
_DEMAND_UNKNOWN = 1.0  # where no volume is known of any prompt: the same for all


class SeenCell(msgspec.Struct, frozen=True):
    """What is needed here of an entry of `prompt_checks.cells`."""

    platform: str
    status: str
    mentioned: bool = False


Answers = Mapping[str, bool]  # of one check: whether each platform named the brand

_read_cells = msgspec.json.Decoder(tuple[SeenCell, ...]).decode


def measure_volatility(checks: Sequence[Answers]) -> float:
    """How likely the next answer differs from the last one, from 0 to 1; `checks` are in the order of time.

    The flips among all steps from one answer of a platform to its next. One flip and one step without are added to
    what was seen (Laplace's rule): a prompt that nobody knows yet stands at one half, and one steady answer does not
    make a prompt steady.
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
    """ln(1 + volume) of each; where it is unknown, the median of the known."""
    known = [log1p(volume) for volume in volumes if volume is not None]
    unknown = median(known) if known else _DEMAND_UNKNOWN
    return [unknown if volume is None else log1p(volume) for volume in volumes]


def rank_prompts(prompts: Sequence[AskedPrompt], histories: Mapping[uuid.UUID, Sequence[Answers]]) -> list[AskedPrompt]:
    """Pinned ones first, then by volatility times demand; equal ones as they came."""
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
    """Makes the set that holds until the next Full Check. Choosing twice from the same history chooses the same.

    `among` are the prompts that the Full Check asked. What was pinned since then may be chosen all the same.
    """
    prompts = [
        prompt
        for prompt in await queries.list_active_prompts(tx, workspace_id, domain_id)
        if among is None or prompt.id in among or prompt.pinned_at is not None
    ]
    seen = await queries.read_histories(tx, workspace_id, domain_id, checks=_HISTORY)
    chosen = [prompt.id for prompt in rank_prompts(prompts, _histories(seen))[:limit]]
    await set_daily_prompts(tx, workspace_id, domain_id, chosen)
    return chosen


def _histories(seen: Sequence[SeenPrompt]) -> Mapping[uuid.UUID, Sequence[Answers]]:
    """Made-up answers and real ones are never counted together: what counts is of the same kind as the latest."""
    found: dict[uuid.UUID, list[Answers]] = {}
    for check in seen:
        if check.answers_source == seen[-1].answers_source:
            answers = {cell.platform: cell.mentioned for cell in _read_cells(check.cells) if cell.status == "ok"}
            found.setdefault(check.prompt_id, []).append(answers)
    return found

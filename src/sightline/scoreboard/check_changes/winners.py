"""Prompts whose winner has changed. Pure."""

import uuid
from collections import Counter
from collections.abc import Sequence

from sightline.metrics.observation import Cell
from sightline.scoreboard.check_changes.matched_answers import Facts, FullCheck, MatchedAnswers
from sightline.scoreboard.check_changes.schemas import LeadingBrand, WinnerChange

_MIN_ANSWERS = 3  # of one prompt, to have a winner
_MIN_NAMED = 2
_CLEAR_LEAD = 2


def group_by_prompt(cells: Sequence[Cell]) -> dict[str, list[Cell]]:
    """Return the cells of each prompt that has enough of them for a winner."""
    found: dict[str, list[Cell]] = {}
    for cell in cells:
        found.setdefault(cell[0], []).append(cell)
    return {prompt: own for prompt, own in found.items() if len(own) >= _MIN_ANSWERS}


def count_names(cells: Sequence[Cell], facts: Facts) -> Counter[str]:
    """Count the answers with each name, or with each site."""
    return Counter(name for cell in cells for name in facts[cell])


def find_winner(named: Counter[str]) -> str | None:
    """Return the brand that most answers name: at least two, and more than any other brand."""
    first, *rest = [*named.most_common(2), ("", 0)]
    return first[0] if first[1] >= _MIN_NAMED and first[1] > rest[0][1] else None


def find_winner_changes(now: FullCheck, answers: MatchedAnswers) -> tuple[WinnerChange, ...]:
    """Return the prompts where one brand led another clearly, and now it is the other way round."""
    groups = group_by_prompt(answers.cells)
    found = []
    for prompt in now.plan.prompts:
        cells = groups.get(prompt.id, [])
        before, after = count_names(cells, answers.named_before), count_names(cells, answers.named_now)
        old, new = find_winner(before), find_winner(after)
        if old is None or new is None or old == new:
            continue
        if before[old] - before[new] < _CLEAR_LEAD or after[new] - after[old] < _CLEAR_LEAD:
            continue
        found.append(
            WinnerChange(
                prompt_id=uuid.UUID(prompt.id),
                prompt=prompt.text,
                country_iso_2=prompt.country,
                answers=len(cells),
                before=LeadingBrand(old, before[old]),
                now=LeadingBrand(new, after[new]),
            )
        )
    return tuple(found)

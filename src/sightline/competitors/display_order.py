"""A stable order of competitors, which gives each the same color on every page and in every scan."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Protocol

from sightline.competitors import queries
from sightline.db.engine import Reader


class RankedBrand(Protocol):
    """A competitor in a scan or a ranking."""

    @property
    def name(self) -> str: ...
    @property
    def domains(self) -> Sequence[str]: ...


async def assign_display_order(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, competitors: Iterable[RankedBrand]
) -> Mapping[str, int]:
    """Return the position of each name, from 1, in the order of first confirmation.

    Hidden competitors keep their position. Competitors that are no longer stored follow, in the given order.
    """
    positions = {
        domain: position
        for position, domain in enumerate(await queries.list_domains_by_confirmation(db, workspace_id, domain_id), 1)
    }
    next_positions = count(len(positions) + 1)
    return {
        competitor.name: min(found_positions)
        if (found_positions := [positions[one] for one in competitor.domains if one in positions])
        else next(next_positions)
        for competitor in competitors
    }

"""The place of each competitor in a stable order, so that it has the same colour on every page and in every check."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Protocol

from sightline.competitors import queries
from sightline.db.engine import Reader


class RankedBrand(Protocol):
    """A competitor as a check or a ranking knows it."""

    @property
    def name(self) -> str: ...
    @property
    def domains(self) -> Sequence[str]: ...


async def assign_display_order(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, rivals: Iterable[RankedBrand]
) -> Mapping[str, int]:
    """Name → place from 1 on, by when each was confirmed first; hidden ones keep theirs. Those that are not on record
    any more come behind, in the order in which they are given."""
    known = {
        domain: place
        for place, domain in enumerate(await queries.list_domains_by_confirmation(db, workspace_id, domain_id), 1)
    }
    spare = count(len(known) + 1)
    return {
        rival.name: min(places) if (places := [known[one] for one in rival.domains if one in known]) else next(spare)
        for rival in rivals
    }

"""The claims of the requests that this process carries out now.

They are renewed for as long as their requests run. When the process dies, or a request ends while the database cannot
be reached, its claims are no longer renewed and become free (ADR 29).
"""

import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sightline.db.engine import Database
from sightline.db.loops import run_forever
from sightline.idempotency import claims, queries
from sightline.idempotency.models import IdempotencyClaim

# Three attempts fit into the silence after which a claim is free.
_RENEW_SECONDS = 3.0


class RunningClaims:
    def __init__(self, db: Database) -> None:
        self._db = db
        self._claims: dict[uuid.UUID, IdempotencyClaim] = {}

    @asynccontextmanager
    async def hold(self, claim: IdempotencyClaim) -> AsyncIterator[None]:
        """Keep the claim for the length of a `with` block, and free the key if the block fails."""
        self._claims[claim.id] = claim
        try:
            yield
        except BaseException:
            await claims.release(self._db, claim)
            raise
        finally:
            del self._claims[claim.id]

    async def run(self) -> None:
        """Renew the claims until cancelled."""
        await run_forever(self.renew, every=_RENEW_SECONDS, failure_event="claims_not_renewed")

    async def renew(self) -> None:
        if self._claims:
            await queries.renew_claims_any_workspace(self._db, list(self._claims.values()))

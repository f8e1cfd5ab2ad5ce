"""A form that is sent twice acts once: its one-time token is an idempotency key like that of the API."""

import hashlib
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sightline.api.edge.idempotency import read_key
from sightline.api.edge.request_id import make_request_id
from sightline.db.engine import Transaction
from sightline.idempotency import claims
from sightline.idempotency.models import Claim, KeyScope, StoredResponse
from sightline.kit.ids import new_id
from sightline.web.frame import Place
from sightline.web.pages.console.forms import Form


class Once:
    """The right to act, or, where the same form has acted before, where it led to."""

    def __init__(self, place: Place, claim: Claim | StoredResponse) -> None:
        self._place = place
        self.claim = claim if isinstance(claim, Claim) else None
        self.led_to = "" if isinstance(claim, Claim) else dict(claim.headers)["location"]

    async def settle(self, tx: Transaction, leads_to: str) -> str:
        """In the transaction of the effect: both are kept, or neither."""
        assert self.claim is not None, "a form that has acted before must not act again"
        response = StoredResponse(303, [("location", leads_to), ("x-request-id", make_request_id())], b"")
        await claims.settle(tx, self.claim, response, now=self._place.visit.now)
        return leads_to


def make_token() -> str:
    return str(new_id())


@asynccontextmanager
async def act_once(place: Place, form: Form) -> AsyncIterator[Once]:
    """Bound to the person, the mode, the form's address and all that is in it: whoever goes back and changes something
    sends another form. After a failure it may be sent again."""
    token = read_key(form.text("token"), required=True)
    actor, settings, spelled = place.actor, place.visit.app_context.settings, form.spell()
    person = actor.user_id if actor.livemode else uuid.uuid5(actor.user_id, "test")
    key = hashlib.sha256(f"{token}\0".encode() + spelled).hexdigest()
    claim = await claims.claim_or_replay(
        place.visit.app_context.db,
        KeyScope(actor.workspace_id, person, "POST", place.visit.path, key),
        spelled,
        lease=settings.idempotency_lease,
        retention=settings.idempotency_retention,
        now=place.visit.now,
    )
    once = Once(place, claim)
    try:
        yield once
    except BaseException:
        if once.claim is not None:
            await claims.release(place.visit.app_context.db, once.claim)
        raise

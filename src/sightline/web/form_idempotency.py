"""Forms act once even when they are sent twice: a form's one-time token is an idempotency key like that of the API."""

import hashlib
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sightline.api.edge.idempotency import read_idempotency_key
from sightline.api.edge.request_id import make_request_id
from sightline.db.engine import Transaction
from sightline.idempotency import claims
from sightline.idempotency.models import IdempotencyClaim, KeyScope, StoredResponse
from sightline.kit.ids import new_id
from sightline.web.forms import Form
from sightline.web.page_context import PageContext


class FormClaim:
    """The right to act on a form, or the path to which the same form led before."""

    def __init__(self, ctx: PageContext, claim: IdempotencyClaim | StoredResponse) -> None:
        self._ctx = ctx
        self.claim = claim if isinstance(claim, IdempotencyClaim) else None
        self.previous_path = "" if isinstance(claim, IdempotencyClaim) else dict(claim.headers)["location"]

    async def settle(self, tx: Transaction, path: str) -> str:
        """Store the path that the form led to, in the transaction of its effect, and return it."""
        assert self.claim is not None, "a form that has acted before must not act again"
        response = StoredResponse(303, [("location", path), ("x-request-id", make_request_id())], b"")
        await claims.settle(tx, self.claim, response, now=self._ctx.now)
        return path


def make_form_token() -> str:
    return str(new_id())


@asynccontextmanager
async def claim_form(ctx: PageContext, form: Form) -> AsyncIterator[FormClaim]:
    """Claim a form for the length of a `with` block, and release the claim if the block fails.

    A claim is bound to the person, the mode, the path and every field: a form that was changed is another form.
    """
    token = read_idempotency_key(form.text("token"), required=True)
    actor, settings, canonical = ctx.actor, ctx.app_context.settings, form.canonical_bytes()
    person = actor.user_id if actor.livemode else uuid.uuid5(actor.user_id, "test")
    key = hashlib.sha256(f"{token}\0".encode() + canonical).hexdigest()
    claim = await claims.claim_or_replay(
        ctx.db,
        KeyScope(actor.workspace_id, person, "POST", ctx.signed_in.path, key),
        canonical,
        lease=settings.idempotency_lease,
        retention=settings.idempotency_retention,
        now=ctx.now,
    )
    if isinstance(claim, StoredResponse):
        yield FormClaim(ctx, claim)
        return
    async with ctx.app_context.running_claims.hold(claim):
        yield FormClaim(ctx, claim)

"""Checks whose answers state something about a fact, stored as an edition stores them."""

import uuid

from sightline.facts.models import Claim
from sightline.facts.queries import store_claims
from sightline.kit.ids import new_id


def build_claim(fact_id, stated, *, verdict="contradicts", platform="chatgpt", sources=(), **more):
    return Claim(
        fact_id=uuid.UUID(str(fact_id)),
        answer_id=more.get("answer_id") or new_id(),
        prompt_id=more.get("prompt_id") or new_id(),
        platform=platform,
        verdict=verdict,
        stated=stated,
        passage=more.get("passage", f"Acme Pro: {stated}"),
        words=stated,
        sources=sources,
    )


async def store_check(installation, domain_id, *claims, scan_id=None):
    """Store the claims of a check that completed now, and return its id."""
    scan_id, domain_id = scan_id or new_id(), uuid.UUID(str(domain_id))
    workspace_id = await installation.db.fetchval("SELECT workspace_id FROM domains WHERE id = $1", domain_id)
    async with installation.db.transaction() as tx:
        await store_claims(tx, workspace_id, domain_id, scan_id, claims, completed_at=installation.clock())
    return scan_id

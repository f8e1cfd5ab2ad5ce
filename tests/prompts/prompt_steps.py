"""Steps on the prompts of one tracked domain, each in its own transaction."""

import uuid

import pytest

from sightline.errors import Problem
from sightline.plans.table import build_plan_table
from sightline.prompts import add, queries
from sightline.prompts.add import add_prompts_at_setup
from sightline.prompts.models import NewPrompt
from sightline.prompts.schemas import PromptInput
from sightline.prompts.suggestions import review
from sightline.prompts.suggestions.models import NewSuggestion

PLANS = build_plan_table({"agency": {"tracked_prompts": 4}})


class PromptSteps:
    """Steps on one tracked domain, each in its own transaction."""

    def __init__(self, installation, tenant, domain_id):
        self.installation, self.workspace_id, self.domain_id = installation, tenant.workspace.id, uuid.UUID(domain_id)

    async def do(self, action, *given, **more):
        async with self.installation.db.transaction() as tx:
            return await action(tx, self.workspace_id, self.domain_id, *given, **more)

    async def refused(self, action, *given, **more):
        with pytest.raises(Problem) as refusal:
            await self.do(action, *given, **more)
        return refusal.value

    @property
    def now(self):
        return self.installation.clock()

    async def set_up(self, *texts, plans=PLANS):
        given = [NewPrompt(text, "en") for text in texts]
        return await self.do(add_prompts_at_setup, given, plans, now=self.now)

    async def add(self, text, plans=PLANS):
        return await self.do(add.add_prompt, PromptInput(text, "en"), plans, now=self.now)

    async def suggest(self, *texts):
        found = [
            NewSuggestion(prompt=text, language_code="en", country_iso_2=None, priority=50 - n, origin="question")
            for n, text in enumerate(texts)
        ]
        await self.do(review.store_suggestions, found, now=self.now)
        return await self.suggestions()

    async def suggestions(self):
        return await review.list_suggestions(self.installation.db, self.workspace_id, self.domain_id)

    async def tracked(self):
        return await queries.list_tracked_prompts(self.installation.db, self.workspace_id, self.domain_id)

    async def counts(self):
        query = "SELECT prompt_count, pinned_count FROM domains WHERE id = $1"
        return tuple(await self.installation.db.fetchrow(query, self.domain_id))

"""Somebody who works on the prompts of one tracked domain through the Data API."""

import msgspec

from sightline.kit.ids import new_id
from tests.api.assertions import DATA


class Desk:
    def __init__(self, installation, client, tenant, domain_id):
        self.installation, self.client, self.tenant, self.domain_id = installation, client, tenant, domain_id
        self.key = tenant.data_write

    @classmethod
    async def open(cls, installation, client, *plan):
        tenant = await installation.tenant(*plan)
        return cls(installation, client, tenant, await installation.tracked_domain(tenant))

    @property
    def url(self):
        return f"{DATA}/domains/{self.domain_id}/prompts"

    @property
    def workspace_id(self):
        return self.tenant.workspace.id

    def headers(self, key=None, idempotency=None):
        return {"X-API-Key": key or self.key, "Idempotency-Key": idempotency or str(new_id())}

    async def post(self, prompt="best crm", *, key=None, idempotency=None, **fields):
        body = {"prompt": prompt, "language_code": "en", **fields}
        body = {name: value for name, value in body.items() if value != "absent"}
        return await self.client.post(self.url, json=body, headers=self.headers(key, idempotency))

    async def added(self, prompt="best crm", **fields):
        answer = await self.post(prompt, **fields)
        assert answer.status_code == 201, answer.text
        return answer.json()["data"]

    async def delete(self, prompt_id, *, key=None, idempotency=None):
        return await self.client.delete(f"{self.url}/{prompt_id}", headers=self.headers(key, idempotency))

    async def removed(self, prompt_id):
        answer = await self.delete(prompt_id)
        assert answer.status_code == 200, answer.text

    async def get(self, **query):
        return await self.client.get(self.url, params=query, headers={"X-API-Key": self.key})

    async def listed(self):
        answer = await self.get()
        assert answer.status_code == 200, answer.text
        return answer.json()["data"]

    async def counts(self):
        """(prompts, pins) as the domain shows them."""
        answer = await self.client.get(f"{DATA}/domains/{self.domain_id}", headers={"X-API-Key": self.key})
        return answer.json()["data"]["prompt_count"], answer.json()["data"]["pinned_count"]

    async def change(self, prompt_id, **values):
        """What checks and history write; there is no operation for it."""
        assignments = ", ".join(f"{name} = ${place}" for place, name in enumerate(values, start=2))
        await self.installation.db.execute(
            f"UPDATE prompts SET {assignments} WHERE id = $1", prompt_id, *values.values()
        )

    async def value(self, prompt_id, column):
        return await self.installation.db.fetchval(f"SELECT {column} FROM prompts WHERE id = $1", prompt_id)

    async def jobs(self, kind):
        query = "SELECT payload FROM jobs.pgqueuer WHERE entrypoint = $1"
        return [msgspec.json.decode(row[0]) for row in await self.installation.db.fetch(query, kind)]
